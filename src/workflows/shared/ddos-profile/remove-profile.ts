import type { DdosProfileView } from '../../../activities/ddos-profiles.js';
import { listsSettledAt } from '../../engine/wait/lists-settled-at.js';
import { lookUntilGraceEnds } from '../../engine/wait/look-until.js';
import type { StepRecorder } from '../../engine/run/ledger.js';
import type { Run } from '../../engine/run/run-types.js';
import { createPause } from '../../engine/wait/create-pause.js';
import { waitForTasks } from '../../engine/wait/wait-for-tasks.js';
import { listProfiles, toResource } from './ddos-run.js';
import { untilQuiet, type OwnProfile } from './profile-changes.js';

/** What of the profiles of an address one run made. */
export interface MadeProfiles {
  place: OwnProfile['place'];
  sent: OwnProfile['sent'];
  /** What its create call made, as the task said. */
  ids: () => readonly number[];
  /** Profiles that were there before are nobody's to remove. */
  isForeign: (profile: DdosProfileView) => boolean;
}

/** Waits for the tasks, removes what the run made, and verifies that it is gone. */
export async function removeProfiles(
  run: Run,
  step: StepRecorder,
  { made, taskIds }: { made: MadeProfiles; taskIds: readonly string[] },
): Promise<void> {
  const { place, sent } = made;
  await waitForTasks(run, taskIds, { step, expect: 'create_ddos_profile', unlimited: true });
  await untilQuiet(run, step, { place, sent, profileId: 0 });
  const pause = createPause(run, { name: 'removal of the profile', type: 'list of the API' });
  for (;;) {
    const ids = await findMadeProfiles(run, made, taskIds);
    step.set(step.state, { resources: ids.map(toResource) });
    if (!(await deleteAll(run, step, { made, ids }))) return;
    await pause();
    run.ledger.setWaiting(undefined);
  }
}

/** One pass; true while something was still there. A delete of what is gone starts no task. */
async function deleteAll(
  run: Run,
  step: StepRecorder,
  { made, ids }: { made: MadeProfiles; ids: readonly number[] },
): Promise<boolean> {
  const { projectId, regionId, address } = made.place;
  let isThere = false;
  for (const profileId of ids) {
    await run.controls.clearance();
    const options = { summary: `remove profile ${profileId} of ${address}` };
    const { taskIds, isBusy } = await run.api.deletes.deleteDdosProfile.executeWithOptions(
      options,
      [{ projectId, regionId, profileId }],
    );
    await waitForTasks(run, taskIds, { step, expect: 'delete_ddos_profile' });
    isThere ||= taskIds.length > 0 || isBusy === true;
  }
  return isThere;
}

/**
 * Ids of what the run made and what may still exist. A task that failed, or that the API has
 * forgotten, does not say what it made, and lists lag: then nothing counts as absent before the
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
    const own = listed.filter((profile) => !isForeign(profile)).map(({ id }) => id);
    return isSure || own.length > 0 ? [...new Set([...ids(), ...created, ...own])] : undefined;
  });
}
