import type { InstanceView } from '../../activities/instances.js';
import { FailureType } from '../../contract/failures.js';
import { failureTypeOf } from '../engine/failures.js';
import type { StepRecorder } from '../engine/ledger.js';
import type { Run } from '../engine/run.js';
import { createPause, waitForTasks, type TaskOutcome } from '../engine/wait-for-tasks.js';

/** What is to be removed: everything under the run's marker, and what its tasks named. */
interface Targets {
  instanceIds: string[];
  volumeIds: string[];
  floatingIpIds: string[];
}

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
  const creates = await waitForTasks(run, taskIds, { step, expect: 'create_vm' });
  const pause = createPause(run, { name: 'removal of the instance', type: 'list of the API' });
  for (;;) {
    const started = await removeOnce(run, step, creates);
    if (started === 0) return;
    await pause();
  }
}

/** One pass; returns how many deletes the API took on. */
async function removeOnce(
  run: Run,
  step: StepRecorder,
  creates: readonly TaskOutcome[],
): Promise<number> {
  const { projectId, regionId, marker } = run.plan;
  const place = { projectId, regionId };
  const { repeatable: api } = run.api;
  const listed = await api.listInstances({ ...place, marker });
  const targets = toTargets(listed, await api.listVolumes({ ...place, marker }), creates);

  const instanceTasks: string[] = [];
  for (const instanceId of targets.instanceIds) {
    const instance = listed.find(({ id }) => id === instanceId) ?? (await find(run, instanceId));
    if (instance === undefined) continue;
    const volumeIds = instance.volumeIds.filter((id) => targets.volumeIds.includes(id));
    const { taskIds } = await api.deleteInstance({
      ...place,
      instanceId,
      volumeIds,
      floatingIpIds: targets.floatingIpIds,
    });
    instanceTasks.push(...taskIds);
  }
  await waitForTasks(run, instanceTasks, { step, expect: 'delete_vm' });

  const restTasks: string[] = [];
  for (const volumeId of targets.volumeIds) {
    restTasks.push(...(await api.deleteVolume({ ...place, volumeId })).taskIds);
  }
  for (const floatingIpId of targets.floatingIpIds) {
    restTasks.push(...(await api.deleteFloatingIp({ ...place, floatingIpId })).taskIds);
  }
  await waitForTasks(run, restTasks, { step, expect: 'delete_volume' });
  return instanceTasks.length + restTasks.length;
}

function toTargets(
  listed: readonly InstanceView[],
  volumeIds: readonly string[],
  creates: readonly TaskOutcome[],
): Targets {
  const created = creates.map((task) => task.created);
  return {
    instanceIds: unique([
      ...listed.map((instance) => instance.id),
      ...created.flatMap((item) => item.instances),
    ]),
    volumeIds: unique([...volumeIds, ...created.flatMap((item) => item.volumes)]),
    floatingIpIds: unique(created.flatMap((item) => item.floatingIps)),
  };
}

async function find(run: Run, instanceId: string): Promise<InstanceView | undefined> {
  const { projectId, regionId } = run.plan;
  try {
    return await run.api.repeatable.getInstance({ projectId, regionId, instanceId });
  } catch (error) {
    if (failureTypeOf(error) === FailureType.notFound) return undefined;
    throw error;
  }
}

function unique(ids: readonly string[]): string[] {
  return [...new Set(ids)];
}
