import type { CloudRowKind } from './cloud-entities.js';
import type { Rows } from './rows.js';
import { type Mutation, newId, startTask } from './start-task.js';
import type { ChangePlan, RowChange, RowRef } from './task-entities.js';
import type { World } from './world.js';

interface Change extends Pick<ChangePlan, 'kind'> {
  data: Record<string, unknown>;
  /** Refused to others until the task ends, however it ends. */
  locked?: RowRef[];
  done?: RowChange[];
  failed?: RowChange[];
  created?: Record<string, string[]>;
}

/** Starts a task that only changes rows when it ends, and locks what it works on. Returns its id. */
export function startChange(world: World, mutation: Mutation, change: Change): string {
  const { kind, data, locked = [], done = [], failed = [], created = {} } = change;
  const id = newId();
  for (const row of locked) world[row.rows].merge(row.id, { taskId: id });
  return startTask(world, mutation, { id, data, plan: { kind, locked, done, failed, created } });
}

export function changeOf<K extends CloudRowKind>(
  rows: K,
  id: string,
  change: Partial<Rows[K]>,
): RowChange {
  return { rows, id, change };
}

export function removalOf(rows: CloudRowKind, id: string): RowChange {
  return { rows, id, change: null };
}
