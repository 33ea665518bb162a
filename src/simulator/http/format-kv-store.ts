import { kvEntriesOf, sizeOf } from '../state/kv-entries.js';
import type { KvStoreEntity } from '../state/rows.js';
import type { World } from '../state/world.js';

/** One store, without its id. A BYOD store has its data elsewhere: no size, no revision. */
export function formatKvStore(world: World, store: Readonly<KvStoreEntity>) {
  const { name, comment, byod, appIds, revision, updatedAt } = store;
  const common = { name, comment, app_count: appIds.length, size: shownSize(world, store) };
  if (byod !== null) return { ...common, byod };
  return { ...common, revision, updated_at: new Date(updatedAt).toISOString() };
}

export type KvStoreObject = ReturnType<typeof formatKvStoreShort>;

/** A store in a list. */
export function formatKvStoreShort(world: World, store: Readonly<KvStoreEntity>) {
  const { id, name, comment, appIds } = store;
  return {
    id: Number(id),
    name,
    comment,
    app_count: appIds.length,
    size: shownSize(world, store),
  };
}

export function shownSize(world: World, { id, byod }: Readonly<KvStoreEntity>): number {
  if (byod !== null) return 0;
  return sizeOf(kvEntriesOf(world, id).flatMap(({ values }) => values));
}
