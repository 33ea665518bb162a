import { isCancellation, sleep, TemporalFailure } from '@temporalio/workflow';

import { plural } from '../../../engine/core/text.js';
import type { ListSshKeysInput } from '../../../contract/operations/types.js';
import type { PreparedListSshKeys } from '../../../contract/wire/prepared.js';
import type { SshKeyView } from '../../../activities/ssh-keys.js';
import { FailureType } from '../../../engine/core/failures.js';
import { StepState } from '../../../engine/core/status.js';
import { failure } from '../../../engine/run/failures.js';
import type { StepRecorder } from '../../../engine/run/ledger.js';
import type { Run } from '../../gcore.js';
import { walkSshKeys } from '../../shared/ssh-keys/walk-ssh-keys.js';

type ListRun = Run<PreparedListSshKeys, ListSshKeysInput>;

/** The keys that were asked for, and how many have the name. */
interface ReadKeys {
  keys: SshKeyView[];
  total: number;
}

/** Temporal refuses a payload of 2 MiB for ever, so the run has to fail before that. */
const MAX_BYTES = 1_500_000;

/** Reads every page. Starts over when a corrected input has another filter. */
export async function readSshKeys(run: ListRun, step: StepRecorder): Promise<ReadKeys> {
  step.set(StepState.waiting);
  try {
    for (;;) {
      const { name } = run.prepared;
      const keys = await readPages(run, step, name);
      if (keys === undefined) continue;
      const chosen = chooseKeys(keys, run.input);
      refuseTooLarge(chosen);
      step.set(StepState.verified, { note: plural(keys.length, 'key') });
      return { keys: chosen, total: keys.length };
    }
  } catch (error) {
    if (error instanceof TemporalFailure) step.set(StepState.failed, { note: whyFailed(error) });
    throw error;
  }
}

function whyFailed(error: TemporalFailure): string {
  return isCancellation(error) ? 'ended before the list was read' : 'the list could not be read';
}

/**
 * What either of two lists shows: nothing names a key that one of them lacks. `undefined` when the filter has changed meanwhile.
 */
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
      // A part of many keys may fit where all of them do not.
      if (run.input.limit === undefined) refuseTooLarge(read);
      step.set(StepState.waiting, { note: `${read.length} of ${plural(count, 'key')} read` });
      return true;
    },
  });
  if (!isWanted()) return undefined;
  await sleep(run.prepared.policy.poll.minMs, {
    summary: 'the list once more: one may lack a key',
  });
  const again = await walkSshKeys(run, { name, onPage: isWanted });
  if (!isWanted()) return undefined;
  const byId = new Map([...keys, ...again].map((key) => [key.id, key]));
  return filterByName([...byId.values()], name);
}

/** Filters again: the result must not be longer when a server ignores the filter. */
function filterByName(keys: SshKeyView[], name: string | undefined): SshKeyView[] {
  if (name === undefined) return keys;
  return keys.filter((key) => key.name.toLowerCase().includes(name.toLowerCase()));
}

type Choice = Pick<ListSshKeysInput, 'orderBy' | 'offset' | 'limit'>;

/** The keys in the order that was asked for, without those before `offset` and after `limit`. */
export function chooseKeys(
  keys: readonly SshKeyView[],
  { orderBy = 'created_at.asc', offset = 0, limit = keys.length }: Choice,
): SshKeyView[] {
  const sign = orderBy.endsWith('.desc') ? -1 : 1;
  const byName = orderBy.startsWith('name.');
  const order = (a: SshKeyView, b: SshKeyView): number =>
    byName ? compare(a.name, b.name) : compare(a.createdAt, b.createdAt);
  // Keys of the same second or name stay in the order of their ids.
  const sorted = [...keys].sort((a, b) => sign * (order(a, b) || a.id - b.id));
  return sorted.slice(offset, offset + limit);
}

/** By code units: the same on every machine. */
function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function refuseTooLarge(keys: readonly SshKeyView[]): void {
  const { length } = new TextEncoder().encode(JSON.stringify(keys));
  if (length <= MAX_BYTES) return;
  throw failure(
    FailureType.resultTooLarge,
    `The ${keys.length} keys take ${length} bytes; a result holds ${MAX_BYTES}.`,
    { advice: 'Ask for fewer keys: set "limit", or "name" to a part of their names.' },
  );
}
