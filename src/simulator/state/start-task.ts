import { randomUUID } from 'node:crypto';

import { TaskType } from '../../contract/wire/tasks.js';
import { CHANGE_TASK_SECONDS } from './change-tasks.js';
import type { TaskEntity } from './rows.js';
import { seededFraction } from './seeded-fraction.js';
import type { TaskFailure, TaskPlan } from './task-entities.js';
import type { World } from './world.js';

/** Changes that fault rules make to the effect of one request. */
export interface Effects {
  taskError?: TaskFailure;
  listLagMs?: number;
  taskLagMs?: number;
  /** Maximum number of items that a batch creates. */
  maxItems?: number;
  /** Factor on the duration of the task. */
  taskFactor?: number;
}

/** One mutation: its scope, the id of its HTTP request and the effects of its faults. */
export interface Mutation {
  projectId: number;
  regionId: number;
  requestId: string;
  effects: Effects;
}

/** The deletion of a project has no region. */
export type TaskOrigin = Omit<Mutation, 'regionId'> & Pick<TaskEntity, 'regionId'>;

/** Shortest and longest seconds at a time scale of 1. */
const DURATION_SECONDS: Record<TaskPlan['kind'], readonly [number, number]> = {
  ...CHANGE_TASK_SECONDS,
  [TaskType.createVm]: [15, 30],
  [TaskType.createBasicVm]: [15, 30],
  [TaskType.deleteVm]: [15, 40],
  [TaskType.resizeVm]: [15, 40],
  [TaskType.startVm]: [5, 10],
  [TaskType.stopVm]: [5, 10],
  [TaskType.softRebootVm]: [5, 15],
  [TaskType.hardRebootVm]: [5, 15],
  suspend_vm: [5, 10],
  resume_vm: [5, 10],
  [TaskType.createProfile]: [5, 15],
  [TaskType.updateProfile]: [5, 15],
  [TaskType.activateProfile]: [5, 15],
  [TaskType.deactivateProfile]: [5, 15],
  [TaskType.deleteProfile]: [5, 15],
};

/** Share of its duration for which a task stays NEW. */
const QUEUED_SHARE = 0.1;

/** Starts a task. Its rows already have its id as their lock. Returns the id. */
export function startTask(
  world: World,
  mutation: TaskOrigin,
  task: { id: string; plan: TaskPlan; data: Record<string, unknown> },
): string {
  const now = world.now();
  const { taskFactor = 1 } = mutation.effects;
  const duration = nextDuration(world, DURATION_SECONDS[task.plan.kind]) * taskFactor;
  world.tasks.insert({
    ...task,
    projectId: mutation.projectId,
    regionId: mutation.regionId,
    createdAt: now,
    listedAt: now + (mutation.effects.taskLagMs ?? 0),
    startsAt: now + duration * QUEUED_SHARE,
    endsAt: now + duration,
    settled: false,
    requestId: mutation.requestId,
    failure: mutation.effects.taskError ?? null,
  });
  return task.id;
}

/** The next seeded duration in milliseconds, between the shortest and the longest seconds. */
export function nextDuration(world: World, [shortest, longest]: readonly [number, number]): number {
  const seconds = shortest + (longest - shortest) * seededFraction(world.seed, world.nextNumber());
  return seconds * 1000 * world.timeScale;
}

/** The time from which lists show the new resources of this mutation. */
export function listedAt(world: World, mutation: Mutation): number {
  return world.now() + (mutation.effects.listLagMs ?? 0);
}

export function newId(): string {
  return randomUUID();
}
