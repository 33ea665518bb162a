import type { DdosProfileView, ProfileIntent } from '../../../activities/ddos-profiles.js';
import { StepState } from '../../../engine/core/status.js';
import { parkWhileBlocked } from '../../../engine/run/park-while-blocked.js';
import { converge, type SentChanges } from '../../../engine/send/converge.js';
import type { StepRecorder } from '../../../engine/run/ledger.js';
import {
  refuseChanged,
  refuseOutdatedInput,
} from '../../../engine/run/restart-on-corrected-input.js';
import { claimEarlierChange, refuseChangedProfile, type Checked } from './check-protection.js';
import { createProfileOnce, type CreatedProfile } from './create-profile-once.js';
import { placeOf, toResource, type ProtectRun } from '../../shared/ddos-profile/ddos-run.js';
import {
  contentChange,
  provesContentLater,
  type ProfileTarget,
} from '../../shared/ddos-profile/profile-changes.js';
import { undoProfile, type ProtectionUndo } from './undo-protection.js';

/** The profile that protects the address, with the wanted template and fields. */
export interface Configured extends ProtectionUndo {
  intent: ProfileIntent;
  /** The state that was read last. */
  seen: DdosProfileView;
  /** The step that sends the content. */
  step: StepRecorder;
  /** Finished tasks of the content while nothing has read the profile since. */
  unproven: readonly string[] | undefined;
  /** When `seen` was read, if that was after everything that was sent for it. In milliseconds since the epoch. */
  readAt: number | undefined;
}

interface ToConfigure {
  checked: Checked;
  /** What the rounds of earlier inputs have begun to change. */
  begun: ProtectionUndo[];
}

/** Creates the profile, or brings the existing one to the wanted state. */
export async function configureProfile(
  run: ProtectRun,
  step: StepRecorder,
  { checked, begun }: ToConfigure,
): Promise<Configured> {
  const earlier = earlierOf(begun, checked.before);
  const sent: SentChanges = earlier?.sent ?? { taskIds: [] };
  const { isMadeByRun, isCarriedOut, profile, ...found } = await parkWhileBlocked(
    run,
    (unblocking) => findOrCreate(run, unblocking(step), { checked, sent }),
  );
  const { before } = earlier ?? found;
  // Somebody has made it since: what the input does not name is theirs, and may not be checked yet.
  refuseChanged(isMadeByRun || checked.before !== undefined);
  const place = placeOf(run.prepared, run.prepared.address);
  const target: ProfileTarget = { place, profileId: profile.id, sent };
  if (!isMadeByRun && earlier === undefined) {
    begun.push({ ...target, before });
    undoProfile(run, step, { ...target, before });
  }
  step.set(step.state, { resources: [toResource(profile.id)] });
  const change = {
    ...contentChange(run, step, { ...target, intent: checked.intent }),
    known: profile,
    isCarriedOut,
    // A profile that this run has just made belongs to the checked input.
    ...(!isMadeByRun && { refuseOutdated: refusalOf(run, checked, { ...target, before }) }),
  };
  const { active, bgp = profile.bgp } = run.prepared;
  const isProvenLater = provesContentLater(profile, { active, bgp });
  const sentBefore = sent.taskIds.length;
  const seen = await parkWhileBlocked(run, (unblocking) =>
    converge(run, { ...change, isProvenLater, step: unblocking(step) }),
  );
  await claimEarlierChange(run, { ...target, before }, seen);
  const readAt = seen === profile && !isMadeByRun ? undefined : run.api.times.at(seen);
  step.set(StepState.verified);
  const unproven =
    change.drift(seen, isCarriedOut) !== undefined ? sent.taskIds.slice(sentBefore) : undefined;
  return { ...target, intent: checked.intent, before, seen, step, unproven, readAt };
}

/**
 * What an earlier input has begun for this profile. What shows now may be of its call, whose answer was lost or whose task has
 * failed: the state to put back is the one before that.
 */
function earlierOf(
  begun: readonly ProtectionUndo[],
  shown: DdosProfileView | undefined,
): ProtectionUndo | undefined {
  return begun.find(({ profileId, sent }) => profileId === shown?.id && sent.isAny === true);
}

function refusalOf(run: ProtectRun, { input }: Checked, undo: ProtectionUndo) {
  return (state: DdosProfileView): void => {
    refuseOutdatedInput(run, input);
    refuseChangedProfile(undo, state);
  };
}

interface Found extends CreatedProfile {
  before: DdosProfileView | undefined;
}

async function findOrCreate(
  run: ProtectRun,
  step: StepRecorder,
  { checked, sent }: { checked: Checked; sent: SentChanges },
): Promise<Found> {
  const { before } = checked;
  if (before !== undefined) {
    return { profile: before, before, isMadeByRun: false, isCarriedOut: false };
  }
  return { ...(await createProfileOnce(run, step, { checked, sent })), before };
}
