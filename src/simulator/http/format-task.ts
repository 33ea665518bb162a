import { CLIENT_ID } from '../state/catalog.js';
import { TaskState } from '../../engine/core/tasks.js';
import { TaskType } from '../../contract/wire/tasks.js';
import type { TaskEntity } from '../state/rows.js';
import type { World } from '../state/world.js';
import { toZoneless } from './wire-parts.js';

const USER_ID = 1;

/** The wire form of a task: every documented field. */
export type TaskObject = ReturnType<typeof formatTask>;

export function formatTask(world: World, task: Readonly<TaskEntity>) {
  const state = taskState(world, task);
  const { acknowledgedAt = null } = task;
  const changedAt = { NEW: task.createdAt, RUNNING: task.startsAt };
  return {
    id: task.id,
    task_type: task.plan.kind,
    state,
    error: task.settled ? (task.failure?.error ?? null) : null,
    created_resources: namedResources(world, task, state),
    data: task.data,
    created_on: toZoneless(task.createdAt),
    updated_on: toZoneless(state === 'NEW' || state === 'RUNNING' ? changedAt[state] : task.endsAt),
    finished_on: task.settled ? toZoneless(task.endsAt) : null,
    project_id: task.projectId,
    region_id: task.regionId,
    request_id: task.requestId,
    user_id: USER_ID,
    client_id: CLIENT_ID,
    user_client_id: CLIENT_ID,
    detailed_state: null,
    job_id: null,
    schedule_id: null,
    lifecycle_policy_id: null,
    acknowledged_at: acknowledgedAt === null ? null : toZoneless(acknowledgedAt),
    acknowledged_by: acknowledgedAt === null ? null : USER_ID,
  };
}

export function taskState(world: World, task: Readonly<TaskEntity>) {
  if (task.settled) return task.failure ? TaskState.error : TaskState.finished;
  return world.now() >= task.startsAt ? TaskState.running : TaskState.new;
}

function namedResources(
  world: World,
  task: Readonly<TaskEntity>,
  state: ReturnType<typeof taskState>,
) {
  if (state === TaskState.finished) return createdResources(task);
  if (state !== TaskState.error || !world.namesLeftovers) return null;
  const made = Object.entries(createdResources(task) ?? {});
  const left = made.map(([kind, ids]) => [kind, ids.filter((id) => isThere(world, id))] as const);
  return left.some(([, ids]) => ids.length > 0) ? Object.fromEntries(left) : null;
}

function isThere(world: World, id: string | number): boolean {
  const { instances, volumes, floatingIps, snapshots, ddosProfiles } = world;
  const kinds = [instances, volumes, floatingIps, snapshots, ddosProfiles];
  return kinds.some((rows) => rows.get(String(id)) !== undefined);
}

function createdResources({
  plan,
}: Readonly<TaskEntity>): Record<string, (string | number)[]> | null {
  if (plan.kind === TaskType.createProfile) return { ddos_profiles: [Number(plan.profileId)] };
  if ('done' in plan) return Object.keys(plan.created).length === 0 ? null : plan.created;
  if (!('existingVolumeIds' in plan)) return null;
  return {
    instances: [plan.instanceId],
    volumes: plan.volumeIds,
    floatingips: plan.floatingIpIds,
    networks: [],
  };
}
