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
  const deleting: Deleting = { left, taskIds: [], assertInput };
  const begin = async (name: DeleteStep): Promise<StepRecorder> => {
    const step = await run.begin(name);
    left.showIn(step);
    return step;
  };

  await deleteEach(run, await begin(DeleteStep.instance), { ...deleting, deletions: ofInstance });
  const parts = [...volumes, ...floatingIps];
  await deleteEach(run, await begin(DeleteStep.parts), { ...deleting, deletions: parts });
  await deleteEach(run, await begin(DeleteStep.verify), { ...deleting, deletions: all });
  return {
    deleted: {
      instance: ofInstance.length > 0,
      volumes: [...volumeIds],
      floatingIps: found.floatingIps.map(({ id }) => id),
    },
    taskIds: deleting.taskIds,
  };
}

async function deleteEach(
  run: DeleteRun,
  step: StepRecorder,
  { deletions, ...deleting }: Deleting & { deletions: readonly Deletion[] },
): Promise<void> {
  step.set(StepState.waiting);
  for (const deletion of deletions) {
    await deleteUntilGone(run, step, { ...deleting, deletion });
  }
  deleting.assertInput();
  const note =
    deletions.length === 0 ? 'nothing to delete' : `${deletions.length} verified as gone`;
  step.set(StepState.verified, { note });
}
