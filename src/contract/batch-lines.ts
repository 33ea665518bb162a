import { fromRanges } from '../engine/core/number-ranges.js';
import type { BatchReport } from './operations/types.js';
import { idsByLine, ItemState, itemWorkflowId } from './wire/batch.js';

/** The outcome of one item of a batch. */
export interface BatchLine {
  /** Line of the manifest, or position in `items`; counted from 1. */
  line: number;
  /** Of its run; missing while it was not started. */
  workflowId?: string;
  /** Its request had succeeded before: nothing was done for it now. */
  before?: true;
  /** Somebody else has started its run. */
  joined?: true;
  outcome: 'succeeded' | 'failed' | 'open' | 'blocked' | 'untried';
  /** Type of the failure, or why it is blocked. */
  class?: string;
  text?: string;
}

/** The long form of a report: one line for each item, in order. */
export function* batchLines(report: BatchReport): Generator<BatchLine> {
  const { operation, account } = report;
  const ids = idsByLine(report.ids);
  const before = new Set(fromRanges(report.before));
  const joined = new Set(fromRanges(report.joined ?? ''));
  const known = new Map([
    ...outcomes(report.succeeded, ItemState.succeeded),
    ...outcomes(report.open, ItemState.open),
    ...report.failed.flatMap((group) => outcomes(group.lines, ItemState.failed, group)),
    ...report.blocked.flatMap((group) => outcomes(group.lines, ItemState.blocked, group)),
  ]);
  for (const line of fromRanges(report.lines)) {
    const outcome = known.get(line);
    const id = ids.get(line);
    const workflowId = id && itemWorkflowId({ operation, account }, { id });
    yield {
      line,
      ...(workflowId && { workflowId }),
      ...(before.has(line) && { before: true }),
      ...(joined.has(line) && { joined: true }),
      ...(outcome ?? { outcome: 'untried' }),
    };
  }
}

type Outcome = Pick<BatchLine, 'outcome' | 'class' | 'text'>;

function outcomes(
  lines: string,
  outcome: BatchLine['outcome'],
  group?: { class: string; text: string },
): [number, Outcome][] {
  const { class: kind, text } = group ?? {};
  const told = { outcome, ...(kind !== undefined && { class: kind }), ...(text && { text }) };
  return [...fromRanges(lines)].map((line) => [line, told]);
}

/** The Workflow Id of a run that the batch itself has started: what somebody else has started is no part of it. */
export function startedIn({ workflowId, joined }: BatchLine): string[] {
  return workflowId === undefined || joined === true ? [] : [workflowId];
}
