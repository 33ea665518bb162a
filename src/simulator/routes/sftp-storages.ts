import type { Hono } from 'hono';
import { z } from 'zod';

import { MAX_KEYS_PER_STORAGE } from '../../contract/api/storage.js';
import { validationError } from '../http/cloud-error.js';
import { formatSftpStorage } from '../http/formatters.js';
import { pageShape, parseQuery, toPage } from '../http/list-query.js';
import { parseRequest, readJson } from '../http/request-body.js';
import { findById } from '../http/scope.js';
import type { SimulatorEnv } from '../http/simulator-env.js';
import type { SftpStorageEntity } from '../state/rows.js';
import { nextDuration } from '../state/start-task.js';
import type { World } from '../state/world.js';

const listQuerySchema = z.strictObject({ ...pageShape(10), name: z.string().optional() });

const keyIdsSchema = z
  .array(z.number().int())
  .max(MAX_KEYS_PER_STORAGE, { error: `must have at most ${MAX_KEYS_PER_STORAGE} keys` });

/** The schema refuses options that the simulator does not have, because it could only ignore them. */
const createBodySchema = z.strictObject({
  location_name: z.string().min(1),
  name: z.string().min(1),
  password_mode: z.literal('none', { error: 'must be "none": the simulator has no other mode' }),
  ssh_key_ids: keyIdsSchema.default([]),
});

const patchBodySchema = z.strictObject({ ssh_key_ids: keyIdsSchema.optional() });

const LIST = '/storage/v4/sftp_storages';
const ONE = '/storage/v4/sftp_storages/:id{[0-9]+}';

/** Shortest and longest seconds of a change at a time scale of 1; undocumented. */
const CHANGE_SECONDS = [2, 6] as const;

/** SFTP storages. Their changes have no tasks: `provisioning_status` shows when a change is done. */
export function addSftpStorageRoutes(app: Hono<SimulatorEnv>, world: World): void {
  const format = (row: Readonly<SftpStorageEntity>) => formatSftpStorage(world, row);
  /** The answer to a change, however fast it is. */
  const begun = (row: Readonly<SftpStorageEntity>) => {
    return { ...format(row), provisioning_status: row.change };
  };
  app.get(LIST, (c) => {
    const query = parseQuery(world, listQuerySchema, c.req.queries());
    const rows = world.sftpStorages.filter(({ name }) => name.includes(query.name ?? ''));
    return c.json(toPage(rows, query, format));
  });
  app.post(LIST, async (c) => {
    const body = parseRequest(world, createBodySchema, await readJson(c));
    assertKeys(world, body.ssh_key_ids);
    const storage: SftpStorageEntity = {
      id: String(world.nextNumber()),
      name: body.name,
      locationName: body.location_name,
      sshKeyIds: body.ssh_key_ids,
      createdAt: world.now(),
      ...changing(world, 'creating'),
    };
    world.sftpStorages.insert(storage);
    return c.json(begun(storage), 201);
  });
  app.get(ONE, (c) => c.json(format(find(world, c.req.param('id')))));
  app.patch(ONE, async (c) => {
    const { id, sshKeyIds } = find(world, c.req.param('id'));
    const body = parseRequest(world, patchBodySchema, await readJson(c));
    // A merge patch, but it replaces the whole list.
    const nextKeyIds = body.ssh_key_ids ?? sshKeyIds;
    assertKeys(world, nextKeyIds);
    world.sftpStorages.update(id, { sshKeyIds: nextKeyIds, ...changing(world, 'updating') });
    return c.json(begun(find(world, id)));
  });
  app.delete(ONE, (c) => {
    const { id } = find(world, c.req.param('id'));
    world.sftpStorages.update(id, changing(world, 'deleting'));
    return c.body(null, 204);
  });
}

function changing(world: World, change: SftpStorageEntity['change']) {
  return { change, settledAt: world.now() + nextDuration(world, CHANGE_SECONDS) };
}

function assertKeys(world: World, ids: readonly number[]): void {
  const unknown = ids.filter((id) => world.sshKeys.get(String(id)) === undefined);
  if (unknown.length === 0) return;
  throw validationError([{ path: 'ssh_key_ids', message: `no such key: ${unknown.join(', ')}` }]);
}

function find(world: World, id: string): Readonly<SftpStorageEntity> {
  return findById(world.sftpStorages, { kind: 'SFTP storage', id });
}
