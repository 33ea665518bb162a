import { orUndefinedIfGone } from '../engine/failures.js';
import type { StepRecorder } from '../engine/ledger.js';
import type { Run } from '../engine/run.js';
import { createPause, waitForTasks } from '../engine/wait-for-tasks.js';
import { findMade, toResources, type Made } from './made-resources.js';

/**
 * Removes what one create request made: instances, the volumes made with them (they outlive an
 * instance by default and go on costing) and floating IPs.
 *
 * First waits for the tasks of the create: the API cannot cancel a task. Then deletes until a pass
 * finds nothing more: a pass in which every delete says "not found" and the lists are empty is the
 * proof. Volumes that existed before carry no marker and are never touched.
 */
export async function removeInstance(
  run: Run,
  step: StepRecorder,
  taskIds: readonly string[],
): Promise<void> {
  await waitForTasks(run, taskIds, { step, expect: 'create_vm' });
  const pause = createPause(run, { name: 'removal of the instance', type: 'list of the API' });
  for (;;) {
    const started = await removeOnce(run, step, taskIds);
    if (started === 0) return;
    await pause();
  }
}

/** One pass; returns how many deletes the API took on. */
async function removeOnce(
  run: Run,
  step: StepRecorder,
  createTaskIds: readonly string[],
): Promise<number> {
  const made = await findMade(run, createTaskIds);
  step.set(step.state, { resources: toResources(made) });
  const instanceTasks = await deleteInstances(run, made);
  await waitForTasks(run, instanceTasks, { step, expect: 'delete_vm' });
  const restTasks = await deleteRest(run, made);
  await waitForTasks(run, restTasks, { step, expect: 'delete_volume' });
  return instanceTasks.length + restTasks.length;
}

async function deleteInstances(
  run: Run,
  made: Awaited<ReturnType<typeof findMade>>,
): Promise<string[]> {
  const { projectId, regionId } = run.plan;
  const api = run.api.repeatable;
  const started: string[] = [];
  for (const instanceId of made.instanceIds) {
    const instance =
      made.listed.find(({ id }) => id === instanceId) ??
      (await orUndefinedIfGone(api.getInstance({ projectId, regionId, instanceId })));
    if (instance === undefined) continue;
    const { taskIds } = await api.deleteInstance({
      projectId,
      regionId,
      instanceId,
      volumeIds: instance.volumeIds.filter((id) => made.volumeIds.includes(id)),
      floatingIpIds: made.floatingIpIds,
    });
    started.push(...taskIds);
  }
  return started;
}

/** What did not go with its instance. A delete of something that is gone starts no task. */
async function deleteRest(run: Run, { volumeIds, floatingIpIds }: Made): Promise<string[]> {
  const { projectId, regionId } = run.plan;
  const api = run.api.repeatable;
  const started: string[] = [];
  for (const volumeId of volumeIds) {
    started.push(...(await api.deleteVolume({ projectId, regionId, volumeId })).taskIds);
  }
  for (const floatingIpId of floatingIpIds) {
    started.push(...(await api.deleteFloatingIp({ projectId, regionId, floatingIpId })).taskIds);
  }
  return started;
}
