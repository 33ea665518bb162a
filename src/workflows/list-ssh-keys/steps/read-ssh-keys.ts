import { isCancellation, TemporalFailure } from '@temporalio/workflow';

import { plural } from '../../../engine/core/text.js';
import type { PreparedListSshKeys } from '../../../contract/wire/prepared.js';
import type { SshKeyView } from '../../../activities/ssh-keys.js';
import { FailureType } from '../../../engine/core/failures.js';
import { StepState } from '../../../engine/core/status.js';
import { failure } from '../../../engine/run/failures.js';
import type { StepRecorder } from '../../../engine/run/ledger.js';
import type { Run } from '../../gcore.js';
import { walkSshKeys } from '../../shared/ssh-keys/walk-ssh-keys.js';

type ListRun = Run<PreparedListSshKeys>;

/** Temporal refuses a payload of 2 MiB for ever, so the run has to fail before that. */
const MAX_BYTES = 1_500_000;

/** Reads every page. Starts over when a corrected input has another filter. */
export async function readSshKeys(run: ListRun, step: StepRecorder): Promise<SshKeyView[]> {
  step.set(StepState.waiting);
  try {
    for (;;) {
      const { name } = run.prepared;
      const keys = await readPages(run, step, name);
      if (keys === undefined) continue;
      step.set(StepState.verified, { note: plural(keys.length, 'key') });
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

/** `undefined` when the filter has changed meanwhile. */
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
      step.set(StepState.waiting, { note: `${read.length} of ${plural(count, 'key')} read` });
      return true;
    },
  });
  return isWanted() ? filterByName(keys, name) : undefined;
}

/** Filters again: the result must not be longer when a server ignores the filter. */
function filterByName(keys: SshKeyView[], name: string | undefined): SshKeyView[] {
  if (name === undefined) return keys;
  return keys.filter((key) => key.name.toLowerCase().includes(name.toLowerCase()));
}

function refuseTooLarge(keys: readonly SshKeyView[], count: number): void {
  const { length } = new TextEncoder().encode(JSON.stringify(keys));
  if (length <= MAX_BYTES) return;
  throw failure(
    FailureType.resultTooLarge,
    `The first ${keys.length} of ${count} keys take ${length} bytes; a result holds ${MAX_BYTES}.`,
    { advice: 'Ask for fewer keys: set "name" to a part of their names.' },
  );
}
