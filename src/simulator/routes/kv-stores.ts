import type { Context, Hono } from 'hono';
import { z } from 'zod';

import { sentKvItemSchema } from '../../contract/api/fastedge.js';
import { formatFaults } from '../../engine/schema/parse-input.js';
import { writeKvItem, type WriteCounts } from '../changes/write-kv-item.js';
import { badRequestError, notFoundError } from '../http/cloud-error.js';
import { formatKvEntry, formatKvMembers } from '../http/format-kv-entry.js';
import { pageShape, parseQuery, repeatable, toPage } from '../http/list-query.js';
import { parsePart, readJson } from '../http/request-body.js';
import type { SimulatorEnv } from '../http/simulator-env.js';
import { findKvEntry, kvEntriesOf, sizeOf } from '../state/kv-entries.js';
import type { KvStoreEntity } from '../state/rows.js';
import type { World } from '../state/world.js';

const LIST = '/fastedge/v1/kv';
const ONE = '/fastedge/v1/kv/:id{[0-9]+}';
const DATA = '/fastedge/v1/kv/:id{[0-9]+}/data';
const ENTRY = '/fastedge/v1/kv/:id{[0-9]+}/data/:key';

/** A trap for callers that read everything without paging. */
const DEFAULT_LIMIT = 50;
const MAX_DATA_LIMIT = 10_000;

const storesQuerySchema = z.strictObject({
  ...pageShape(DEFAULT_LIMIT),
  search: z.string().optional(),
});
const membersQuerySchema = z.strictObject(pageShape(DEFAULT_LIMIT, MAX_DATA_LIMIT));
const dataQuerySchema = membersQuerySchema.extend({
  data_type: repeatable(z.enum(['kv', 'sorted_set', 'bloom_filter'])).optional(),
  search: z.string().min(1).max(1_024).optional(),
});
const forceQuerySchema = z.strictObject({ force: z.enum(['true', 'false']).default('false') });

const storeBodySchema = z.object({
  name: z.string().min(1),
  comment: z.string().optional(),
  byod: z.object({ url: z.string(), prefix: z.string() }).optional(),
});

/** KV stores of the FastEdge area. They belong to the account. */
export function addKvStoreRoutes(app: Hono<SimulatorEnv>, world: World): void {
  app.get(LIST, (c) => {
    const { search = '', ...page } = parseQuery(world, storesQuerySchema, c.req.queries());
    const rows = world.kvStores.filter(({ name }) => name.includes(search));
    const { count, results } = toPage(rows, page, (store) => ({
      id: Number(store.id),
      ...formatStore(world, store),
    }));
    return c.json({ count, stores: results });
  });
  app.post(LIST, async (c) => {
    const { name, comment = '', byod = null } = await parseBody(world, c, storeBodySchema);
    const id = String(world.nextNumber());
    const store = { id, name, comment, byod, revision: 0, updatedAt: world.now() };
    world.kvStores.insert(store);
    return c.json({ id: Number(id), ...formatStore(world, store) });
  });
  app.get(ONE, (c) => c.json(formatStore(world, findStore(world, c))));
  app.delete(ONE, (c) => {
    const { id } = findStore(world, c);
    for (const entry of kvEntriesOf(world, id)) world.kvEntries.delete(entry.id);
    world.kvStores.delete(id);
    return c.body(null, 204);
  });
  addDataRoutes(app, world);
}

function addDataRoutes(app: Hono<SimulatorEnv>, world: World): void {
  app.put(DATA, async (c) => {
    const store = findStore(world, c);
    const { force } = parseQuery(world, forceQuerySchema, c.req.queries());
    const items = await parseBody(world, c, z.array(sentKvItemSchema));
    const written: WriteCounts[] = [];
    // The API does not document whether a request is all or nothing. Here the items before a bad
    // item are written, which is the harder case for a caller.
    try {
      for (const item of items) {
        written.push(writeKvItem({ world, store, force: force === 'true' }, item));
      }
    } finally {
      const revision = store.revision + 1;
      if (written.length > 0) world.kvStores.update(store.id, { revision, updatedAt: world.now() });
    }
    return c.json(formatWritten(world, store.id, written));
  });
  app.get(DATA, (c) => {
    const { id } = findStore(world, c);
    const query = parseQuery(world, dataQuerySchema, c.req.queries());
    const rows = kvEntriesOf(world, id).filter(
      ({ key, datatype }) =>
        key.startsWith(query.search ?? '') && (query.data_type ?? [datatype]).includes(datatype),
    );
    const { count, results } = toPage(rows, query, formatKvEntry);
    return c.json({ count, entries: results });
  });
  app.get(ENTRY, (c) => {
    const { id } = findStore(world, c);
    const page = parseQuery(world, membersQuerySchema, c.req.queries());
    const entry = findKvEntry(world, id, c.req.param('key'));
    if (entry === undefined) throw notFoundError('no such key');
    return c.json(formatKvMembers(entry, page));
  });
}

/** The FastEdge area answers a wrong body with a text alone. */
async function parseBody<T>(
  world: World,
  c: Context<SimulatorEnv>,
  schema: z.ZodType<T>,
): Promise<T> {
  const parsed = parsePart(world, schema, await readJson(c));
  if (!parsed.ok) throw badRequestError(formatFaults(parsed.faults).trim());
  return parsed.value;
}

function findStore(world: World, c: Context<SimulatorEnv>): Readonly<KvStoreEntity> {
  const store = world.kvStores.get(c.req.param('id') ?? '');
  if (store === undefined) throw notFoundError('no such store');
  return store;
}

/** One store, without its id. A BYOD store has its data elsewhere: no size, no revision. */
function formatStore(world: World, store: Readonly<KvStoreEntity>) {
  const { id, name, comment, byod, revision, updatedAt } = store;
  const common = { name, comment, app_count: 0 };
  if (byod !== null) return { ...common, byod, size: 0 };
  const size = storeSize(world, id);
  return { ...common, size, revision, updated_at: new Date(updatedAt).toISOString() };
}

function formatWritten(world: World, storeId: string, written: readonly WriteCounts[]) {
  const store = world.kvStores.get(storeId);
  const sum = (field: keyof WriteCounts) =>
    written.reduce((total, counts) => total + counts[field], 0);
  return {
    write_count: sum('writes'),
    del_count: sum('deletes'),
    write_size: sum('bytes'),
    store_size: store?.byod === null ? storeSize(world, storeId) : 0,
    revision: store?.byod === null ? store.revision : 0,
  };
}

function storeSize(world: World, storeId: string): number {
  return sizeOf(kvEntriesOf(world, storeId).flatMap(({ values }) => values));
}
