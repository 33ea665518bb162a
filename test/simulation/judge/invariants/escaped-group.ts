import type { AskRecord, Finding, RunRecord } from '../../world/records.js';
import type { Facts } from '../facts/facts.js';
import { listAt, textAt } from '../facts/values.js';
import { findingOf } from './findings.js';

/**
 * After a command has cancelled, aborted or paused a whole group and said that it is done, nothing of the group begins any
 * more, and nothing of it goes on that was not asked: what its batches had not started by then must not be started, and what
 * they have started meanwhile belongs to the group.
 */
export function escapedGroup(facts: Facts): Finding[] {
  const { asks, runs } = facts.evidence;
  const done = asks.filter(
    ({ what, workflowId, isTaken }) =>
      isTaken && workflowId.startsWith('--group ') && STOPS.has(what),
  );
  return done.flatMap((ask) =>
    runs
      .filter((run) => isItemOfGroup(facts, run, ask))
      .flatMap((run) => {
        const how = howEscaped(run, ask);
        if (how === undefined) return [];
        const says = `it ${how} after "${ask.what} ${ask.workflowId}" had said that the group is done`;
        return [findingOf('escaped the group', run, says)];
      }),
  );
}

const STOPS: ReadonlySet<AskRecord['what']> = new Set(['cancel', 'abort', 'pause']);
/** A run that ends so soon after may have been about to end when it was asked. */
const JUST_ENDING_MS = 5_000;

function howEscaped(run: RunRecord, { what, at, endedAt = at }: AskRecord): string | undefined {
  if (run.startedAt > endedAt) return 'has begun';
  const isOver = run.closedAt !== undefined && run.closedAt <= endedAt + JUST_ENDING_MS;
  if (isOver || run.status === undefined) return undefined;
  const isAsked = listAt(run.status, 'asked').some((entry) => textAt(entry, 'for') === what);
  return isAsked ? undefined : 'went on, and was not asked,';
}

/** Whether a batch that has the label has started it, one that was there when the group was asked, and that nobody has set going again. */
function isItemOfGroup(facts: Facts, run: RunRecord, { workflowId, at }: AskRecord): boolean {
  if (run.byRun === undefined) return false;
  const batch = facts.runsOf(run.byRun).findLast(({ startedAt }) => startedAt <= run.startedAt);
  if (batch === undefined || batch.startedAt > at) return false;
  const isInGroup = `--group ${textAt(batch.input, 'labels', 'group') ?? ''}` === workflowId;
  const ids = [batch.workflowId, run.workflowId, workflowId];
  return isInGroup && !facts.evidence.asks.some((ask) => isSetGoing(ask, ids, at));
}

/** The history of a reset run does not name what it was asked before. */
const SETS_GOING: ReadonlySet<AskRecord['what']> = new Set(['resume', 'reset', 'retry']);

function isSetGoing(ask: AskRecord, ids: readonly string[], since: number): boolean {
  return SETS_GOING.has(ask.what) && ask.at >= since && ids.includes(ask.workflowId);
}
