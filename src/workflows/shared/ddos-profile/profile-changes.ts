import type {
  DdosProfileView,
  ProfileIntent,
  ProfileOptions,
} from '../../../activities/ddos-profiles.js';
import { CLOCK_SKEW_MS } from '../../../contract/clock-skew.js';
import { FailureType } from '../../../contract/failures.js';
import { isoOf } from '../../../contract/iso-of.js';
import { StepState } from '../../../contract/status.js';
import { classifyTaskError } from '../../../contract/task-error.js';
import { untilSettled, type Change, type SentChanges } from '../../engine/send/converge.js';
import { failure } from '../../engine/run/failures.js';
import type { StepRecorder } from '../../engine/run/ledger.js';
import type { Run, TaskOutcome } from '../../engine/run/run-types.js';
import { readProfile, type ProfilePlace } from './ddos-run.js';
import { describeOptionsDrift, describeDrift } from './judge-profile.js';

/** One profile, and all that this run has sent for it. */
export interface OwnProfile {
  place: ProfilePlace;
  profileId: number;
  sent: SentChanges;
}

/** `PATCH`: template and fields. A profile whose status is an error is sent them again, even the same. */
export function contentChange(
  run: Run,
  step: StepRecorder,
  { place, profileId, sent, intent }: OwnProfile & { intent: ProfileIntent },
): Change<DdosProfileView> {
  const { profile_template: templateId, fields } = intent;
  const { address, ...where } = place;
  return {
    ...common(run, step, { place, profileId, sent }),
    expect: 'update_ddos_profile',
    drift: (profile) => describeDrift(profile, { templateId, fields }),
    send: () =>
      run.api.mutations.updateDdosProfile.executeWithOptions(
        { summary: `template ${templateId} for ${address}` },
        [{ ...where, profileId, intent }],
      ),
  };
}

/** The action: whether the profile is active. */
export function optionsChange(
  run: Run,
  step: StepRecorder,
  { place, profileId, sent, options }: OwnProfile & { options: ProfileOptions },
): Change<DdosProfileView> {
  const { address, ...where } = place;
  const verb = options.active ? 'activate' : 'deactivate';
  return {
    ...common(run, step, { place, profileId, sent }),
    expect: `${verb}_ddos_profile`,
    drift: (profile) => describeOptionsDrift(profile, options),
    send: () =>
      run.api.mutations.switchDdosProfile.executeWithOptions({ summary: `${verb} ${address}` }, [
        { ...where, profileId, options },
      ]),
  };
}

function common(run: Run, step: StepRecorder, { place, profileId, sent }: OwnProfile) {
  return {
    step,
    sent,
    read: () => readProfile(run, place, profileId),
    failed: (task: TaskOutcome, profile: DdosProfileView) => taskFailed(step, task, profile),
  };
}

/** What the task died of, and what the profile shows now. */
export function taskFailed(
  step: StepRecorder,
  { id, error }: TaskOutcome,
  profile?: DdosProfileView,
): Error {
  const said = error ?? 'no reason given';
  const type = classifyTaskError(said);
  const shown =
    profile === undefined
      ? ''
      : ` Profile ${profile.id} is ${profile.active ? 'active' : 'not active'}, status "${profile.status ?? 'none'}".`;
  step.set(StepState.failed, { note: said });
  return failure(type, `Task ${id} ended in ERROR: ${said}.${shown}`, {
    taskId: id,
    advice:
      type === FailureType.quotaExceeded
        ? 'Ask for a higher quota or delete what is not needed.'
        : 'If the text names no cause you can mend, ask the support of the API with the task id; then start again.',
  });
}

const TASK_TYPES = [
  'create_ddos_profile',
  'update_ddos_profile',
  'activate_ddos_profile',
  'deactivate_ddos_profile',
];

/** Until nothing that this run has sent for the profile can take effect any more. */
export function untilQuiet(
  run: Run,
  step: StepRecorder,
  { place, sent }: OwnProfile,
): Promise<void> {
  const { projectId, regionId } = place;
  return untilSettled(run, { step, sent, expect: 'update_ddos_profile' }, (since) =>
    run.api.reads.hasActiveTasks({
      projectId,
      regionId,
      types: TASK_TYPES,
      from: isoOf(since - CLOCK_SKEW_MS),
    }),
  );
}
