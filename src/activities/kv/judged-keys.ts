import { z } from 'zod';

import { earlierProgress, keepProgress } from '../../engine/activities/attempt.js';
import type { Judgement } from './judge-value.js';

/** The outcome of reading keys back. */
export interface Comparison {
  same: number;
  /** The first keys that differ, each with the reason. */
  differing: { key: string; why: string }[];
  differs: number;
  unknown: { reason: string; keys: number }[];
}

/** What is known about the keys of one activity. The next attempt goes on from it. */
export interface JudgedKeys {
  has(at: number): boolean;
  note(at: number, judgement: Judgement): void;
  /** Offset of the next page of the list; null when it is read. */
  listedTo(): number | null;
  listed(next: number | null): void;
  comparison(): Comparison;
}

/** Maximum number of differing keys that are named. */
const MAX_NAMED = 20;

const MARKS = { none: '-', same: 's', differs: 'd', unknown: 'u' } as const;

const progressSchema = z.object({
  /** One letter for each key, in order. */
  marks: z.string().regex(/^[-sdu]*$/),
  listedTo: z.int().min(0).nullable(),
  /** Places of keys, each with the reason. */
  differing: z.array(z.tuple([z.number(), z.string()])),
  unknown: z.array(z.object({ reason: z.string(), keys: z.number() })),
});
type Progress = z.infer<typeof progressSchema>;

/** Begins where the attempt before has stopped. */
export function createJudgedKeys(keys: readonly string[]): JudgedKeys {
  const earlier = earlierProgress(progressSchema);
  const begun: Progress =
    earlier?.marks.length === keys.length
      ? earlier
      : { marks: MARKS.none.repeat(keys.length), listedTo: 0, differing: [], unknown: [] };
  const marks = Array.from(begun.marks);
  const { differing, unknown } = begun;
  let { listedTo } = begun;
  // Copies: a progress that is too large to be sent must not change the one before it.
  keepProgress((): Progress => ({
    marks: marks.join(''),
    listedTo,
    differing: [...differing],
    unknown: unknown.map((row) => ({ ...row })),
  }));
  const count = (wanted: string): number => marks.filter((mark) => mark === wanted).length;
  return {
    has: (at) => marks[at] !== MARKS.none,
    note(at, judgement) {
      marks[at] = MARKS[judgement.kind];
      if (judgement.kind === 'same') return;
      if (judgement.kind === 'unknown') addUnknown(unknown, judgement.why);
      else if (differing.length < MAX_NAMED) differing.push([at, judgement.why]);
    },
    listedTo: () => listedTo,
    listed: (next) => {
      listedTo = next;
    },
    comparison: () => ({
      same: count(MARKS.same),
      differs: count(MARKS.differs),
      differing: differing.map(([at, why]) => ({ key: keys[at] ?? '', why })),
      unknown,
    }),
  };
}

function addUnknown(unknown: Comparison['unknown'], reason: string): void {
  const row = unknown.find((other) => other.reason === reason);
  if (row === undefined) unknown.push({ reason, keys: 1 });
  else row.keys += 1;
}
