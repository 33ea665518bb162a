import { TaskType } from '../../contract/wire/tasks.js';
import { isProfilePlan, settleProfileTask } from './settle-profile-task.js';
import { findProfile, moveReservedIp, snapshotsOf } from './relations.js';
import type { TaskEntity } from './rows.js';
import type {
  ChangePlan,
  CreatePlan,
  InstanceAction,
  TaskFailure,
  TaskPlan,
} from './task-entities.js';
import type { World } from './world.js';

type DeletePlan = Extract<TaskPlan, { kind: typeof TaskType.deleteVm }>;

type InstancePlan = CreatePlan | DeletePlan;

function isAction(plan: TaskPlan): plan is InstanceAction {
  return 'before' in plan;
}

/** Applies every task that is due, in the order of their ends. There are no timers: each request calls this. */
export function settleTasks(world: World): void {
  const now = world.now();
  if (now < world.nextEnd.at()) return;
  const due = world.tasks.filter((task) => !task.settled && task.endsAt <= now);
  for (const task of due.sort((a, b) => a.endsAt - b.endsAt)) {
    if (isProfilePlan(task.plan)) settleProfileTask(world, { ...task, plan: task.plan });
    else if ('done' in task.plan) finishChange(world, { ...task, plan: task.plan });
    else if (isAction(task.plan)) finishAction(world, { ...task, plan: task.plan });
    else settleTask(world, { ...task, plan: task.plan });
    world.tasks.update(task.id, { settled: true });
  }
  const left = world.tasks.filter((task) => !task.settled);
  world.nextEnd.set(left.reduce((first, { endsAt }) => Math.min(first, endsAt), Infinity));
}

function settleTask(
  world: World,
  { plan, failure, endsAt }: Pick<TaskEntity, 'failure' | 'endsAt'> & { plan: InstancePlan },
): void {
  switch (plan.kind) {
    case TaskType.createVm:
    case TaskType.createBasicVm:
      if (failure) failCreation(world, plan, { leftovers: failure.leftovers, endsAt });
      else finishCreation(world, plan, endsAt);
      break;
    case TaskType.deleteVm:
      if (failure) keepInstance(world, plan);
      else removeInstance(world, plan);
      break;
  }
}

/** Changes rows as the plan says, and releases them. Rows can be gone: they went with what they belonged to. */
function finishChange(
  world: World,
  { plan, failure, endsAt }: Pick<TaskEntity, 'failure' | 'endsAt'> & { plan: ChangePlan },
): void {
  for (const { rows, id } of plan.locked) {
    if (world[rows].get(id) !== undefined) {
      world[rows].merge(id, { taskId: null, updatedAt: endsAt });
    }
  }
  for (const { rows, id, change } of failure === null ? plan.done : plan.failed) {
    if (change === null) world[rows].delete(id);
    else if (world[rows].get(id) !== undefined) world[rows].merge(id, change);
  }
}

/** A failed action leaves the instance as it was before. */
function finishAction(
  world: World,
  { plan, failure, endsAt }: Pick<TaskEntity, 'failure' | 'endsAt'> & { plan: InstanceAction },
): void {
  const { before, after, lagMs } = plan;
  const stale = failure === null && lagMs > 0 ? { ...before, until: endsAt + lagMs } : null;
  world.instances.update(plan.instanceId, {
    taskId: null,
    updatedAt: endsAt,
    stale,
    ...(failure === null ? after : before),
  });
  if (failure === null && plan.activatesProfile) activateProfile(world, plan.instanceId);
}

function activateProfile(world: World, instanceId: string): void {
  const instance = world.instances.get(instanceId);
  const profile = instance && findProfile(world, instance);
  if (profile !== undefined) world.ddosProfiles.update(profile.id, { active: true });
}

function finishCreation(world: World, plan: CreatePlan, endsAt: number): void {
  world.instances.update(plan.instanceId, { status: 'ACTIVE', taskId: null, updatedAt: endsAt });
  unlockAttached(world, plan, endsAt);
}

function unlockAttached(world: World, plan: CreatePlan, endsAt: number): void {
  const released = { taskId: null, updatedAt: endsAt };
  for (const id of [...plan.volumeIds, ...plan.existingVolumeIds]) {
    world.volumes.update(id, { status: 'in-use', attachedAt: endsAt, ...released });
  }
  for (const id of [...plan.floatingIpIds, ...plan.existingFloatingIpIds]) {
    world.floatingIps.update(id, released);
  }
  for (const id of plan.reservedIpIds) world.reservedFixedIps.update(id, released);
}

function failCreation(
  world: World,
  plan: CreatePlan,
  { leftovers, endsAt }: { leftovers: TaskFailure['leftovers']; endsAt: number },
): void {
  if (leftovers === 'instance') {
    world.instances.update(plan.instanceId, { status: 'ERROR', taskId: null });
    unlockAttached(world, plan, endsAt);
    return;
  }
  if (leftovers === 'apart') {
    world.instances.update(plan.instanceId, { status: 'ERROR', taskId: null, volumes: [] });
  } else world.instances.delete(plan.instanceId);
  for (const id of plan.floatingIpIds) world.floatingIps.delete(id);
  for (const id of plan.existingFloatingIpIds) detachFloatingIp(world, id);
  for (const id of plan.existingVolumeIds) detachVolume(world, id);
  for (const id of plan.reservedIpIds) releaseReservedIp(world, id);
  for (const id of plan.volumeIds) {
    if (leftovers === 'volume' || leftovers === 'apart') {
      world.volumes.update(id, { status: 'error', taskId: null, instanceId: null });
    } else world.volumes.delete(id);
  }
}

/** A failed deletion only releases the locks. */
function keepInstance(world: World, plan: DeletePlan): void {
  world.instances.update(plan.instanceId, { taskId: null });
  for (const id of plan.volumeIds) world.volumes.update(id, { taskId: null });
  for (const id of plan.floatingIpIds) world.floatingIps.update(id, { taskId: null });
  for (const id of plan.reservedIpIds) world.reservedFixedIps.update(id, { taskId: null });
}

function removeInstance(world: World, plan: DeletePlan): void {
  for (const id of plan.volumeIds) {
    for (const snapshot of snapshotsOf(world, id)) world.snapshots.delete(snapshot.id);
    world.volumes.delete(id);
  }
  for (const id of plan.floatingIpIds) world.floatingIps.delete(id);
  for (const id of plan.reservedIpIds) world.reservedFixedIps.delete(id);
  const isAttached = (row: { instanceId: string | null }) => row.instanceId === plan.instanceId;
  for (const { id } of world.volumes.filter(isAttached)) detachVolume(world, id);
  for (const { id } of world.reservedFixedIps.filter(isAttached)) releaseReservedIp(world, id);
  for (const row of world.floatingIps.filter(isAttached)) {
    // Keeps the lock: a deletion of the floating IP itself may be running.
    world.floatingIps.update(row.id, { instanceId: null, portId: null, fixedIpAddress: null });
  }
  world.instances.delete(plan.instanceId);
}

function releaseReservedIp(world: World, id: string): void {
  moveReservedIp(world, id, { taskId: null, instanceId: null });
}

function detachVolume(world: World, id: string): void {
  world.volumes.update(id, {
    status: 'available',
    taskId: null,
    instanceId: null,
    device: null,
    attachedAt: null,
  });
}

function detachFloatingIp(world: World, id: string): void {
  world.floatingIps.update(id, {
    taskId: null,
    instanceId: null,
    portId: null,
    fixedIpAddress: null,
  });
}
