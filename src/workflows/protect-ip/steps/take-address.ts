import { addressResource } from '../../../contract/wire/names.js';
import { StepState } from '../../../engine/core/status.js';
import type { StepRecorder } from '../../../engine/run/ledger.js';
import { takeTurn } from '../../../engine/turns/turns.js';
import type { ProtectRun } from '../../shared/ddos-profile/ddos-run.js';

/** The steps of `protectIp`, as the status shows them. */
export const Step = {
  check: 'check protection',
  configure: 'configure profile',
  activate: 'activate profile',
  verify: 'verify protection',
  /** Only with `holdFor`. */
  hold: 'hold protection',
  /** Only with `holdFor`. */
  restore: 'restore profile',
} as const;

const ADVICE =
  'another run that protects this address keeps its turn while it holds; to protect for longer, send "extend" to that run';

/** One run at a time changes an address, so that it restores exactly what it has found. */
export async function takeAddress(run: ProtectRun, step: StepRecorder): Promise<void> {
  step.set(StepState.waiting, { note: ADVICE });
  await takeTurn(run, addressResource(run.prepared.address));
}
