import type {
  DdosProfileView,
  ProfileIntent,
  ProfileOptions,
} from '../../../activities/ddos-profiles.js';
import type { Seen } from '../../../activities/watch.js';
import { isoOf } from '../../../engine/core/times.js';
import { StepState } from '../../../engine/core/status.js';
import { CHANGE_PROFILE_TASKS, TaskType } from '../../../contract/wire/tasks.js';
import { converge, untilChangesSettle, type SentChanges } from '../../../engine/send/converge.js';
import { parkWhileBlocked } from '../../../engine/run/park-while-blocked.js';
import type { StepRecorder } from '../../../engine/run/ledger.js';
import type { Change, Run, TaskOutcome } from '../../gcore.js';
import { taskFailure } from '../task-failure.js';
import { readProfile, type ProfilePlace } from './ddos-run.js';
import { describeOptionsDrift, describeDrift, judgeStatus } from './judge-profile.js';

/** One profile, and everything that this run has sent for it. */
export interface ProfileTarget {
  place: ProfilePlace;
  profileId: number;
  sent: SentChanges;
}

/** The `PATCH` of template and fields. A profile in an error status gets them again, even unchanged. */
export function contentChange(
  run: Run,
  step: StepRecorder,
  { place, profileId, sent, intent }: ProfileTarget & { intent: ProfileIntent },
): Change<DdosProfileView> {
  const { profile_template: templateId, fields } = intent;
  const { address, ...where } = place;
  return {
    ...changeBase(run, step, { place, profileId, sent }),
    expect: TaskType.updateProfile,
    drift: (profile, isCarriedOut) => describeDrift(profile, { templateId, fields }, isCarriedOut),
    send: (within) =>
      run.api.mutations.updateDdosProfile(
        { ...within, summary: `template ${templateId} for ${address}` },
        { ...where, profileId, intent },
      ),
  };
}

export interface WantedOptions {
  active: boolean;
  /** Missing: as it is. */
  bgp?: boolean;
}

/** The action that makes the profile active or not. */
export function optionsChange(
  run: Run,
  step: StepRecorder,
  { place, profileId, sent, options }: ProfileTarget & { options: WantedOptions },
): Change<DdosProfileView> {
  const { address, ...where } = place;
  const verb = options.active ? 'activate' : 'deactivate';
  /** What is not named stays as it is, also when somebody changes it while the call cannot be sent. */
  const wantedOf = ({ bgp }: DdosProfileView): ProfileOptions => ({ bgp, ...options });
  return {
    ...changeBase(run, step, { place, profileId, sent }),
    expect: options.active ? TaskType.activateProfile : TaskType.deactivateProfile,
    drift: (profile) => describeOptionsDrift(profile, wantedOf(profile)),
    send: (within, profile) =>
      run.api.mutations.switchDdosProfile(
        { ...within, summary: `${verb} ${address}` },
        { ...where, profileId, options: wantedOf(profile) },
      ),
  };
}

const SWITCHES: readonly string[] = [TaskType.activateProfile, TaskType.deactivateProfile];

/** The same change, to put back what this run has changed. */
export function undoing(change: Change<DdosProfileView>): Change<DdosProfileView> {
  const { expect } = change;
  return { ...change, undoes: SWITCHES.includes(expect) ? SWITCHES : [expect] };
}

/**
 * Whether the options have to be sent after the content. They are proven by a read that shows the content
 * too, so the content needs no read of its own.
 */
export function provesContentLater(seen: DdosProfileView, options: ProfileOptions): boolean {
  return describeOptionsDrift(seen, options) !== undefined;
}

export interface UnprovenContent extends ProfileTarget {
  intent: ProfileIntent;
  /** The first state that was read after these tasks had finished. */
  seen: DdosProfileView;
  taskIds: readonly string[];
}

/** Proves a content that was sent with `isProvenLater`. Sends it again when its effect does not show. */
export function proveContent(
  run: Run,
  step: StepRecorder,
  { seen, taskIds, ...target }: UnprovenContent,
): Promise<DdosProfileView> {
  let isFirst = true;
  return parkWhileBlocked(run, (unblocking) => {
    const change = contentChange(run, unblocking(step), target);
    // What has failed needs no time to show.
    const mayShow = isFirst && judgeStatus(seen).kind !== 'broken';
    const known = isFirst ? { known: seen } : {};
    isFirst = false;
    return converge(run, { ...change, ...known, ...(mayShow && { unproven: taskIds }) });
  });
}

function changeBase(run: Run, step: StepRecorder, { place, profileId, sent }: ProfileTarget) {
  return {
    step,
    sent,
    read: () => readProfile(run, place, profileId),
    after: {
      read: { profilesOf: place },
      stateIn: ({ profiles = [] }: Seen) => profiles.find(({ id }) => id === profileId),
    },
    held: (profile: DdosProfileView) => heldBy(run, place, profile),
    toFailure: (task: TaskOutcome, profile: DdosProfileView) =>
      profileTaskFailure(step, task, profile),
  };
}

/** A task that has begun earlier does not hold a profile any more. */
const HELD_FOR_MS = 86_400_000;

/** What holds a profile for a while, in words. No answer names the task that locks one, so each of its kind may. */
async function heldBy(
  run: Run,
  { projectId, regionId }: ProfilePlace,
  profile: DdosProfileView,
): Promise<string | undefined> {
  const verdict = judgeStatus(profile);
  if (verdict.kind === 'under-way') return verdict.note;
  const from = isoOf(Date.now() - HELD_FOR_MS);
  const types = CHANGE_PROFILE_TASKS;
  const isHeld = await run.api.reads.hasActiveTasks({ projectId, regionId, types, from });
  return isHeld ? 'a task that changes a profile goes on' : undefined;
}

/** Ends the step with the failure of its task, and with what the profile shows now. */
export function profileTaskFailure(
  step: StepRecorder,
  task: TaskOutcome,
  profile?: DdosProfileView,
): Error {
  const { reason, error } = taskFailure(task, {
    ...(profile && { shown: describeShown(profile) }),
    // A profile has no flavor to choose.
    advice: { CapacityUnavailable: 'Wait until there is capacity, or ask the support of the API.' },
  });
  step.set(StepState.failed, { note: reason });
  return error;
}

function describeShown({ id, active, status }: DdosProfileView): string {
  return `Profile ${id} is ${active ? 'active' : 'not active'}, status "${status ?? 'none'}".`;
}

/** Waits until nothing that this run has sent for the profile can still take effect. */
export function untilProfileSettles(
  run: Run,
  step: StepRecorder,
  { place, sent }: ProfileTarget,
): Promise<void> {
  const { projectId, regionId } = place;
  return untilChangesSettle(run, { step, sent, expect: TaskType.updateProfile }, (since) =>
    run.api.reads.hasActiveTasks({
      projectId,
      regionId,
      types: CHANGE_PROFILE_TASKS,
      from: isoOf(since),
    }),
  );
}
