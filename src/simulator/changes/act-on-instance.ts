import { z } from 'zod';

import { TaskType } from '../../contract/wire/tasks.js';
import { conflictError, validationError } from '../http/cloud-error.js';
import { parseRequest } from '../http/request-body.js';
import { findFlavor } from '../state/catalog.js';
import type { InstanceEntity } from '../state/rows.js';
import { type Mutation, newId, startTask } from '../state/start-task.js';
import type { ActionTask } from '../state/task-entities.js';
import type { World } from '../state/world.js';
import { refuseLocked } from './refuse-locked.js';

type Status = InstanceEntity['status'];

interface Action {
  task: ActionTask;
  /** The API refuses the action in any other status. */
  from: readonly Status[];
  /** While the task goes on. */
  during?: Status;
  to: Status;
}

type ActionName = 'start' | 'stop' | 'reboot' | 'reboot_hard' | 'suspend' | 'resume';

const ACTIONS: Readonly<Record<ActionName, Action>> = {
  start: { task: TaskType.startVm, from: ['SHUTOFF'], to: 'ACTIVE' },
  stop: { task: TaskType.stopVm, from: ['ACTIVE', 'ERROR'], to: 'SHUTOFF' },
  reboot: { task: TaskType.softRebootVm, from: ['ACTIVE'], during: 'REBOOT', to: 'ACTIVE' },
  reboot_hard: {
    task: TaskType.hardRebootVm,
    from: ['ACTIVE', 'ERROR', 'SHUTOFF'],
    during: 'HARD_REBOOT',
    to: 'ACTIVE',
  },
  suspend: { task: 'suspend_vm', from: ['ACTIVE'], to: 'SUSPENDED' },
  resume: { task: 'resume_vm', from: ['SUSPENDED'], to: 'ACTIVE' },
};

const actionBodySchema = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('start'), activate_profile: z.boolean().nullish() }),
  z.strictObject({ action: z.enum(['stop', 'reboot', 'reboot_hard', 'suspend', 'resume']) }),
]);

interface Request {
  json: unknown;
  mutation: Mutation;
}

/** `POST /cloud/v2/instances/{project_id}/{region_id}/{instance_id}/action`. Returns the id of its task. */
export function actOnInstance(
  world: World,
  instance: Readonly<InstanceEntity>,
  { json, mutation }: Request,
): string {
  const body = parseRequest(world, actionBodySchema, json);
  const { action } = body;
  const { task, from, during = instance.status, to } = ACTIONS[action];
  if (!from.includes(instance.status)) {
    throw conflictError(`Cannot ${action} instance ${instance.id} while it is ${instance.status}`);
  }
  const activatesProfile = body.action === 'start' && body.activate_profile === true;
  const started = { task, during, after: { status: to }, mutation, activatesProfile };
  return startAction(world, instance, started);
}

const resizeBodySchema = z.strictObject({ flavor_id: z.string() });

/** `POST /cloud/v1/instances/{project_id}/{region_id}/{instance_id}/changeflavor`. Returns the id of its task. */
export function changeFlavor(
  world: World,
  instance: Readonly<InstanceEntity>,
  { json, mutation }: Request,
): string {
  const { flavor_id: flavorId } = parseRequest(world, resizeBodySchema, json);
  if (findFlavor(flavorId) === undefined) {
    throw validationError([{ path: 'flavor_id', message: `There is no flavor ${flavorId}` }]);
  }
  const during = instance.status === 'ACTIVE' ? 'RESIZE' : instance.status;
  const after = { flavorId };
  return startAction(world, instance, { task: TaskType.resizeVm, during, after, mutation });
}

interface Started {
  task: ActionTask;
  during: Status;
  after: Partial<Pick<InstanceEntity, 'status' | 'flavorId'>>;
  mutation: Mutation;
  activatesProfile?: boolean;
}

function startAction(
  world: World,
  { id: instanceId, status, flavorId, taskId }: Readonly<InstanceEntity>,
  { task: kind, during, after, mutation, activatesProfile = false }: Started,
): string {
  refuseLocked('Instance', { id: instanceId, taskId });
  const before = { status, flavorId };
  const id = newId();
  world.instances.update(instanceId, { taskId: id, status: during });
  return startTask(world, mutation, {
    id,
    data: world.namesInstance ? { instance_id: instanceId } : {},
    plan: {
      kind,
      instanceId,
      before,
      after: { ...before, ...after },
      lagMs: mutation.effects.listLagMs ?? 0,
      activatesProfile,
    },
  });
}
