import type { Hono } from 'hono';
import { z } from 'zod';

import { sentKvItemSchema } from '../../contract/api/fastedge.js';
import { writeKvItem, type WriteCounts } from '../changes/write-kv-item.js';
import { notFoundError } from '../http/cloud-error.js';
import { formatKvEntry, formatKvMembers } from '../http/format-kv-entry.js';
import { shownSize } from '../http/format-kv-store.js';
import { findKvStore, parseKvBody } from '../http/kv-request.js';
import { pageShape, parseQuery, repeatable, toPage } from '../http/list-query.js';
import type { SimulatorEnv } from '../http/simulator-env.js';
import { findKvEntry, hasMember, kvEntriesOf } from '../state/kv-entries.js';
import type { World } from '../state/world.js';

const DATA = '/fastedge/v1/kv/:id{[0-9]+}/data';
const ENTRY = '/fastedge/v1/kv/:id{[0-9]+}/data/:key';

/** A number in digits; nothing is no number. */
const scoreSchema = z
  .string()
  .regex(/^[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?$/i, { error: 'must be a number' })
  .transform(Number);

/** The default limit is a trap for callers that read everything without paging. */
const membersQuerySchema = z.strictObject({
  ...pageShape(50, 10_000),
  search: z.string().optional(),
  hash: z
    .string()
    .regex(/^[\da-f]{64}$/i, { error: 'must be a SHA-256 in hexadecimal digits' })
    .optional(),
  min_score: scoreSchema.optional(),
  max_score: scoreSchema.optional(),
});
const dataQuerySchema = membersQuerySchema.omit({ hash: true }).extend({
  search: z.string().min(1).max(1_024).optional(),
  data_type: repeatable(z.enum(['kv', 'sorted_set', 'bloom_filter'])).optional(),
});
type DataQuery = z.infer<typeof dataQuerySchema>;
const forceQuerySchema = z.strictObject({ force: z.enum(['true', 'false']).default('false') });

/** The data of KV stores. */
export function addKvDataRoutes(app: Hono<SimulatorEnv>, world: World): void {
  app.put(DATA, async (c) => {
    const store = findKvStore(world, c);
    const { force } = parseQuery(world, forceQuerySchema, c.req.queries());
    const items = await parseKvBody(world, c, z.array(sentKvItemSchema));
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
    const { id } = findKvStore(world, c);
    const query = parseQuery(world, dataQuerySchema, c.req.queries());
    const { count, results } = toPage(matchingEntries(world, id, query), query, formatKvEntry);
    return c.json({ count, entries: results });
  });
  app.get(ENTRY, (c) => {
    const { id } = findKvStore(world, c);
    const query = parseQuery(world, membersQuerySchema, c.req.queries());
    const entry = findKvEntry(world, id, c.req.param('key'));
    if (entry === undefined) throw notFoundError('no such key');
    return c.json(formatKvMembers(entry, query));
  });
}

/** Scores are those of sorted sets: such a set matches by any of its members. */
function matchingEntries(world: World, storeId: string, query: DataQuery) {
  const { search = '', data_type: types, min_score: min, max_score: max } = query;
  const isScored = min !== undefined || max !== undefined;
  return kvEntriesOf(world, storeId).filter(
    (entry) =>
      entry.key.startsWith(search) &&
      (types ?? [entry.datatype]).includes(entry.datatype) &&
      (!isScored || entry.datatype !== 'sorted_set' || hasMember(entry, { min, max })),
  );
}

function formatWritten(world: World, storeId: string, written: readonly WriteCounts[]) {
  const store = world.kvStores.get(storeId);
  const sum = (field: keyof WriteCounts) =>
    written.reduce((total, counts) => total + counts[field], 0);
  return {
    write_count: sum('writes'),
    del_count: sum('deletes'),
    write_size: sum('bytes'),
    store_size: store === undefined ? 0 : shownSize(world, store),
    revision: store?.byod === null ? store.revision : 0,
  };
}
