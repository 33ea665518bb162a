import { StepState } from '../../../contract/status.js';
import type { StepRecorder } from '../../engine/run/ledger.js';
import { takeTurn } from '../../engine/turns/turns.js';
import type { ProtectRun } from '../../shared/ddos-profile/ddos-run.js';

const ADVICE =
  'another run that protects this address keeps its turn as long as it holds: "extend" on that run is the way to protect for longer';

/** One run at a time changes an address: what it captures must be what it puts back. */
export async function takeAddress(run: ProtectRun, step: StepRecorder): Promise<void> {
  step.set(StepState.waiting, { note: ADVICE });
  await takeTurn(run, `ip/${run.prepared.address}`);
}
