import type { Collection } from './collection.js';
import type { World } from './world.js';

/** A number that no row has, not even a removed one: a caller that remembers ids would confuse the two. */
export function nextId<T extends { id: string }>(
  world: Pick<World, 'nextNumber'>,
  rows: Pick<Collection<T>, 'get'>,
): string {
  for (;;) {
    const id = String(world.nextNumber());
    if (rows.get(id) === undefined) return id;
  }
}
