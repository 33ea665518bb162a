import { patched } from '@temporalio/workflow';

import type { InstanceView, StartedRemoval } from '../../../activities/instances.js';
import type { Place } from '../../../contract/place.js';
import type { Resource } from '../../../contract/resource.js';
import { ResourceKind } from '../../../contract/status.js';
import { TaskType } from '../../../contract/task-type.js';
import { orUndefinedIfGone } from '../../engine/run/failures.js';
import type { StepRecorder } from '../../engine/run/ledger.js';
import { Patch } from '../../engine/run/patches.js';
import type { MakerRun } from '../../engine/run/run-types.js';
import { causeOf, isGone, untilGone, type LeftResource } from '../../engine/send/until-gone.js';
import { waitForTasks } from '../../engine/wait/wait-for-tasks.js';
import {
  findAllMade,
  findMade,
  mergeMade,
  toResources,
  type MadeResources,
} from './made-resources.js';
import type { CreateRequest } from './create-request.js';

/**
 * Removes what this run made, with the leftovers of earlier runs: instances, their new volumes (by
 * default they outlive the instance and keep costing money) and floating IPs.
 *
 * First waits for the tasks of the create, because the API cannot cancel a task. Then deletes until one
 * pass finds nothing: the API knows none of them any more, and the lists are empty. Blocks as
 * `RemovalBlocked` when it gets no further.
 */
export async function removeInstance(
  run: MakerRun,
  request: CreateRequest,
  { step, taskIds }: { step: StepRecorder; taskIds: readonly string[] },
): Promise<void> {
  await waitForTasks(run, taskIds, { step, expect: TaskType.createVm, unlimited: true });
  const isThorough = patched(Patch.thoroughRemoval);
  let made = await (isThorough ? findAllMade : findMade)(run, request, taskIds);
  let passes = 0;
  await untilGone(run, 'removal of the instance', async () => {
    if (passes > 0) {
      const found = await findMade(run, request, taskIds);
      made = isThorough ? mergeMade(found, made) : found;
    }
    passes += 1;
    step.set(step.state, { resources: toResources(made) });
    return removeOnce(run, step, { place: request.place, made });
  });
}

interface Removal {
  place: Place;
  made: MadeResources & { listed: InstanceView[] };
}

/** One pass: deletes everything, and waits for the tasks. Returns what still existed. */
async function removeOnce(
  run: MakerRun,
  step: StepRecorder,
  removal: Removal,
): Promise<LeftResource[]> {
  const instances = await deleteInstances(run, step, removal);
  const left = await leftAfter(run, step, { started: instances, expect: TaskType.deleteVm });
  const rest = await deleteRest(run, removal);
  return [
    ...left,
    ...(await leftAfter(run, step, { started: rest, expect: TaskType.deleteVolume })),
  ];
}

interface StartedDelete {
  resource: Resource;
  removal: StartedRemoval;
  /** Why no delete was sent. */
  refusal?: string;
}

/** Waits for the tasks of the deletes. Only a delete of an unknown resource shows that it is gone. */
async function leftAfter(
  run: MakerRun,
  step: StepRecorder,
  { started, expect }: { started: readonly StartedDelete[]; expect: TaskType },
): Promise<LeftResource[]> {
  const taskIds = started.flatMap(({ removal }) => removal.taskIds);
  const tasks = await waitForTasks(run, taskIds, { step, expect });
  return started.flatMap(({ resource, removal, refusal }) => {
    if (isGone(run, removal)) return [];
    const cause = refusal ?? causeOf(removal, tasks);
    return [{ resource, ...(cause !== undefined && { cause }) }];
  });
}

async function deleteInstances(
  run: MakerRun,
  step: StepRecorder,
  { place, made }: Removal,
): Promise<StartedDelete[]> {
  const { reads, deletes } = run.api;
  const started: StartedDelete[] = [];
  for (const instanceId of made.instanceIds) {
    const instance =
      made.listed.find(({ id }) => id === instanceId) ??
      (await orUndefinedIfGone(reads.getInstance({ ...place, instanceId })));
    if (instance === undefined) continue;
    const resource = { kind: ResourceKind.instance, id: instanceId };
    const refusal = foreignBoundVolume(run, instance, made);
    if (refusal !== undefined) {
      started.push({ resource, removal: { taskIds: [] }, refusal });
      continue;
    }
    // While the lock task runs, the API refuses every change.
    const { lockTaskId } = instance;
    if (lockTaskId !== undefined) await waitForTasks(run, [lockTaskId], { step, expect: 'lock' });
    await run.controls.untilUnpaused();
    const removal = await deletes.deleteInstance({
      ...place,
      instanceId,
      // Names no floating IP: the API refuses the call when one is no longer attached.
      volumeIds: instance.volumeIds.filter((id) => made.volumeIds.includes(id)),
    });
    started.push({ resource, removal });
  }
  return started;
}

/** The API deletes a volume with `delete_on_termination` together with its instance, whoever made it. */
function foreignBoundVolume(
  { prepared }: MakerRun,
  { boundVolumeIds = [] }: InstanceView,
  made: MadeResources,
): string | undefined {
  if (prepared.maker === undefined) return undefined;
  const foreign = boundVolumeIds.find((id) => !made.volumeIds.includes(id));
  return foreign && `its delete would take volume ${foreign}, which the run did not make`;
}

/** Deletes what did not go with its instance. */
async function deleteRest(run: MakerRun, { place, made }: Removal): Promise<StartedDelete[]> {
  const { deletes } = run.api;
  const started: StartedDelete[] = [];
  for (const id of made.volumeIds) {
    await run.controls.untilUnpaused();
    const removal = await deletes.deleteVolume({ ...place, volumeId: id });
    started.push({ resource: { kind: ResourceKind.volume, id }, removal });
  }
  for (const id of made.floatingIpIds) {
    await run.controls.untilUnpaused();
    const removal = await deletes.deleteFloatingIp({ ...place, floatingIpId: id });
    started.push({ resource: { kind: ResourceKind.floatingIp, id }, removal });
  }
  return started;
}
