import { patched } from '@temporalio/workflow';

import type { InstanceView, StartedRemoval } from '../../../activities/instances.js';
import type { Place } from '../../../contract/place.js';
import { orUndefinedIfGone } from '../../engine/run/failures.js';
import type { StepRecorder } from '../../engine/run/ledger.js';
import { Patch } from '../../engine/run/patches.js';
import type { MakerRun, Run } from '../../engine/run/run-types.js';
import { createPause, type Pause } from '../../engine/wait/create-pause.js';
import { waitForTasks } from '../../engine/wait/wait-for-tasks.js';
import {
  findAllMade,
  findMade,
  mergeMade,
  toResources,
  type MadeResources,
  type CreateRequest,
} from './made-resources.js';

/**
 * Removes what one create request made: instances, their new volumes (by default they outlive the
 * instance and keep costing money) and floating IPs.
 *
 * First waits for the tasks of the create, because the API cannot cancel a task. Then deletes until one
 * pass finds nothing: every delete answers "not found" and the lists are empty. Never touches volumes
 * that existed before: they carry no marker.
 */
export async function removeInstance(
  run: MakerRun,
  request: CreateRequest,
  { step, taskIds }: { step: StepRecorder; taskIds: readonly string[] },
): Promise<void> {
  await waitForTasks(run, taskIds, { step, expect: 'create_vm', unlimited: true });
  let pause: Pause | undefined;
  const isThorough = patched(Patch.thoroughRemoval);
  let made = await (isThorough ? findAllMade : findMade)(run, request, taskIds);
  for (;;) {
    step.set(step.state, { resources: toResources(made) });
    const started = await removeOnce(run, step, { place: request.place, made });
    if (started === 0) return;
    // The wait counts from the end of the first pass, because an outage may have made that pass long.
    pause ??= createPause(run, { name: 'removal of the instance', type: 'list of the API' });
    await pause();
    const found = await findMade(run, request, taskIds);
    made = isThorough ? mergeMade(found, made) : found;
  }
}

interface Removal {
  place: Place;
  made: MadeResources & { listed: InstanceView[] };
}

/** One pass. Returns the number of deletes that the API accepted or postponed. */
async function removeOnce(run: Run, step: StepRecorder, removal: Removal): Promise<number> {
  const instances = await deleteInstances(run, step, removal);
  await waitForTasks(run, taskIdsOf(instances), { step, expect: 'delete_vm' });
  const rest = await deleteRest(run, removal);
  await waitForTasks(run, taskIdsOf(rest), { step, expect: 'delete_volume' });
  const all = [...instances, ...rest];
  return taskIdsOf(all).length + all.filter(({ isBusy }) => isBusy === true).length;
}

function taskIdsOf(removals: readonly StartedRemoval[]): string[] {
  return removals.flatMap(({ taskIds }) => taskIds);
}

async function deleteInstances(
  run: Run,
  step: StepRecorder,
  { place, made }: Removal,
): Promise<StartedRemoval[]> {
  const { reads, deletes } = run.api;
  const started: StartedRemoval[] = [];
  for (const instanceId of made.instanceIds) {
    const instance =
      made.listed.find(({ id }) => id === instanceId) ??
      (await orUndefinedIfGone(reads.getInstance({ ...place, instanceId })));
    if (instance === undefined) continue;
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
    started.push(removal);
  }
  return started;
}

/** Deletes what did not go with its instance. A delete of a missing resource starts no task. */
async function deleteRest(run: Run, { place, made }: Removal): Promise<StartedRemoval[]> {
  const { deletes } = run.api;
  const started: StartedRemoval[] = [];
  for (const volumeId of made.volumeIds) {
    await run.controls.untilUnpaused();
    started.push(await deletes.deleteVolume({ ...place, volumeId }));
  }
  for (const floatingIpId of made.floatingIpIds) {
    await run.controls.untilUnpaused();
    started.push(await deletes.deleteFloatingIp({ ...place, floatingIpId }));
  }
  return started;
}
