import { TaskType } from '../../contract/wire/tasks.js';
import { isProfilePlan, settleProfileTask } from './settle-profile-task.js';
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
  const due = world.tasks.filter((task) => !task.settled && task.endsAt <= now);
  for (const task of due.sort((a, b) => a.endsAt - b.endsAt)) {
    if (isProfilePlan(task.plan)) settleProfileTask(world, { ...task, plan: task.plan });
    else if ('done' in task.plan) finishChange(world, task.plan, task.failure !== null);
    else if (isAction(task.plan)) finishAction(world, { ...task, plan: task.plan });
    else settleTask(world, { ...task, plan: task.plan });
    world.tasks.update(task.id, { settled: true });
  }
}

function settleTask(
  world: World,
  { plan, failure }: Pick<TaskEntity, 'failure'> & { plan: InstancePlan },
): void {
  switch (plan.kind) {
    case TaskType.createVm:
    case TaskType.createBasicVm:
      if (failure) failCreation(world, plan, failure.leftovers);
      else finishCreation(world, plan);
      break;
    case TaskType.deleteVm:
      if (failure) keepInstance(world, plan);
      else removeInstance(world, plan);
      break;
  }
}

/** Releases the rows that still exist, and changes them as the plan says. */
function finishChange(
  world: World,
  { locked, done, failed }: ChangePlan,
  hasFailed: boolean,
): void {
  for (const { rows, id } of locked) {
    if (world[rows].get(id) !== undefined) world[rows].merge(id, { taskId: null });
  }
  for (const { rows, id, change } of hasFailed ? failed : done) {
    if (change === null) world[rows].delete(id);
    else world[rows].merge(id, change);
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
    stale,
    ...(failure === null ? after : before),
  });
}

function finishCreation(world: World, plan: CreatePlan): void {
  world.instances.update(plan.instanceId, { status: 'ACTIVE', taskId: null });
  unlockAttached(world, plan);
}

function unlockAttached(world: World, plan: CreatePlan): void {
  for (const id of [...plan.volumeIds, ...plan.existingVolumeIds]) {
    world.volumes.update(id, { status: 'in-use', taskId: null });
  }
  for (const id of [...plan.floatingIpIds, ...plan.existingFloatingIpIds]) {
    world.floatingIps.update(id, { taskId: null });
  }
}

function failCreation(world: World, plan: CreatePlan, leftovers: TaskFailure['leftovers']): void {
  if (leftovers === 'instance') {
    world.instances.update(plan.instanceId, { status: 'ERROR', taskId: null });
    unlockAttached(world, plan);
    return;
  }
  if (leftovers === 'apart') {
    world.instances.update(plan.instanceId, { status: 'ERROR', taskId: null, volumes: [] });
  } else world.instances.delete(plan.instanceId);
  for (const id of plan.floatingIpIds) world.floatingIps.delete(id);
  for (const id of plan.existingFloatingIpIds) detachFloatingIp(world, id);
  for (const id of plan.existingVolumeIds) detachVolume(world, id);
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
}

function removeInstance(world: World, plan: DeletePlan): void {
  for (const id of plan.volumeIds) world.volumes.delete(id);
  for (const id of plan.floatingIpIds) world.floatingIps.delete(id);
  const isAttached = (row: { instanceId: string | null }) => row.instanceId === plan.instanceId;
  for (const { id } of world.volumes.filter(isAttached)) detachVolume(world, id);
  for (const row of world.floatingIps.filter(isAttached)) {
    // Keeps the lock: a deletion of the floating IP itself may be running.
    world.floatingIps.update(row.id, { instanceId: null, portId: null, fixedIpAddress: null });
  }
  world.instances.delete(plan.instanceId);
}

function detachVolume(world: World, id: string): void {
  world.volumes.update(id, { status: 'available', taskId: null, instanceId: null });
}

function detachFloatingIp(world: World, id: string): void {
  world.floatingIps.update(id, {
    taskId: null,
    instanceId: null,
    portId: null,
    fixedIpAddress: null,
  });
}
