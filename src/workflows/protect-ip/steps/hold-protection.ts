import { StepState } from '../../../contract/status.js';
import { parkWhileBlocked } from '../../engine/run/park-while-blocked.js';
import type { Hold } from '../../engine/wait/hold.js';
import type { Configured } from './configure-profile.js';
import type { ProtectRun } from '../../shared/ddos-profile/ddos-run.js';
import { describeRestored } from '../../shared/ddos-profile/restore-profile.js';

const HOLD = 'hold protection';
const RESTORE = 'restore profile';

/** The steps of a run with `holdFor`. */
export function holdSteps({ holdForMs }: { holdForMs?: number }): string[] {
  return holdForMs === undefined ? [] : [HOLD, RESTORE];
}

/**
 * Keeps the protection for the requested time, then restores the earlier state. Returns whether it did.
 * The deadline of a run covers the start of the protection, not the hold.
 */
export async function holdProtection(
  run: ProtectRun,
  hold: Hold,
  configured: Configured,
): Promise<boolean> {
  const { holdForMs } = run.prepared;
  if (holdForMs === undefined) return false;
  run.ledger.addSteps([HOLD, RESTORE]);
  run.liftDeadline();
  await hold.keep(run, await run.begin(HOLD), holdForMs);
  const step = await run.begin(RESTORE);
  step.set(StepState.waiting);
  await parkWhileBlocked(run, () => configured.restore(step));
  step.set(StepState.verified, { resources: [], note: describeRestored(configured.before) });
  return true;
}
