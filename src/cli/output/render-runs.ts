import { formatDuration } from '../../client/format-duration.js';
import type { RunSummary } from '../../client/index.js';
import { fitRows } from './fit-rows.js';

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
