import type { DdosProfileView } from '../../../activities/ddos-profiles.js';
import type { StepRecorder } from '../../../engine/run/ledger.js';
import { parkWhileBlocked } from '../../../engine/run/park-while-blocked.js';
import { converge } from '../../../engine/send/converge.js';
import { Step } from './take-address.js';
import { toResource, type ProtectRun } from '../../shared/ddos-profile/ddos-run.js';
import {
  optionsChange,
  undoing,
  untilProfileSettles,
  type ProfileTarget,
} from '../../shared/ddos-profile/profile-changes.js';
import { removeProfiles } from '../../shared/ddos-profile/remove-profile.js';
import { describeRestored, restoreProfile } from '../../shared/ddos-profile/restore-profile.js';

/** Everything that is needed to put the earlier state back. It is plain data: a new history takes it over. */
export interface ProtectionUndo extends ProfileTarget {
  /** The earlier state; `undefined` when this run made the profile. */
  before?: DdosProfileView | undefined;
}

/** Restores the earlier state, or removes the profile that this run made, and verifies it. */
export async function restoreEarlier(
  run: ProtectRun,
  step: StepRecorder,
  { before, ...profile }: ProtectionUndo,
): Promise<void> {
  await (before === undefined
    ? removeMade(run, step, profile)
    : restoreProfile(run, step, { profile, before }));
  const configured = run.ledger.step(Step.configure);
  configured.set(configured.state, { resources: [] });
}

async function removeMade(
  run: ProtectRun,
  step: StepRecorder,
  { place, sent, profileId }: ProfileTarget,
): Promise<void> {
  const made = { place, sent, ids: () => [profileId], isForeign: () => true, isKnown: true };
  await removeProfiles(run, step, { made, taskIds: [] });
}

/** Puts back what was begun for another profile of the address, before another input has named the right one. */
export async function restoreOthers(
  run: ProtectRun,
  step: StepRecorder,
  { begun, profileId }: { begun: readonly ProtectionUndo[]; profileId: number | undefined },
): Promise<void> {
  for (const undo of begun) {
    if (undo.profileId === profileId || undo.sent.isAny !== true) continue;
    await parkWhileBlocked(run, () => restoreEarlier(run, step, undo));
  }
}

/** For a failed or cancelled run. The profile itself and its content are undone. */
export function undoProfile(run: ProtectRun, step: StepRecorder, undo: ProtectionUndo): void {
  run.onRollback(step, {
    undo: () => restoreEarlier(run, step, undo),
    inventory: () => Promise.resolve([toResource(undo.profileId)]),
    note: describeRestored(undo.before),
  });
}

/** For a failed or cancelled run. The profile is as active as it was. */
export function undoOptions(run: ProtectRun, step: StepRecorder, undo: ProtectionUndo): void {
  const { before } = undo;
  run.onRollback(step, {
    undo: async () => {
      if (before === undefined || undo.sent.isAny !== true) return;
      await untilProfileSettles(run, step, undo);
      const options = { active: before.active, bgp: before.bgp };
      await converge(run, undoing(optionsChange(run, step, { ...undo, options })));
    },
    note:
      before === undefined
        ? 'removed together with the profile'
        : `${before.active ? 'active' : 'not active'}, as before`,
    inventory: () => Promise.resolve([]),
  });
}
