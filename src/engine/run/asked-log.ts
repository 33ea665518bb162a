import { workflowInfo } from '@temporalio/workflow';

import { AskedFor, startedByOf, toIdentity } from '../core/identity.js';
import { isoOf } from '../core/times.js';
import type { Asked } from '../schema/status-document.js';

/** What was asked of a run, and by whom. */
export interface AskedLog {
  /** @param by what the caller claims */
  note(what: AskedFor, by: unknown): void;
  list(): readonly Asked[];
}

/** A status is read again and again, so it names the newest ones only. */
const MAX_NAMED = 10;

/** @param before what an earlier history of the run was asked, or who started it */
export function createAskedLog(before: readonly Asked[] = [], onNote: () => void): AskedLog {
  let asked = [...before];
  return {
    note(what, by) {
      const entry = { for: what, by: toIdentity(by), at: isoOf(Date.now()) };
      const last = asked.at(-1);
      // Somebody who asks the same again and again does not push out what others asked.
      const isAgain = last?.for === entry.for && last.by === entry.by;
      asked = isAgain
        ? [...asked.slice(0, -1), { ...entry, times: (last.times ?? 1) + 1 }]
        : [...asked, entry].slice(-MAX_NAMED);
      onNote();
    },
    list: () => asked,
  };
}

const MEMO = 'asked';

/** What one history tells the next by its memo. */
export function askedMemo(asked: readonly Asked[]): Record<string, unknown> | undefined {
  return asked.length === 0 ? undefined : { [MEMO]: asked };
}

/**
 * What the history before this one was asked, or who started the run.
 *
 * @param startedAt when the first history began, in milliseconds since the epoch
 */
export function askedBefore(startedAt: number): Asked[] {
  const { memo } = workflowInfo();
  const before: unknown = memo?.[MEMO];
  if (Array.isArray(before)) return before.slice(-MAX_NAMED).flatMap(toAsked);
  const started = startedByOf(memo);
  if (started === undefined) return [];
  return [{ for: started.as, by: started.by, at: isoOf(startedAt) }];
}

const WORDS: ReadonlySet<unknown> = new Set(Object.values(AskedFor));

/** Histories of the run write this memo, but whoever starts a run may forge one. */
function toAsked(entry: unknown): Asked[] {
  if (!(entry instanceof Object && 'for' in entry && 'by' in entry && 'at' in entry)) return [];
  const { at } = entry;
  if (!isWord(entry.for) || typeof at !== 'string' || Number.isNaN(Date.parse(at))) return [];
  const times = 'times' in entry && typeof entry.times === 'number' && { times: entry.times };
  return [{ for: entry.for, by: toIdentity(entry.by), at: isoOf(Date.parse(at)), ...times }];
}

function isWord(word: unknown): word is AskedFor {
  return WORDS.has(word);
}
