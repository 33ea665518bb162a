import type { Hono } from 'hono';
import { z } from 'zod';

import { parseInput } from '../../contract/parse-input.js';
import { conflictError, notFoundError, validationError } from '../http/cloud-error.js';
import { formatSshKey } from '../http/formatters.js';
import { pageShape, parseJson, parseQuery, toPage } from '../http/query.js';
import type { SimulatorEnv } from '../http/simulator-env.js';
import type { SshKeyEntity } from '../state/simulator-state.js';
import type { World } from '../state/world.js';

/** The default limit is 10 and the default order the newest first: a trap for whoever reads all pages. */
const listQuerySchema = z.strictObject({
  ...pageShape(10),
  name: z.string().optional(),
  order_by: z
    .enum(['created_at.asc', 'created_at.desc', 'name.asc', 'name.desc'])
    .default('created_at.desc'),
});
type ListQuery = z.infer<typeof listQuerySchema>;

const bodySchema = z.object({
  name: z.string().regex(/^[\w-]{1,128}$/, {
    error: 'must have 1 to 128 letters, digits, "_" or "-"',
  }),
  public_key: z.string().regex(/^ssh-(?:rsa|ed25519) \S/, {
    error: 'must be an ssh-rsa or ssh-ed25519 key',
  }),
});

const LIST = '/storage/v4/ssh_keys';
const ONE = '/storage/v4/ssh_keys/:id{[0-9]+}';

/** Keys of the storage area. Those of `/cloud/v1/ssh_keys` are another registry. */
export function addSshKeyRoutes(app: Hono<SimulatorEnv>, world: World): void {
  app.get(LIST, (c) => {
    const query = parseQuery(listQuerySchema, c.req.queries());
    const rows = world.sshKeys.filter(({ name }) => name.includes(query.name ?? ''));
    return c.json(toPage(rows.sort(orderOf(query.order_by)), query, formatSshKey));
  });
  app.post(LIST, async (c) => {
    const parsed = parseInput(bodySchema, parseJson(await c.req.text()));
    if (!parsed.ok) throw validationError(parsed.faults);
    return c.json(formatSshKey(createSshKey(world, parsed.value)), 201);
  });
  app.get(ONE, (c) => c.json(formatSshKey(find(world, c.req.param('id')))));
  app.delete(ONE, (c) => {
    removeSshKey(world, find(world, c.req.param('id')).id);
    return c.body(null, 204);
  });
}

function createSshKey(
  world: World,
  { name, public_key: publicKey }: z.infer<typeof bodySchema>,
): SshKeyEntity {
  const isTaken = world.sshKeys.filter((row) => row.name === name).length > 0;
  if (isTaken) throw conflictError(`SSH key ${name} already exists`);
  const sshKey = { id: freeId(world), name, publicKey, createdAt: world.now() };
  world.sshKeys.insert(sshKey);
  return sshKey;
}

/** A key that is removed is unlinked from every storage. */
function removeSshKey(world: World, id: string): void {
  world.sshKeys.delete(id);
  for (const storage of world.sftpStorages.filter((row) => row.sshKeyIds.includes(Number(id)))) {
    const sshKeyIds = storage.sshKeyIds.filter((keyId) => keyId !== Number(id));
    world.sftpStorages.update(storage.id, { sshKeyIds });
  }
}

/** Never the id of a key that was removed: whoever remembers one by its id would take it for the same. */
function freeId(world: World): string {
  for (;;) {
    const id = String(world.nextNumber());
    if (world.sshKeys.get(id) === undefined) return id;
  }
}

function find(world: World, id: string): Readonly<SshKeyEntity> {
  const sshKey = world.sshKeys.get(id);
  if (sshKey === undefined) throw notFoundError(`SSH key ${id} is not found`);
  return sshKey;
}

/** Rows of the same second keep the order of their creation. */
function orderOf(orderBy: ListQuery['order_by']) {
  const [field, direction] = orderBy.split('.');
  const sign = direction === 'asc' ? 1 : -1;
  return (a: Readonly<SshKeyEntity>, b: Readonly<SshKeyEntity>): number =>
    sign *
    (field === 'name'
      ? compare(a.name, b.name)
      : a.createdAt - b.createdAt || Number(a.id) - Number(b.id));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
