import type { Hono } from 'hono';
import { z } from 'zod';

import {
  changeSftpStorage,
  createSftpStorage,
  removeSftpStorage,
} from '../changes/change-sftp-storage.js';
import { formatSftpStorage } from '../http/formatters.js';
import { orderedBy, pageShape, parseQuery, toPage } from '../http/list-query.js';
import { readJson } from '../http/request-body.js';
import { notFoundError } from '../http/cloud-error.js';
import type { SimulatorEnv } from '../http/simulator-env.js';
import type { SftpStorageEntity } from '../state/rows.js';
import { existingStorages, storageStatus } from '../state/sftp-storages.js';
import type { World } from '../state/world.js';

/** Which orders there are, besides the default, is undocumented. */
const listQuerySchema = z.strictObject({
  ...pageShape(10),
  id: z.string().optional(),
  name: z.string().optional(),
  location_name: z.string().optional(),
  provisioning_status: z.enum(['active', 'creating', 'updating', 'deleting', 'deleted']).optional(),
  show_deleted: z.enum(['true', 'false']).default('false'),
  order_by: z
    .enum(['created_at.asc', 'created_at.desc', 'name.asc', 'name.desc'])
    .default('created_at.desc'),
});
type ListQuery = z.infer<typeof listQuerySchema>;

const LIST = '/storage/v4/sftp_storages';
const ONE = '/storage/v4/sftp_storages/:id{[0-9]+}';

/** SFTP storages. Their changes have no tasks: `provisioning_status` shows when a change is done. */
export function addSftpStorageRoutes(app: Hono<SimulatorEnv>, world: World): void {
  const format = (row: Readonly<SftpStorageEntity>) => formatSftpStorage(world, row);
  app.get(LIST, (c) => {
    const query = parseQuery(world, listQuerySchema, c.req.queries());
    const rows = matchingStorages(world, query).sort(orderedBy(query.order_by, sortKeys));
    return c.json(toPage(rows, query, format));
  });
  app.post(LIST, async (c) => c.json(createSftpStorage(world, await readJson(c)), 201));
  app.get(ONE, (c) => c.json(format(find(world, c.req.param('id')))));
  app.patch(ONE, async (c) => {
    const storage = find(world, c.req.param('id'));
    return c.json(changeSftpStorage(world, storage, await readJson(c)));
  });
  app.delete(ONE, (c) => {
    removeSftpStorage(world, find(world, c.req.param('id')));
    return c.body(null, 204);
  });
}

function matchingStorages(world: World, query: ListQuery): Readonly<SftpStorageEntity>[] {
  const { id, name = '', location_name: location, provisioning_status: status } = query;
  const rows =
    query.show_deleted === 'true' ? world.sftpStorages.filter(() => true) : existingStorages(world);
  return rows.filter(
    (row) =>
      (id === undefined || row.id === id) &&
      row.name.includes(name) &&
      (location === undefined || row.locationName === location) &&
      (status === undefined || storageStatus(world, row) === status),
  );
}

/** Storages of the same time keep the order of their creation. */
function sortKeys(row: Readonly<SftpStorageEntity>, field: string) {
  return field === 'name' ? [row.name, Number(row.id)] : [row.createdAt, Number(row.id)];
}

function find(world: World, id: string): Readonly<SftpStorageEntity> {
  const storage = existingStorages(world).find((row) => row.id === id);
  if (storage === undefined) throw notFoundError(`SFTP storage ${id} is not found`);
  return storage;
}
