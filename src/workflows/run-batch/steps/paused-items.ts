import { ItemState, PAUSED_IN_TEMPORAL } from '../../../contract/wire/batch.js';
import { UNPAUSE } from '../../../engine/core/names.js';
import { cutText, plural } from '../../../engine/core/text.js';
import { toSortedRanges } from '../../shared/line-groups.js';
import type { Batch } from './batch-state.js';

/** The items that somebody has paused, by what lets them go on. */
export interface PausedItems {
  count: number;
  /** How many a `resume` of their own lets go on. */
  resumable: number;
  /** How many the Temporal server itself holds, and their lines: no list of paused runs shows them. */
  frozen: number;
  frozenLines: string;
}

/** Thousands of lines may be scattered. */
const MOST_LINES_BYTES = 200;

export function pausedItems({ open }: Pick<Batch, 'open'>): PausedItems {
  const paused = [...open.values()].filter(({ state }) => state === ItemState.paused);
  const frozen = paused.filter((item) => item.class === PAUSED_IN_TEMPORAL);
  return {
    count: paused.length,
    resumable: paused.length - frozen.length,
    frozen: frozen.length,
    frozenLines: cutText(toSortedRanges(frozen.map(({ line }) => line)), MOST_LINES_BYTES),
  };
}

/** For the note of the step. */
export function notesOfPaused({ resumable, ...items }: PausedItems): string[] {
  const each = (count: number) => (count === 1 ? 'it' : 'each');
  return [
    ...(resumable > 0 ? [`${resumable} paused: resume ${each(resumable)} by itself`] : []),
    ...(items.frozen > 0
      ? [
          `${items.frozen} paused in Temporal itself (line ${items.frozenLines}): unpause ${each(items.frozen)} there`,
        ]
      : []),
  ];
}

/** What a person does where nothing else goes on. */
export function adviceToFree({ resumable, frozen, frozenLines }: PausedItems): string {
  return [
    resumable > 0 && 'resume each of them by itself',
    frozen > 0 && `end the pause of ${plural(frozen, 'run')} (line ${frozenLines}): ${UNPAUSE}`,
  ]
    .filter(Boolean)
    .join(', and ');
}
