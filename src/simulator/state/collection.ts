/** Rows of one kind in the order of their creation. Rows are replaced, never changed in place. */
export interface Collection<T extends { id: string }> {
  get(id: string): Readonly<T> | undefined;
  filter(predicate: (row: Readonly<T>) => boolean): Readonly<T>[];
  insert(row: T): void;
  update(id: string, change: Partial<T>): void;
  delete(id: string): void;
  snapshot(): T[];
  restore(rows: readonly T[]): void;
}

export function createCollection<T extends { id: string }>(onWrite: () => void): Collection<T> {
  const rows = new Map<string, T>();
  return {
    get: (id) => rows.get(id),
    filter: (predicate) => [...rows.values()].filter(predicate),
    insert(row) {
      rows.set(row.id, row);
      onWrite();
    },
    update(id, change) {
      const row = rows.get(id);
      if (row === undefined) throw new Error(`The simulator has no row ${id} to update`);
      rows.set(id, { ...row, ...change });
      onWrite();
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
