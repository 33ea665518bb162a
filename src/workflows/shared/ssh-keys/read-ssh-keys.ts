import { isCancellation, TemporalFailure } from '@temporalio/workflow';

import type { PreparedListSshKeys } from '../../../contract/prepared/list-ssh-keys.js';
import type { SshKeyView } from '../../../activities/ssh-keys.js';
import { FailureType } from '../../../contract/failures.js';
import { StepState } from '../../../contract/status.js';
import { failure } from '../../engine/run/failures.js';
import type { StepRecorder } from '../../engine/run/ledger.js';
import type { Run } from '../../engine/run/run.js';
import { createSshKeyWalk } from './ssh-key-walk.js';

type ListRun = Run<PreparedListSshKeys>;

/** The most that the API gives in one page. */
const PAGE = 1_000;
/** Ten times what a result takes: a list that takes longer changes as fast as it is read. */
const MAX_PAGES = 50;
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

export interface WalkedKeys {
  /** Part of the name. */
  name?: string | undefined;
  /** Told what was read so far and how many there are; false ends the walk. */
  onPage?: (read: SshKeyView[], count: number) => boolean;
}

/** The keys of all pages. Fails as `UnexpectedResponse` when the list changes as fast as it is read. */
export async function walkSshKeys(run: Run, { name, onPage }: WalkedKeys): Promise<SshKeyView[]> {
  const filter = name === undefined ? {} : { name };
  const walk = createSshKeyWalk(PAGE);
  for (let pages = 1; ; pages++) {
    const offset = walk.offset();
    if (offset === undefined) return walk.keys();
    if (pages > MAX_PAGES) throw tooRestless();
    await run.controls.clearance();
    const page = await run.api.reads.listSshKeyPage.executeWithOptions(
      { summary: `keys${name === undefined ? '' : ` named ${name}`} from ${offset + 1} on` },
      [{ offset, limit: PAGE, ...filter }],
    );
    walk.take(page);
    const keys = walk.keys();
    if (onPage?.(keys, page.count) === false) return keys;
  }
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

function tooRestless(): Error {
  return failure(
    FailureType.unexpectedResponse,
    `The list of keys changed so often that it was not read to its end within ${MAX_PAGES} pages.`,
    { advice: 'Find out who adds and removes keys all the time, then start again.' },
  );
}
