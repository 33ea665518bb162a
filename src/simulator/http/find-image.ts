import type { ImageEntity } from '../state/rows.js';
import type { World } from '../state/world.js';
import type { Scope } from './scope.js';
import { rowsIn } from './stocked.js';

export function findImage(world: World, scope: Scope, id: string): ImageEntity | undefined {
  return rowsIn(world, 'images', scope).find((row) => row.id === id);
}
