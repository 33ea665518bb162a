import type { DdosProfileView } from '../../../activities/ddos-profiles.js';
import { StepState } from '../../../engine/core/status.js';
import { parkWhileBlocked } from '../../../engine/run/park-while-blocked.js';
import { converge } from '../../../engine/send/converge.js';
import type { StepRecorder } from '../../../engine/run/ledger.js';
import { claimEarlierChange, refuseChangedProfile } from './check-protection.js';
import type { Configured } from './configure-profile.js';
import type { ProtectRun } from '../../shared/ddos-profile/ddos-run.js';
import { optionsChange, proveContent } from '../../shared/ddos-profile/profile-changes.js';
import { undoOptions } from './undo-protection.js';

/** The profile as activation has left it. */
export interface Activated {
  profile: DdosProfileView;
  /** When it was read, if that was after everything that was sent for it. In milliseconds since the epoch. */
  readAt: number | undefined;
}

/** Makes the profile active (or not, if requested). This is another call than the one for its content. */
export async function activateProfile(
  run: ProtectRun,
  step: StepRecorder,
  configured: Configured,
): Promise<Activated> {
  const { seen, unproven } = configured;
  const { active, bgp } = run.prepared;
  undoOptions(run, step, configured);
  const options = { active, ...(bgp !== undefined && { bgp }) };
  const change = {
    ...optionsChange(run, step, { ...configured, options }),
    known: seen,
    refuseOutdated: (state: DdosProfileView) => {
      refuseChangedProfile(configured, state);
    },
  };
  const switched = await parkWhileBlocked(run, (unblocking) =>
    converge(run, { ...change, step: unblocking(step) }),
  );
  await claimEarlierChange(run, configured, switched);
  const { times } = run.api;
  const readAt = switched === seen ? configured.readAt : times.at(switched);
  step.set(StepState.verified, { note: active ? 'active' : 'not active, as requested' });
  if (unproven === undefined) return { profile: switched, readAt };
  const content = { ...configured, seen: switched, taskIds: unproven };
  const profile = await proveContent(run, configured.step, content);
  configured.step.set(StepState.verified);
  return { profile, readAt: profile === switched ? readAt : times.at(profile) };
}
