import { FailureType, type Fault } from '../core/failures.js';
import { StepState } from '../core/status.js';
import { failure } from '../run/failures.js';
import type { StepRecorder } from '../run/ledger.js';
import { createDraft, type Draft } from './planning.js';

/**
 * Runs a check of a plan before something is sent. Fails as `InvalidRequest` with every fault that it finds.
 * `isFirst`: before the first call, so nothing was sent.
 */
export async function refuseFaults(
  step: StepRecorder,
  check: (draft: Draft) => Promise<void> | void,
  isFirst = true,
): Promise<void> {
  const draft = createDraft('');
  await check(draft);
  const faults = draft.finish().findings.filter(({ severity }) => severity === 'fault');
  const [first] = faults;
  if (first === undefined) return;
  const message = faults.map((fault) => `${fault.path ?? 'input'}: ${fault.message}`).join('; ');
  step.set(StepState.failed, { note: message });
  throw failure(FailureType.invalidRequest, `${message}.`, {
    advice: `${first.advice ?? 'Correct the named fields.'} Then start again.${isFirst ? ' Nothing was sent.' : ''}`,
    faults: faults.map(({ path = 'input', message: text }): Fault => ({ path, message: text })),
  });
}
