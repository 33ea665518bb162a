import type { Hono } from 'hono';
import { z } from 'zod';

import { badRequestError } from '../http/cloud-error.js';
import { formatKvStore, formatKvStoreShort } from '../http/format-kv-store.js';
import { findKvStore, parseKvBody } from '../http/kv-request.js';
import { pageShape, parseQuery, toPage } from '../http/list-query.js';
import type { SimulatorEnv } from '../http/simulator-env.js';
import { kvEntriesOf } from '../state/kv-entries.js';
import { nextId } from '../state/next-id.js';
import type { World } from '../state/world.js';

const LIST = '/fastedge/v1/kv';
const ONE = '/fastedge/v1/kv/:id{[0-9]+}';

/** The default limit is a trap for callers that read everything without paging. */
const listQuerySchema = z.strictObject({
  ...pageShape(50),
  search: z.string().default(''),
  app_id: z.coerce.number().int().optional(),
});

const bodySchema = z.strictObject({
  name: z.string().min(1),
  comment: z.string().default(''),
  byod: z.strictObject({ url: z.string(), prefix: z.string() }).optional(),
});

/** KV stores of the FastEdge area. They belong to the account. */
export function addKvStoreRoutes(app: Hono<SimulatorEnv>, world: World): void {
  app.get(LIST, (c) => {
    const { search, app_id: appId, ...page } = parseQuery(world, listQuerySchema, c.req.queries());
    const rows = world.kvStores.filter(
      ({ name, appIds }) =>
        name.includes(search) && (appId === undefined || appIds.includes(appId)),
    );
    const { count, results } = toPage(rows, page, (store) => formatKvStoreShort(world, store));
    return c.json({ count, stores: results });
  });
  app.post(LIST, async (c) => {
    const { byod = null, ...texts } = await parseKvBody(world, c, bodySchema);
    const id = nextId(world, world.kvStores);
    const store = { id, ...texts, byod, appIds: [], revision: 0, updatedAt: world.now() };
    world.kvStores.insert(store);
    return c.json({ id: Number(id), ...formatKvStore(world, store) });
  });
  app.get(ONE, (c) => c.json(formatKvStore(world, findKvStore(world, c))));
  app.put(ONE, async (c) => {
    const store = findKvStore(world, c);
    const { byod = store.byod, ...texts } = await parseKvBody(world, c, bodySchema);
    // The type of a store, its own data or those of the user, is its type for ever.
    if (store.byod === null && byod !== null) throw badRequestError('byod: the store has own data');
    const changed = { ...store, ...texts, byod };
    world.kvStores.update(store.id, changed);
    return c.json(formatKvStore(world, changed));
  });
  app.delete(ONE, (c) => {
    const { id, appIds } = findKvStore(world, c);
    if (appIds.length > 0) {
      return c.json({ error: 'the store is used by apps', conflicting_ids: appIds }, 409);
    }
    for (const entry of kvEntriesOf(world, id)) world.kvEntries.delete(entry.id);
    world.kvStores.delete(id);
    return c.body(null, 204);
  });
}
