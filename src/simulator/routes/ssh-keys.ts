import type { Hono } from 'hono';
import { z } from 'zod';

import { conflictError } from '../http/cloud-error.js';
import { formatSshKey } from '../http/formatters.js';
import { orderedBy, pageShape, parseQuery, toPage } from '../http/list-query.js';
import { parseRequest, readJson } from '../http/request-body.js';
import { findById } from '../http/scope.js';
import type { SimulatorEnv } from '../http/simulator-env.js';
import { nextId } from '../state/next-id.js';
import type { SshKeyEntity } from '../state/rows.js';
import type { World } from '../state/world.js';

/** The default limit is 10 and the default order newest first: traps for callers that read all pages. */
const listQuerySchema = z.strictObject({
  ...pageShape(10),
  name: z.string().optional(),
  order_by: z
    .enum(['created_at.asc', 'created_at.desc', 'name.asc', 'name.desc'])
    .default('created_at.desc'),
});

const createBodySchema = z.object({
  name: z.string().regex(/^[\w-]{1,128}$/, {
    error: 'must have 1 to 128 letters, digits, "_" or "-"',
  }),
  public_key: z.string().regex(/^ssh-(?:rsa|ed25519) \S/, {
    error: 'must be an ssh-rsa or ssh-ed25519 key',
  }),
});

const LIST = '/storage/v4/ssh_keys';
const ONE = '/storage/v4/ssh_keys/:id{[0-9]+}';

/** Keys of the storage area. `/cloud/v1/ssh_keys` is another registry. */
export function addSshKeyRoutes(app: Hono<SimulatorEnv>, world: World): void {
  app.get(LIST, (c) => {
    const query = parseQuery(world, listQuerySchema, c.req.queries());
    const rows = world.sshKeys.filter(({ name }) => name.includes(query.name ?? ''));
    return c.json(toPage(rows.sort(orderedBy(query.order_by, sortKeys)), query, formatSshKey));
  });
  app.post(LIST, async (c) => {
    const body = parseRequest(world, createBodySchema, await readJson(c));
    return c.json(formatSshKey(createSshKey(world, body)), 201);
  });
  app.get(ONE, (c) => c.json(formatSshKey(find(world, c.req.param('id')))));
  app.delete(ONE, (c) => {
    removeSshKey(world, find(world, c.req.param('id')).id);
    return c.body(null, 204);
  });
}

function createSshKey(
  world: World,
  { name, public_key: publicKey }: z.infer<typeof createBodySchema>,
): SshKeyEntity {
  const isTaken = world.sshKeys.filter((row) => row.name === name).length > 0;
  if (isTaken) throw conflictError(`SSH key ${name} already exists`);
  const sshKey = { id: nextId(world, world.sshKeys), name, publicKey, createdAt: world.now() };
  world.sshKeys.insert(sshKey);
  return sshKey;
}

/** Removes the key and unlinks it from every storage. */
function removeSshKey(world: World, id: string): void {
  world.sshKeys.delete(id);
  for (const storage of world.sftpStorages.filter((row) => row.sshKeyIds.includes(Number(id)))) {
    const sshKeyIds = storage.sshKeyIds.filter((keyId) => keyId !== Number(id));
    world.sftpStorages.update(storage.id, { sshKeyIds });
  }
}

function find(world: World, id: string): Readonly<SshKeyEntity> {
  return findById(world.sshKeys, { kind: 'SSH key', id });
}

/** Keys of the same second keep the order of their creation. */
function sortKeys(row: Readonly<SshKeyEntity>, field: string) {
  return field === 'name' ? [row.name] : [row.createdAt, Number(row.id)];
}
