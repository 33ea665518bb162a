import { isCancellation, TemporalFailure } from '@temporalio/workflow';

import type { PreparedListSshKeys } from '../../../contract/prepared/list-ssh-keys.js';
import type { SshKeyView } from '../../../activities/ssh-keys.js';
import { FailureType } from '../../../contract/failures.js';
import { StepState } from '../../../contract/status.js';
import { failure } from '../../engine/run/failures.js';
import type { StepRecorder } from '../../engine/run/ledger.js';
import type { Run } from '../../engine/run/run-types.js';
import { walkSshKeys } from '../../shared/ssh-keys/walk-ssh-keys.js';

type ListRun = Run<PreparedListSshKeys>;

/** Temporal refuses a payload of 2 MiB, and would do so for ever: a run has to end before. */
const MAX_BYTES = 1_500_000;

/** Every page of the list, from the beginning once more when a corrected input has another filter. */
export async function readSshKeys(run: ListRun, step: StepRecorder): Promise<SshKeyView[]> {
  step.set(StepState.waiting);
  try {
    for (;;) {
      const { name } = run.prepared;
      const keys = await readPages(run, step, name);
      if (keys === undefined) continue;
      step.set(StepState.verified, { note: `${keys.length} keys` });
      return keys;
    }
  } catch (error) {
    if (error instanceof TemporalFailure) step.set(StepState.failed, { note: whyFailed(error) });
    throw error;
  }
}

function whyFailed(error: TemporalFailure): string {
  return isCancellation(error) ? 'ended before the list was read' : 'the list could not be read';
}

/** `undefined` when the filter is no longer the one that is asked for. */
async function readPages(
  run: ListRun,
  step: StepRecorder,
  name: string | undefined,
): Promise<SshKeyView[] | undefined> {
  const isWanted = (): boolean => run.prepared.name === name;
  const keys = await walkSshKeys(run, {
    name,
    onPage: (read, count) => {
      if (!isWanted()) return false;
      refuseTooLarge(read, count);
      step.set(StepState.waiting, { note: `${read.length} of ${count} keys read` });
      return true;
    },
  });
  return isWanted() ? matching(keys, name) : undefined;
}

/** Compared again here: the result must not be longer where a server ignores the filter. */
function matching(keys: SshKeyView[], name: string | undefined): SshKeyView[] {
  if (name === undefined) return keys;
  return keys.filter((key) => key.name.toLowerCase().includes(name.toLowerCase()));
}

function refuseTooLarge(keys: readonly SshKeyView[], count: number): void {
  const { length } = new TextEncoder().encode(JSON.stringify(keys));
  if (length <= MAX_BYTES) return;
  throw failure(
    FailureType.resultTooLarge,
    `The first ${keys.length} of ${count} keys alone take ${length} bytes; a result holds ${MAX_BYTES}.`,
    { advice: 'Ask for a part of them: give "name", a part of the names.' },
  );
}
