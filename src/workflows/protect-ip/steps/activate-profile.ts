import type { DdosProfileView } from '../../../activities/ddos-profiles.js';
import { StepState } from '../../../contract/status.js';
import { parkWhileBlocked } from '../../engine/run/park-while-blocked.js';
import { converge } from '../../engine/send/converge.js';
import type { StepRecorder } from '../../engine/run/ledger.js';
import type { Configured } from './configure-profile.js';
import type { ProtectRun } from '../../shared/ddos-profile/ddos-run.js';
import { optionsChange, untilProfileSettles } from '../../shared/ddos-profile/profile-changes.js';

/** Makes the profile active (or not, if requested). This is another call than the one for its content. */
export async function activateProfile(
  run: ProtectRun,
  step: StepRecorder,
  configured: Configured,
): Promise<DdosProfileView> {
  const { before, seen } = configured;
  const { active, bgp = seen.bgp } = run.prepared;
  run.onRollback(step, {
    undo: async () => {
      if (before === undefined) return;
      await untilProfileSettles(run, step, configured);
      const options = { active: before.active, bgp: before.bgp };
      await converge(run, optionsChange(run, step, { ...configured, options }));
    },
    note:
      before === undefined
        ? 'removed together with the profile'
        : `${before.active ? 'active' : 'not active'}, as before`,
    inventory: () => Promise.resolve([]),
  });
  const options = { active, bgp };
  const change = { ...optionsChange(run, step, { ...configured, options }), known: seen };
  const switched = await parkWhileBlocked(run, (unblocking) =>
    converge(run, { ...change, step: unblocking(step) }),
  );
  step.set(StepState.verified, { note: active ? 'active' : 'not active, as requested' });
  return switched;
}
