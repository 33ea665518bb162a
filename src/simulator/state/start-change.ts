import type { CloudRowKind } from './cloud-entities.js';
import type { Rows } from './rows.js';
import { listedAt, type Mutation, newId, startTask, type TaskOrigin } from './start-task.js';
import type { ChangePlan, RowChange, RowRef } from './task-entities.js';
import type { Collections, World } from './world.js';

interface Change extends Pick<ChangePlan, 'kind'> {
  data: Record<string, unknown>;
  /** Refused to others until the task ends, however it ends. */
  locked?: RowRef[];
  done?: RowChange[];
  failed?: RowChange[];
  created?: Record<string, string[]>;
}

/** Starts a task that only changes rows when it ends, and locks what it works on. Returns its id. */
export function startChange(world: World, origin: TaskOrigin, change: Change): string {
  const { kind, data, locked = [], done = [], failed = [], created = {} } = change;
  const id = newId();
  for (const row of locked) world[row.rows].merge(row.id, { taskId: id });
  return startTask(world, origin, { id, data, plan: { kind, locked, done, failed, created } });
}

/** What every new row of a project and region begins with. `taskId`: the task that makes it, which locks it. */
export function newRow(world: World, mutation: Mutation, taskId: string | null = null) {
  const { projectId, regionId } = mutation;
  return {
    id: newId(),
    projectId,
    regionId,
    createdAt: world.now(),
    listedAt: listedAt(world, mutation),
    creatorTaskId: taskId,
    taskId,
  };
}

interface Creation<K extends CloudRowKind> extends Change {
  rows: K;
  row: Rows[K];
}

/** Starts the task that makes a row. It is there at once, but locked; a failed task removes it, unless it says else. */
export function startCreation<K extends CloudRowKind>(
  world: World,
  mutation: Mutation,
  { rows, row, data, locked = [], failed = [removalOf(rows, row.id)], ...change }: Creation<K>,
): string {
  const { id } = row;
  const collections: Collections = world;
  collections[rows].insert(row);
  const taskId = startChange(world, mutation, {
    ...change,
    data: world.echoTags ? data : withoutTags(data),
    locked: [{ rows, id }, ...locked],
    failed,
  });
  world[rows].merge(id, { creatorTaskId: taskId });
  return taskId;
}

function withoutTags(data: Change['data']): Change['data'] {
  return Object.fromEntries(Object.entries(data).filter(([field]) => field !== 'tags'));
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
