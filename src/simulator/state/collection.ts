import type { z } from 'zod';

/** Rows of one kind in the order of their creation. Rows are replaced, never changed in place. */
export interface Collection<T extends { id: string }> {
  get(id: string): Readonly<T> | undefined;
  filter(predicate: (row: Readonly<T>) => boolean): Readonly<T>[];
  insert(row: T): void;
  update(id: string, change: Partial<T>): void;
  /** Changes a row by a change from a snapshot. */
  merge(id: string, change: object): void;
  delete(id: string): void;
  snapshot(): T[];
  restore(rows: readonly T[]): void;
}

/** @param onWrite called with the row that was put; without one when rows were removed or restored */
export function createCollection<T extends { id: string }>(
  schema: z.ZodType<T>,
  onWrite: (row?: Readonly<T>) => void,
): Collection<T> {
  const rows = new Map<string, T>();
  const existing = (id: string): T => {
    const row = rows.get(id);
    if (row === undefined) throw new Error(`The simulator has no row ${id} to update`);
    return row;
  };
  const put = (row: T): void => {
    rows.set(row.id, row);
    onWrite(row);
  };
  return {
    get: (id) => rows.get(id),
    filter: (predicate) => [...rows.values()].filter(predicate),
    insert: put,
    update(id, change) {
      put({ ...existing(id), ...change });
    },
    merge(id, change) {
      put(schema.parse({ ...existing(id), ...change }));
    },
    delete(id) {
      rows.delete(id);
      onWrite();
    },
    snapshot: () => structuredClone([...rows.values()]),
    restore(restored) {
      rows.clear();
      for (const row of structuredClone([...restored])) rows.set(row.id, row);
      onWrite();
    },
  };
}
