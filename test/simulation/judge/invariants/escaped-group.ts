import type { Finding, RunRecord } from '../../world/records.js';
import type { Facts } from '../facts/facts.js';
import { textAt } from '../facts/values.js';
import { findingOf } from './findings.js';

/**
 * After a command has cancelled or aborted a whole group and said that it is done, nothing of the group begins any more: what
 * its batches had not started by then must not be started.
 */
export function escapedGroup(facts: Facts): Finding[] {
  const { asks, runs } = facts.evidence;
  const done = asks.filter(
    ({ what, workflowId, isTaken }) =>
      isTaken && workflowId.startsWith('--group ') && (what === 'cancel' || what === 'abort'),
  );
  return done.flatMap(({ what, workflowId, at, endedAt = at }) =>
    runs
      .filter((run) => run.startedAt > endedAt && isItemOfGroup(facts, run, { workflowId, at }))
      .map((run) =>
        findingOf(
          'escaped the group',
          run,
          `it has begun after "${what} ${workflowId}" had said that the group is done`,
        ),
      ),
  );
}

/** Whether a batch that has the label, and that was there when the group was asked, has started it. */
function isItemOfGroup(
  facts: Facts,
  run: RunRecord,
  { workflowId, at }: { workflowId: string; at: number },
): boolean {
  if (run.byRun === undefined) return false;
  return facts
    .runsOf(run.byRun)
    .some(
      ({ input, startedAt }) =>
        startedAt <= at && `--group ${textAt(input, 'labels', 'group') ?? ''}` === workflowId,
    );
}
