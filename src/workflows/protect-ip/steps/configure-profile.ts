import type { DdosProfileView, ProfileIntent } from '../../../activities/ddos-profiles.js';
import { StepState } from '../../../contract/status.js';
import { parkWhileBlocked } from '../../engine/run/park-while-blocked.js';
import { converge, type SentChanges } from '../../engine/send/converge.js';
import type { StepRecorder } from '../../engine/run/ledger.js';
import { refuseOutdatedInput } from '../../engine/run/restart-on-corrected-input.js';
import type { Checked } from './check-protection.js';
import { createProfileOnce } from './create-profile-once.js';
import { placeOf, toResource, type ProtectRun } from '../../shared/ddos-profile/ddos-run.js';
import { contentChange, type ProfileTarget } from '../../shared/ddos-profile/profile-changes.js';
import { removeProfiles } from '../../shared/ddos-profile/remove-profile.js';
import { describeRestored, restoreProfile } from '../../shared/ddos-profile/restore-profile.js';

/** The profile that protects the address, with the wanted template and fields. */
export interface Configured extends ProfileTarget {
  intent: ProfileIntent;
  /** The earlier state; `undefined` when this run made the profile. */
  before: DdosProfileView | undefined;
  /** The state that was read last. */
  seen: DdosProfileView;
  /** Restores the earlier state and verifies it. */
  restore: (step: StepRecorder) => Promise<void>;
}

/** Creates the profile, or brings the existing one to the wanted state. */
export async function configureProfile(
  run: ProtectRun,
  step: StepRecorder,
  checked: Checked,
): Promise<Configured> {
  const sent: SentChanges = { taskIds: [] };
  const { before, isMadeByRun, profile } = await parkWhileBlocked(run, (unblocking) =>
    findOrCreate(run, unblocking(step), { checked, sent }),
  );
  const place = placeOf(run.prepared, run.prepared.address);
  const target: ProfileTarget = { place, profileId: profile.id, sent };
  const restore = async (at: StepRecorder): Promise<void> => {
    await (before === undefined
      ? removeMade(run, at, target)
      : restoreProfile(run, at, { profile: target, before }));
    step.set(step.state, { resources: [] });
  };
  if (!isMadeByRun) {
    run.onRollback(step, {
      undo: () => restore(step),
      inventory: () => Promise.resolve([toResource(profile.id)]),
      note: describeRestored(before),
    });
  }
  step.set(step.state, { resources: [toResource(profile.id)] });
  const change = {
    ...contentChange(run, step, { ...target, intent: checked.intent }),
    known: profile,
    // A profile that this run has just made belongs to the checked input.
    ...(isMadeByRun
      ? {}
      : {
          refuseOutdated: () => {
            refuseOutdatedInput(run, checked.input);
          },
        }),
  };
  const seen = await parkWhileBlocked(run, (unblocking) =>
    converge(run, { ...change, step: unblocking(step) }),
  );
  step.set(StepState.verified);
  return { ...target, intent: checked.intent, before, seen, restore };
}

interface Found {
  profile: DdosProfileView;
  before: DdosProfileView | undefined;
  isMadeByRun: boolean;
}

async function findOrCreate(
  run: ProtectRun,
  step: StepRecorder,
  { checked, sent }: { checked: Checked; sent: SentChanges },
): Promise<Found> {
  const { before } = checked;
  if (before !== undefined) return { profile: before, before, isMadeByRun: false };
  const { profile, isMadeByRun } = await createProfileOnce(run, step, { checked, sent });
  return { profile, before: isMadeByRun ? undefined : profile, isMadeByRun };
}

async function removeMade(
  run: ProtectRun,
  step: StepRecorder,
  { place, sent, profileId }: ProfileTarget,
): Promise<void> {
  const made = { place, sent, ids: () => [profileId], isForeign: () => true };
  await removeProfiles(run, step, { made, taskIds: [] });
}
