import type { DdosProfileView, ProfileIntent } from '../../../activities/ddos-profiles.js';
import { StepState } from '../../../contract/status.js';
import { parkWhileBlocked } from '../../engine/run/park-while-blocked.js';
import { converge, type SentChanges } from '../../engine/send/converge.js';
import type { StepRecorder } from '../../engine/run/ledger.js';
import { refuseOutdated } from '../../engine/run/restart-on-corrected-input.js';
import type { Checked } from './check-protection.js';
import { createProfileOnce } from './create-profile-once.js';
import { placeOf, toResource, type ProtectRun } from '../../shared/ddos-profile/ddos-run.js';
import { contentChange, type OwnProfile } from '../../shared/ddos-profile/profile-changes.js';
import { removeProfiles } from '../../shared/ddos-profile/remove-profile.js';
import { describeRestored, restoreProfile } from '../../shared/ddos-profile/restore-profile.js';

/** The profile that protects the address, with template and fields as wanted. */
export interface Configured extends OwnProfile {
  intent: ProfileIntent;
  /** As it was; `undefined` when this run made it. */
  before: DdosProfileView | undefined;
  /** As it was read last. */
  seen: DdosProfileView;
  /** Puts the state before back, verified. */
  restore: (step: StepRecorder) => Promise<void>;
}

/** Creates the profile, or brings the one that is there to what is wanted. */
export async function configureProfile(
  run: ProtectRun,
  step: StepRecorder,
  checked: Checked,
): Promise<Configured> {
  const sent: SentChanges = { taskIds: [] };
  const { before, isOwn, profile } = await parkWhileBlocked(run, () =>
    findOrCreate(run, step, { checked, sent }),
  );
  const place = placeOf(run.prepared, run.prepared.address);
  const own: OwnProfile = { place, profileId: profile.id, sent };
  const restore = async (at: StepRecorder): Promise<void> => {
    await (before === undefined
      ? removeOwn(run, at, own)
      : restoreProfile(run, at, { profile: own, before }));
    step.set(step.state, { resources: [] });
  };
  if (!isOwn) {
    run.onRollback(step, {
      undo: () => restore(step),
      inventory: () => Promise.resolve([toResource(profile.id)]),
      note: describeRestored(before),
    });
  }
  step.set(step.state, { resources: [toResource(profile.id)] });
  const change = {
    ...contentChange(run, step, { ...own, intent: checked.intent }),
    known: profile,
    // A profile that was just made is what the input has described.
    ...(isOwn
      ? {}
      : {
          refuseOutdated: () => {
            refuseOutdated(run, checked.input);
          },
        }),
  };
  const seen = await parkWhileBlocked(run, () => converge(run, change));
  step.set(StepState.verified);
  return { ...own, intent: checked.intent, before, seen, restore };
}

interface Found {
  profile: DdosProfileView;
  before: DdosProfileView | undefined;
  isOwn: boolean;
}

async function findOrCreate(
  run: ProtectRun,
  step: StepRecorder,
  { checked, sent }: { checked: Checked; sent: SentChanges },
): Promise<Found> {
  const { before } = checked;
  if (before !== undefined) return { profile: before, before, isOwn: false };
  const { profile, isOwn } = await createProfileOnce(run, step, { checked, sent });
  return { profile, before: isOwn ? undefined : profile, isOwn };
}

async function removeOwn(run: ProtectRun, step: StepRecorder, own: OwnProfile): Promise<void> {
  const { place, sent, profileId } = own;
  const made = { place, sent, ids: () => [profileId], isForeign: () => true };
  await removeProfiles(run, step, { made, taskIds: [] });
}
