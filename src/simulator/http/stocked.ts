import type { Collection } from '../state/collection.js';
import type { Rows } from '../state/rows.js';
import { STOCK, type StockKind } from '../state/stock.js';
import { conflictError, notFoundError } from './cloud-error.js';
import { isInScope, type Scope } from './scope.js';

type Kept<K extends StockKind> = { readonly [P in K]: Collection<Rows[P]> };

/** The rows of a project and region, and before them what is in stock. A changed stock row is a kept one. */
export function rowsIn<K extends StockKind>(
  world: Kept<K>,
  kind: K,
  scope: Scope,
): Readonly<Rows[K]>[] {
  const kept = world[kind].filter((row) => isInScope(row, scope));
  const stock = STOCK[kind](scope).filter(({ id }) => !kept.some((row) => row.id === id));
  return [...stock, ...kept];
}

/** Finds a row of a project and region, or what is in stock there. */
export function findStocked<K extends StockKind>(
  world: Kept<K>,
  kind: K,
  { scope, name, id }: { scope: Scope; name: string; id: string },
): Readonly<Rows[K]> {
  const row = rowsIn(world, kind, scope).find((candidate) => candidate.id === id);
  if (row === undefined) throw notFoundError(`${name} ${id} is not found`);
  return row;
}

/** What is in stock belongs to nobody: others would miss it. */
export function refuseStock(kind: StockKind, row: Scope & { id: string }): void {
  if (STOCK[kind](row).some(({ id }) => id === row.id)) {
    throw conflictError(`${row.id} is in stock in every project: it can be used, but not changed`);
  }
}
