import { formatDuration } from '../../client/format-duration.js';
import type { RunSummary } from '../../client/index.js';
import { align } from './align.js';

/** Runs as a table of at most `width` characters. */
export function renderRuns(runs: readonly RunSummary[], now: number, width?: number): string[] {
  const rows = runs.map(({ workflowId, phase, startedAt, closedAt }) => {
    const took = formatDuration((closedAt?.getTime() ?? now) - startedAt.getTime());
    return { workflowId, phase, startedAt: startedAt.toISOString(), took };
  });
  const [wide, middle, narrow] = [
    rows.map(({ phase, startedAt, took, workflowId }) => [phase, startedAt, took, workflowId]),
    rows.map(({ phase, startedAt, took, workflowId }) => [
      phase,
      startedAt.slice(5, 16).replace('T', ' '),
      took,
      workflowId,
    ]),
    rows.map(({ phase, took, workflowId }) => [phase, took, workflowId]),
  ];
  return fitRows(
    [
      [['PHASE', 'STARTED', 'TOOK', 'WORKFLOW ID'], ...wide],
      [['PHASE', 'STARTED', 'TOOK', 'WORKFLOW ID'], ...middle],
      [['PHASE', 'TOOK', 'WORKFLOW ID'], ...narrow],
    ],
    width,
  );
}

const MIN_LAST = 20;

/**
 * Rows as lines of at most `width` characters: the first form that fits, or the last form with the middle
 * of its last column left out. A form is a table; later ones say less.
 */
export function fitRows(
  forms: readonly (readonly (readonly string[])[])[],
  width: number | undefined,
): string[] {
  const [first = []] = forms;
  if (width === undefined) return align(first);
  for (const form of forms) {
    const lines = align(form);
    if (lines.every((line) => line.length <= width)) return lines;
  }
  return cutLast(forms.at(-1) ?? first, width);
}

function cutLast(rows: readonly (readonly string[])[], width: number): string[] {
  const before = Math.max(
    0,
    ...align(rows.map((row) => row.slice(0, -1))).map(({ length }) => length),
  );
  const room = Math.max(MIN_LAST, width - before - 2);
  return align(rows.map((row) => [...row.slice(0, -1), cutMiddle(row.at(-1) ?? '', room)]));
}

/** Both ends of an id say the most: the operation and the end of the request id. */
function cutMiddle(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = Math.floor((length - 1) / 2);
  return `${text.slice(0, length - 1 - end)}…${text.slice(text.length - end)}`;
}
