import type { DeleteInstanceResult } from '../../../contract/operations/types.js';
import { StepState } from '../../../engine/core/status.js';
import type { StepRecorder } from '../../../engine/run/ledger.js';
import type { AssertInput } from '../../../engine/run/restart-on-corrected-input.js';
import { DeleteStep, type DeleteRun, type FoundInstance } from './delete-run.js';
import {
  deletionOfFloatingIp,
  deletionOfInstance,
  deletionOfVolume,
  type Deletion,
} from './deletions.js';
import { deleteUntilGone, type Deleting } from './delete-until-gone.js';
import { createLeftResources } from './left-resources.js';
import { createLookAtAll } from './look-at-all.js';

/**
 * Deletes the instance, then its chosen volumes and floating IPs, and looks at each of them again at the
 * end. The API deletes attached volumes together with the instance where it can.
 */
export async function deleteAll(
  run: DeleteRun,
  found: FoundInstance,
  assertInput: AssertInput,
): Promise<Pick<DeleteInstanceResult, 'deleted' | 'taskIds'>> {
  const { instance, volumeIds } = found;
  const ofInstance =
    instance === undefined ? [] : [deletionOfInstance(run, { ...found, instance })];
  const volumes = volumeIds.map((id) => deletionOfVolume(run, found, id));
  const floatingIps = found.floatingIps.map((item) => deletionOfFloatingIp(run, found, item));
  const all = [...ofInstance, ...volumes, ...floatingIps];
  const left = createLeftResources(run.ledger.step(DeleteStep.find));
  for (const { resource } of all) left.add(resource);
  const look = createLookAtAll(run, found);
  const deleting: Deleting = { left, taskIds: [], proven: new Set(), assertInput, look };
  const begin = async (name: DeleteStep): Promise<StepRecorder> => {
    const step = await run.begin(name);
    left.showIn(step);
    return step;
  };

  await deleteEach(run, await begin(DeleteStep.instance), {
    ...deleting,
    there: ofInstance,
    next: [...volumes, ...floatingIps],
  });
  const parts = await begin(DeleteStep.parts);
  // The API deletes most volumes with the instance.
  const others = await whatIsThere(parts, { ...deleting, deletions: volumes });
  await deleteEach(run, parts, {
    ...deleting,
    there: [...others, ...floatingIps],
    next: all,
    gone: volumes.length - others.length,
  });
  const verify = await begin(DeleteStep.verify);
  const there = await whatIsThere(verify, { ...deleting, deletions: all });
  await deleteEach(run, verify, { ...deleting, there, gone: all.length - there.length });
  return {
    deleted: {
      instance: ofInstance.length > 0,
      volumes: [...volumeIds],
      floatingIps: found.floatingIps.map(({ id }) => id),
    },
    taskIds: deleting.taskIds,
  };
}

/** One look at all of them, which are probably gone. Gives those that it shows, and those that it does not prove to be gone. */
async function whatIsThere(
  step: StepRecorder,
  { deletions, left, look, proven }: Deleting & { deletions: readonly Deletion[] },
): Promise<Deletion[]> {
  step.set(StepState.waiting);
  const { state: parts } = await look.at(deletions);
  const seen = await Promise.all(deletions.map(async (deletion) => deletion.judge(parts)));
  return deletions.filter(({ resource }, index) => {
    const isGone = seen[index] === undefined && proven.has(resource.id);
    if (isGone) left.remove(resource);
    else left.add(resource);
    return !isGone;
  });
}

interface Each {
  there: readonly Deletion[];
  /** What the look after the last of them shows too. */
  next?: readonly Deletion[];
  /** How many are gone already. */
  gone?: number;
}

async function deleteEach(
  run: DeleteRun,
  step: StepRecorder,
  { there, next = [], gone = 0, ...deleting }: Deleting & Each,
): Promise<void> {
  step.set(StepState.waiting);
  for (const deletion of there) {
    const isLast = deletion === there.at(-1);
    await deleteUntilGone(run, step, { ...deleting, deletion, next: isLast ? next : [] });
  }
  deleting.assertInput();
  const count = gone + there.length;
  const note = count === 0 ? 'nothing to delete' : `${count} verified as gone`;
  step.set(StepState.verified, { note });
}
