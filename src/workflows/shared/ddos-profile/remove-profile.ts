import type { Unblock } from '../../../engine/run/park-while-blocked.js';
import type { DdosProfileView } from '../../../activities/ddos-profiles.js';
import { TaskType } from '../../../contract/wire/tasks.js';
import { listsSettledAt } from '../../../engine/wait/wait-until.js';
import { lookUntilGraceEnds } from '../../../engine/wait/look-until.js';
import type { StepRecorder } from '../../../engine/run/ledger.js';
import type { MarkedRun, Run, TaskOutcome } from '../../gcore.js';
import {
  attemptDelete,
  isGone,
  leftBehind,
  untilGone,
  type LeftResource,
} from '../../../engine/send/until-gone.js';
import { waitForTasks } from '../../../engine/wait/wait-for-tasks.js';
import { listProfiles, toResource } from './ddos-run.js';
import { untilProfileSettles, type ProfileTarget } from './profile-changes.js';

/** The profiles of an address that one run made. */
export interface MadeProfiles {
  place: ProfileTarget['place'];
  sent: ProfileTarget['sent'];
  /** Ids that its create task named. */
  ids: () => readonly number[];
  /** The ids are all that there can be: a list would add nothing. */
  isKnown?: boolean;
  /** Whether the profile was not made by this run, so that it stays. */
  isForeign: (profile: DdosProfileView) => boolean;
}

/**
 * Waits for the tasks, removes the profiles that the run made, and verifies that they are gone. Blocks
 * as `RemovalBlocked` when it gets no further.
 */
export async function removeProfiles(
  run: MarkedRun,
  step: StepRecorder,
  { made, taskIds }: { made: MadeProfiles; taskIds: readonly string[] },
): Promise<void> {
  const { place, sent } = made;
  await waitForTasks(run, taskIds, { step, expect: TaskType.createProfile, unlimited: true });
  await untilProfileSettles(run, step, { place, sent, profileId: 0 });
  await untilGone(run, 'removal of the profile', async (unblock) => {
    const ids = await findMadeProfiles(run, made, taskIds);
    step.set(step.state, { resources: ids.map(toResource) });
    return deleteAll(run, step, { made, ids, unblock });
  });
}

/** One pass: deletes everything, and waits for the tasks. Returns what still existed. */
async function deleteAll(
  run: MarkedRun,
  step: StepRecorder,
  { made, ids, unblock }: { made: MadeProfiles; ids: readonly number[]; unblock: Unblock },
): Promise<LeftResource[]> {
  const { projectId, regionId, address } = made.place;
  const left: LeftResource[] = [];
  for (const profileId of ids) {
    const summary = `remove profile ${profileId} of ${address}`;
    const remove = (ofAddress: { address?: string }) =>
      attemptDelete(run, {
        unblock,
        // Its activity looks itself.
        seenAt: Date.now(),
        send: (within) =>
          run.api.deletes.deleteDdosProfile(
            { ...within, summary },
            { projectId, regionId, profileId, ...ofAddress },
          ),
      });
    const removal = await remove({ address });
    const tasks = await waitForTasks(run, removal.taskIds, {
      step,
      expect: TaskType.deleteProfile,
    });
    if (isGone(removal) && !(await isListed(run, made.place, profileId))) continue;
    // Most are gone once the task has ended: ask at once, and pause only if not.
    if (hasFinished(tasks) && isGone(await remove({}))) continue;
    left.push(leftBehind(toResource(profileId), removal, tasks));
  }
  return left;
}

/** Beside a delete by its id that the API answers with 404: one of them alone proves nothing. */
async function isListed(
  run: MarkedRun,
  place: ProfileTarget['place'],
  profileId: number,
): Promise<boolean> {
  const listed = await listProfiles(run, place);
  return listed.some(({ id }) => id === profileId);
}

/** The API says so of all tasks. */
export function hasFinished(tasks: readonly TaskOutcome[]): boolean {
  return tasks.length > 0 && tasks.every(({ state }) => state === 'FINISHED');
}

/**
 * Ids of the profiles that the run made and that may still exist. A task that failed, or that the API
 * has forgotten, does not say what it made, and lists lag. Then nothing counts as absent before the
 * grace time is over.
 */
export async function findMadeProfiles(
  run: Run,
  { place, ids, isForeign, isKnown = false }: MadeProfiles,
  taskIds: readonly string[],
): Promise<number[]> {
  const created = taskIds.flatMap((id) => run.tasks.get(id)?.outcome?.created?.ddosProfiles ?? []);
  if (isKnown) return [...new Set([...ids(), ...created])];
  const name = 'what a failed create may have left to show';
  const until = listsSettledAt(run, taskIds);
  return lookUntilGraceEnds(run, { name, until }, async (isSure) => {
    const listed = await listProfiles(run, place);
    const mine = listed.filter((profile) => !isForeign(profile)).map(({ id }) => id);
    return isSure || mine.length > 0 ? [...new Set([...ids(), ...created, ...mine])] : undefined;
  });
}
