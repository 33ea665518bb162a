import type { DdosProfileView } from '../../../activities/ddos-profiles.js';
import { FailureType } from '../../../engine/core/failures.js';
import { isoOf } from '../../../engine/core/times.js';
import { StepState } from '../../../engine/core/status.js';
import { TaskType } from '../../../contract/wire/tasks.js';
import type { SentChanges } from '../../../engine/send/converge.js';
import { failure, failureTypeOf, toFailureText } from '../../../engine/run/failures.js';
import { parkWhileBlocked } from '../../../engine/run/park-while-blocked.js';
import type { StepRecorder } from '../../../engine/run/ledger.js';
import type { EarlierCall, Mutation, Searched } from '../../../engine/send/mutation.js';
import type { TaskOutcome } from '../../gcore.js';
import { sendOnce } from '../../../engine/send/send-once.js';
import type { Verdict } from '../../../engine/send/verdict.js';
import { isFresh } from '../../../engine/run/read-times.js';
import { lookUntilGraceEnds } from '../../../engine/wait/look-until.js';
import { cutShortAtOf } from '../../../engine/wait/wait-until.js';
import { untilTasksEnd, waitForTasks } from '../../../engine/wait/wait-for-tasks.js';
import type { Checked } from './check-protection.js';
import { readBorn } from './read-born.js';
import {
  listProfiles,
  placeOf,
  toResource,
  type ProtectRun,
} from '../../shared/ddos-profile/ddos-run.js';
import {
  chooseProfile,
  judgeStatus,
  describeContentDrift,
} from '../../shared/ddos-profile/judge-profile.js';
import { profileTaskFailure } from '../../shared/ddos-profile/profile-changes.js';
import {
  findMadeProfiles,
  hasFinished,
  removeProfiles,
  type MadeProfiles,
} from '../../shared/ddos-profile/remove-profile.js';

export interface CreatedProfile {
  profile: DdosProfileView;
  /** False: somebody else made it meanwhile. */
  isMadeByRun: boolean;
  /** The API says so of the call, which names the whole content. */
  isCarriedOut: boolean;
}

/**
 * Makes one profile for an address that has none. The API makes a second one when it is asked twice, so
 * the address itself serves as the marker. Registers the removal for a rollback.
 */
export async function createProfileOnce(
  run: ProtectRun,
  step: StepRecorder,
  { checked, sent }: { checked: Checked; sent: SentChanges },
): Promise<CreatedProfile> {
  const creation = createMutation(run, step, { checked, sent });
  const { mutation, made } = creation;
  const done = await sendOnce(run, mutation);
  sent.taskIds.push(...done.taskIds);
  const place = placeOf(run.prepared, run.prepared.address);
  const wait = { step, expect: TaskType.createProfile, thenRead: { profilesOf: place } };
  const tasks = await waitForTasks(run, done.taskIds, wait);
  creation.ids.push(...tasks.flatMap(({ created }) => created?.ddosProfiles ?? []));
  const failed = tasks.find((task) => task.state === 'ERROR');
  if (failed !== undefined) {
    const left = await findMadeProfiles(run, made, done.taskIds);
    step.set(StepState.failed, { resources: left.map(toResource) });
    throw await handleFailedTask(run, mutation, { failed, taskIds: done.taskIds });
  }
  const [id = done.resource?.id ?? (await findUnnamed(run, mutation, made))] = creation.ids;
  step.set(step.state, { resources: [toResource(id)] });
  const seen = [...(tasks[0]?.seen?.profiles ?? []), ...(done.resource ? [done.resource] : [])];
  // It is there: a run that is blocked here only looks again, and makes no other one.
  const profile = await parkWhileBlocked(run, () => readBorn(run, place, { id, seen }));
  const isMadeByRun = done.origin !== 'earlier';
  if (isMadeByRun) creation.ids.push(profile.id);
  return { profile, isMadeByRun, isCarriedOut: isMadeByRun && hasFinished(tasks) };
}

async function handleFailedTask(
  run: ProtectRun,
  mutation: Mutation<DdosProfileView>,
  { failed, taskIds }: { failed: TaskOutcome; taskIds: readonly string[] },
): Promise<Error> {
  const error = profileTaskFailure(mutation.step, failed);
  // The next try would take the rest of the failed call for the profile.
  if (failureTypeOf(error) !== FailureType.taskFailed) {
    run.ledger.setFailure(toFailureText(error));
    await mutation.remove(taskIds);
    run.ledger.setFailure(undefined);
  }
  return error;
}

/**
 * For a task that the API has forgotten, or that does not name what it made. The list may lag, and show meanwhile what somebody
 * else has made.
 */
function findUnnamed(
  run: ProtectRun,
  mutation: Mutation<DdosProfileView>,
  { isForeign }: Pick<MadeProfiles, 'isForeign'>,
): Promise<number> {
  // The call was accepted: a run that is blocked here only looks again.
  const until = Date.now() + run.prepared.policy.reconcileGraceMs;
  return parkWhileBlocked(run, () =>
    lookUntilGraceEnds(run, { name: 'the new profile to show', until }, async (isLate) => {
      const verdict = await mutation.look();
      if (verdict.kind === 'present' && !isForeign(verdict.resource)) return verdict.resource.id;
      if (isLate) throw unseenFailure(verdict);
      return undefined;
    }),
  );
}

function unseenFailure(verdict: Verdict<DdosProfileView>): Error {
  const other =
    verdict.kind === 'present'
      ? `only profile ${verdict.resource.id}, which has another content.`
      : 'nothing.';
  const note = verdict.kind === 'contradiction' ? verdict.note : `the list shows ${other}`;
  return failure(
    FailureType.outcomeUnknown,
    `The task of the new profile has ended, but: ${note}`,
    {
      advice:
        'Look at the profiles of the address. `resume` looks again, and `abort` ends the run.',
    },
  );
}

/** Whether the check has just shown that the address has no profile, so that no first look is needed. */
function takesCheck(run: ProtectRun, { before, seenAt }: Checked, looks: number): boolean {
  if (looks > 0 || before !== undefined) return false;
  return cutShortAtOf(run) === undefined && isFresh(seenAt);
}

/** What shows of a create call: of this run, or of an earlier one of the request. */
function profileSearch(run: ProtectRun) {
  const { address, projectId, regionId, profileId } = run.prepared;
  const place = placeOf(run.prepared, address);
  return {
    look: async () => chooseProfile(await listProfiles(run, place), profileId),
    async trace({ from }) {
      const isActive = await run.api.reads.hasActiveTasks({
        projectId,
        regionId,
        types: [TaskType.createProfile],
        from: isoOf(from),
      });
      return { kind: isActive ? 'pending' : 'none' };
    },
    mayVanish: (profile) => judgeStatus(profile).kind === 'under-way',
  } satisfies Searched<DdosProfileView>;
}

/** What an earlier run of the request may have made: an address has one profile. */
export function earlierProfile(run: ProtectRun): EarlierCall<DdosProfileView> {
  const place = placeOf(run.prepared, run.prepared.address);
  return {
    ...profileSearch(run),
    inventory: async () => (await listProfiles(run, place)).map(({ id }) => toResource(id)),
  };
}

function createMutation(
  run: ProtectRun,
  step: StepRecorder,
  { checked, sent }: { checked: Checked; sent: SentChanges },
): { mutation: Mutation<DdosProfileView>; made: MadeProfiles; ids: number[] } {
  const { intent, input } = checked;
  const { address, projectId, regionId } = run.prepared;
  const place = placeOf(run.prepared, address);
  const search = profileSearch(run);
  const ids: number[] = [];
  let looks = 0;
  const wanted = { templateId: intent.profile_template, fields: intent.fields };
  const made: MadeProfiles = {
    place,
    sent,
    ids: () => ids,
    // Until the id is known, the content tells whose profile it is: the address had none. A broken one may not show it, and one
    // without its template shows no other.
    isForeign: (profile) =>
      ids.length > 0
        ? !ids.includes(profile.id)
        : describeContentDrift(profile, wanted, true) !== undefined &&
          judgeStatus(profile).kind !== 'broken',
  };
  const mutation: Mutation<DdosProfileView> = {
    ...search,
    step,
    input,
    look: async () => {
      if (takesCheck(run, checked, looks++)) {
        run.api.times.restOn(checked.seenAt);
        return { kind: 'absent' };
      }
      return search.look();
    },
    send: (within) =>
      run.api.mutations.createDdosProfile(
        { ...within, summary: `profile for ${address}` },
        { projectId, regionId, intent, maker: run.prepared.maker },
      ),
    isOther: made.isForeign,
    remove: (taskIds) => removeProfiles(run, step, { made, taskIds }),
    inventory: async (taskIds) => {
      await untilTasksEnd(run, taskIds, { step, expect: TaskType.createProfile });
      return (await findMadeProfiles(run, made, taskIds)).map(toResource);
    },
    named: ({ id }) => [toResource(id)],
  };
  return { mutation, made, ids };
}
