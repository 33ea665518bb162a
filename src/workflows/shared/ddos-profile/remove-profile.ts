import type { DdosProfileView } from '../../../activities/ddos-profiles.js';
import { listsSettledAt } from '../../engine/wait/lists-settled-at.js';
import { lookUntilGraceEnds } from '../../engine/wait/look-until.js';
import type { StepRecorder } from '../../engine/run/ledger.js';
import type { Run } from '../../engine/run/run-types.js';
import { createPause } from '../../engine/wait/create-pause.js';
import { waitForTasks } from '../../engine/wait/wait-for-tasks.js';
import { listProfiles, toResource } from './ddos-run.js';
import { untilProfileSettles, type ProfileTarget } from './profile-changes.js';

/** The profiles of an address that one run made. */
export interface MadeProfiles {
  place: ProfileTarget['place'];
  sent: ProfileTarget['sent'];
  /** Ids that its create task named. */
  ids: () => readonly number[];
  /** Whether the profile was not made by this run, so that it stays. */
  isForeign: (profile: DdosProfileView) => boolean;
}

/** Waits for the tasks, removes the profiles that the run made, and verifies that they are gone. */
export async function removeProfiles(
  run: Run,
  step: StepRecorder,
  { made, taskIds }: { made: MadeProfiles; taskIds: readonly string[] },
): Promise<void> {
  const { place, sent } = made;
  await waitForTasks(run, taskIds, { step, expect: 'create_ddos_profile', unlimited: true });
  await untilProfileSettles(run, step, { place, sent, profileId: 0 });
  const pause = createPause(run, { name: 'removal of the profile', type: 'list of the API' });
  for (;;) {
    const ids = await findMadeProfiles(run, made, taskIds);
    step.set(step.state, { resources: ids.map(toResource) });
    if (!(await deleteAll(run, step, { made, ids }))) return;
    await pause();
    run.ledger.setWaiting(undefined);
  }
}

/** One pass. Returns true while something still existed: a delete of a missing profile starts no task. */
async function deleteAll(
  run: Run,
  step: StepRecorder,
  { made, ids }: { made: MadeProfiles; ids: readonly number[] },
): Promise<boolean> {
  const { projectId, regionId, address } = made.place;
  let hasFound = false;
  for (const profileId of ids) {
    await run.controls.untilUnpaused();
    const options = { summary: `remove profile ${profileId} of ${address}` };
    const { taskIds, isBusy } = await run.api.deletes.deleteDdosProfile.executeWithOptions(
      options,
      [{ projectId, regionId, profileId }],
    );
    await waitForTasks(run, taskIds, { step, expect: 'delete_ddos_profile' });
    hasFound ||= taskIds.length > 0 || isBusy === true;
  }
  return hasFound;
}

/**
 * Ids of the profiles that the run made and that may still exist. A task that failed, or that the API
 * has forgotten, does not say what it made, and lists lag. Then nothing counts as absent before the
 * grace time is over.
 */
export async function findMadeProfiles(
  run: Run,
  { place, ids, isForeign }: MadeProfiles,
  taskIds: readonly string[],
): Promise<number[]> {
  const created = taskIds.flatMap((id) => run.tasks.get(id)?.outcome?.created.ddosProfiles ?? []);
  const name = 'what a failed create may have left to show';
  const until = listsSettledAt(run, taskIds);
  return lookUntilGraceEnds(run, { name, until }, async (isSure) => {
    const listed = await listProfiles(run, place);
    const mine = listed.filter((profile) => !isForeign(profile)).map(({ id }) => id);
    return isSure || mine.length > 0 ? [...new Set([...ids(), ...created, ...mine])] : undefined;
  });
}
