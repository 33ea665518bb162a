import { formatDuration } from '../../client/format-duration.js';
import type { RunSummary } from '../../client/index.js';
import { align } from './align.js';
import { oneLine, widthOf } from './terminal-text.js';

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

/**
 * Rows as lines of at most `width` columns: the first form that fits, or the last form with its last column on lines
 * of its own: an id is to be pasted. A form is a table; later ones say less.
 */
export function fitRows(
  forms: readonly (readonly (readonly string[])[])[],
  width: number | undefined,
): string[] {
  const [first = []] = forms;
  if (width === undefined) return align(first);
  for (const form of forms) {
    const lines = align(form);
    if (lines.every((line) => widthOf(line) <= width)) return lines;
  }
  return parted(forms.at(-1) ?? first);
}

function parted(rows: readonly (readonly string[])[]): string[] {
  const before = align(rows.map((row) => row.slice(0, -1)));
  return rows.flatMap((row, at) => [before[at] ?? '', oneLine(row.at(-1) ?? '')]);
}
