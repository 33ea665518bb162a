import type { Context, Hono } from 'hono';
import { z } from 'zod';

import { kvItemSchema } from '../../contract/api/kv-item.js';
import { formatFaults, parseInput } from '../../contract/parse-input.js';
import { badKvRequest, notFoundError } from '../http/cloud-error.js';
import {
  carryOut,
  entriesOf,
  findEntry,
  formatEntry,
  formatMembers,
  sizeOf,
  type Written,
} from '../state/kv-entries.js';
import { parseJson, parseQuery, repeatable } from '../http/query.js';
import type { SimulatorEnv } from '../http/simulator-env.js';
import type { KvStoreEntity } from '../state/simulator-state.js';
import type { World } from '../state/world.js';

const LIST = '/fastedge/v1/kv';
const ONE = '/fastedge/v1/kv/:id{[0-9]+}';
const DATA = '/fastedge/v1/kv/:id{[0-9]+}/data';
const ENTRY = '/fastedge/v1/kv/:id{[0-9]+}/data/:key';

/** The default limit is 50: a trap for whoever reads everything. */
const pageOf = (most: number) => ({
  limit: z.coerce.number().int().min(1).max(most).default(50),
  offset: z.coerce.number().int().min(0).default(0),
});
const storesQuerySchema = z.strictObject({ ...pageOf(1_000), search: z.string().optional() });
const dataQuerySchema = z.strictObject({
  ...pageOf(10_000),
  data_type: repeatable(z.enum(['kv', 'sorted_set', 'bloom_filter'])).optional(),
  search: z.string().min(1).max(1_024).optional(),
});
const membersQuerySchema = z.strictObject(pageOf(10_000));
const forceQuerySchema = z.strictObject({ force: z.enum(['true', 'false']).default('false') });

const bodySchema = z.object({
  name: z.string().min(1),
  comment: z.string().optional(),
  byod: z.object({ url: z.string(), prefix: z.string() }).optional(),
});

/** KV stores of the FastEdge area: of the account, with their data. */
export function addKvStoreRoutes(app: Hono<SimulatorEnv>, world: World): void {
  app.get(LIST, (c) => {
    const { limit, offset, search = '' } = parseQuery(storesQuerySchema, c.req.queries());
    const stores = world.kvStores.filter(({ name }) => name.includes(search));
    const shown = stores.slice(offset, offset + limit);
    return c.json({
      count: stores.length,
      stores: shown.map((store) => ({ id: Number(store.id), ...formatStore(world, store) })),
    });
  });
  app.post(LIST, async (c) => {
    const { name, comment = '', byod = null } = parse(bodySchema, await c.req.text());
    const id = String(world.nextNumber());
    const store = { id, name, comment, byod, revision: 0, updatedAt: world.now() };
    world.kvStores.insert(store);
    return c.json({ id: Number(id), ...formatStore(world, store) });
  });
  app.get(ONE, (c) => c.json(formatStore(world, storeOf(world, c))));
  app.delete(ONE, (c) => {
    const { id } = storeOf(world, c);
    for (const entry of entriesOf(world, id)) world.kvEntries.delete(entry.id);
    world.kvStores.delete(id);
    return c.body(null, 204);
  });
  addDataRoutes(app, world);
}

function addDataRoutes(app: Hono<SimulatorEnv>, world: World): void {
  app.put(DATA, async (c) => {
    const store = storeOf(world, c);
    const { force } = parseQuery(forceQuerySchema, c.req.queries());
    const items = parse(z.array(kvItemSchema), await c.req.text());
    const written: Written[] = [];
    try {
      for (const item of items) {
        written.push(carryOut({ world, store, force: force === 'true' }, item));
      }
    } finally {
      const revision = store.revision + 1;
      if (written.length > 0) world.kvStores.update(store.id, { revision, updatedAt: world.now() });
    }
    return c.json(formatWritten(world, store.id, written));
  });
  app.get(DATA, (c) => {
    const { id } = storeOf(world, c);
    const { limit, offset, ...wanted } = parseQuery(dataQuerySchema, c.req.queries());
    const rows = entriesOf(world, id).filter(
      ({ key, datatype }) =>
        key.startsWith(wanted.search ?? '') && (wanted.data_type ?? [datatype]).includes(datatype),
    );
    return c.json({
      count: rows.length,
      entries: rows.slice(offset, offset + limit).map(formatEntry),
    });
  });
  app.get(ENTRY, (c) => {
    const { id } = storeOf(world, c);
    const page = parseQuery(membersQuerySchema, c.req.queries());
    const entry = findEntry(world, id, c.req.param('key'));
    if (entry === undefined) throw notFoundError('no such key');
    return c.json(formatMembers(entry, page));
  });
}

function parse<T>(schema: z.ZodType<T>, text: string): T {
  const parsed = parseInput(schema, parseJson(text));
  if (!parsed.ok) throw badKvRequest(formatFaults(parsed.faults).trim());
  return parsed.value;
}

function storeOf(world: World, c: Context<SimulatorEnv>): Readonly<KvStoreEntity> {
  const store = world.kvStores.get(c.req.param('id') ?? '');
  if (store === undefined) throw notFoundError('no such store');
  return store;
}

/** A single store is shown without its id. The data of BYOD lie elsewhere: no size, no revision. */
function formatStore(world: World, store: Readonly<KvStoreEntity>) {
  const { id, name, comment, byod, revision, updatedAt } = store;
  const common = { name, comment, app_count: 0 };
  if (byod !== null) return { ...common, byod, size: 0 };
  const size = sizeOf(entriesOf(world, id));
  return { ...common, size, revision, updated_at: new Date(updatedAt).toISOString() };
}

function formatWritten(world: World, storeId: string, written: readonly Written[]) {
  const store = world.kvStores.get(storeId);
  const sum = (field: keyof Written) => written.reduce((total, one) => total + one[field], 0);
  return {
    write_count: sum('writes'),
    del_count: sum('deletes'),
    write_size: sum('bytes'),
    store_size: store?.byod === null ? sizeOf(entriesOf(world, storeId)) : 0,
    revision: store?.byod === null ? store.revision : 0,
  };
}
