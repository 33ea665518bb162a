import type { Context, Hono } from 'hono';
import { z } from 'zod';

import { MAX_KEYS_PER_STORAGE } from '../../contract/api/sftp-storage.js';
import { parseInput } from '../../contract/parse-input.js';
import { notFoundError, validationError } from '../http/cloud-error.js';
import { formatSftpStorage } from '../http/formatters.js';
import { pageShape, parseJson, parseQuery, toPage } from '../http/query.js';
import type { SimulatorEnv } from '../http/simulator-env.js';
import type { SftpStorageEntity } from '../state/simulator-state.js';
import { nextDuration } from '../state/start-task.js';
import type { World } from '../state/world.js';

const listQuerySchema = z.strictObject({ ...pageShape(10), name: z.string().optional() });

const keyIdsSchema = z
  .array(z.number().int())
  .max(MAX_KEYS_PER_STORAGE, { error: `must have at most ${MAX_KEYS_PER_STORAGE} keys` });

/** What is not built is refused: to ignore it would pretend that it was done. */
const createBodySchema = z.strictObject({
  location_name: z.string().min(1),
  name: z.string().min(1),
  password_mode: z.literal('none', { error: 'only "none" is simulated' }),
  ssh_key_ids: keyIdsSchema.default([]),
});

const patchBodySchema = z.strictObject({ ssh_key_ids: keyIdsSchema.optional() });

const LIST = '/storage/v4/sftp_storages';
const ONE = '/storage/v4/sftp_storages/:id{[0-9]+}';

/** Shortest and longest seconds of a change at a time scale of 1; not documented. */
const CHANGE_SECONDS = [2, 6] as const;

/** SFTP storages. They are no tasks: `provisioning_status` tells when a change is done. */
export function addSftpStorageRoutes(app: Hono<SimulatorEnv>, world: World): void {
  const format = (row: Readonly<SftpStorageEntity>) => formatSftpStorage(world, row);
  app.get(LIST, (c) => {
    const query = parseQuery(listQuerySchema, c.req.queries());
    const rows = world.sftpStorages.filter(({ name }) => name.includes(query.name ?? ''));
    return c.json(toPage(rows, query, format));
  });
  app.post(LIST, async (c) => {
    const body = await parseBody(c, createBodySchema);
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
    return c.json(format(storage), 201);
  });
  app.get(ONE, (c) => c.json(format(find(world, c.req.param('id')))));
  app.patch(ONE, async (c) => {
    const { id, sshKeyIds } = find(world, c.req.param('id'));
    const body = await parseBody(c, patchBodySchema);
    // A merge patch, but the list is replaced as a whole.
    const next = body.ssh_key_ids ?? sshKeyIds;
    assertKeys(world, next);
    world.sftpStorages.update(id, { sshKeyIds: next, ...changing(world, 'updating') });
    return c.json(format(find(world, id)));
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

async function parseBody<T>(c: Context<SimulatorEnv>, schema: z.ZodType<T>): Promise<T> {
  const parsed = parseInput(schema, parseJson(await c.req.text()));
  if (!parsed.ok) throw validationError(parsed.faults);
  return parsed.value;
}

function assertKeys(world: World, ids: readonly number[]): void {
  const unknown = ids.filter((id) => world.sshKeys.get(String(id)) === undefined);
  if (unknown.length === 0) return;
  throw validationError([{ path: 'ssh_key_ids', message: `no such key: ${unknown.join(', ')}` }]);
}

function find(world: World, id: string): Readonly<SftpStorageEntity> {
  const storage = world.sftpStorages.get(id);
  if (storage === undefined) throw notFoundError(`SFTP storage ${id} is not found`);
  return storage;
}
