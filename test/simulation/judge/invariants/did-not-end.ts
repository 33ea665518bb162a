import type { Finding, RunRecord } from '../../world/records.js';
import { itemsOf } from '../facts/batches.js';
import type { Facts } from '../facts/facts.js';
import { phaseOf } from '../facts/status.js';
import { at, textAt } from '../facts/values.js';
import { isOperation } from '../facts/operations.js';
import { findingOf } from './findings.js';
import { isReasonTrue } from './true-reason.js';

/** Every run ends within its promised time after the last fault, or says a true reason. */
export function didNotEnd(facts: Facts): Finding[] {
  const { runs, openAtCalm } = facts.evidence;
  const noted = openAtCalm.flatMap(({ runId, status }) => {
    const run =
      runs.find((each) => each.runId === runId) ?? runs.find((each) => each.firstRunId === runId);
    return run === undefined || !isOperation(run.operation)
      ? []
      : judgeOpen(facts, { ...run, status });
  });
  const open = runs.filter(({ state, operation }) => state === 'running' && isOperation(operation));
  return [...noted, ...open.flatMap((run) => judgeAtEnd(facts, run))];
}

/** Everything had been in order for hours, and nobody had given it up. */
function judgeOpen(facts: Facts, run: RunRecord): Finding[] {
  const phase = phaseOf(run);
  if (phase === 'paused' || waitsForOther(facts, run) || isHolding(facts, run)) return [];
  if (phase !== 'blocked') {
    const waitsFor = textAt(run.status, 'waiting', 'for') ?? 'nothing that it says';
    return [
      findingOf(
        'did not end',
        run,
        `hours after the last fault it is ${phase ?? 'open'} and waits for ${waitsFor}`,
      ),
    ];
  }
  const type = textAt(run.status, 'blocked', 'type') ?? 'a reason of unknown form';
  if (isReasonTrue(facts, run, type)) return [];
  const message = textAt(run.status, 'blocked', 'message') ?? '';
  return [
    findingOf(
      'untrue reason',
      run,
      `hours after the last fault it is blocked as ${type}, and nothing in the cloud is so: ${message.slice(0, 200)}`,
    ),
  ];
}

/** Its turn, or the end of a part or of an item, which is judged itself. */
function waitsForOther(facts: Facts, run: RunRecord): boolean {
  const { openAtCalm } = facts.evidence;
  const { status } = run;
  const other = textAt(status, 'waiting', 'holder') ?? textAt(status, 'waiting', 'child');
  const isOpen = (workflowId: string): boolean =>
    facts
      .runsOf(workflowId)
      .some(({ runId, firstRunId }) =>
        openAtCalm.some((open) => open.runId === runId || open.runId === firstRunId),
      );
  if (other !== undefined) return isOpen(other);
  return itemsOf(run).some(isOpen);
}

/** A hold is over when it was to be over. */
function isHolding({ evidence }: Facts, { status }: RunRecord): boolean {
  if (at(status, 'waiting', 'holds') === undefined) return false;
  const until = Date.parse(textAt(status, 'waiting', 'nextCheckAt') ?? '');
  return Number.isNaN(until) || until > evidence.lastStrikeAt;
}

/** Whoever was still open was asked to end, hours ago. */
function judgeAtEnd({ evidence }: Facts, run: RunRecord): Finding[] {
  const isPaused = phaseOf(run) === 'paused' && isLeftPaused(evidence.asks, run.workflowId);
  if (isPaused || evidence.endedAt - Math.max(evidence.lastStrikeAt, run.startedAt) < LEAST_MS)
    return [];
  return [
    findingOf(
      'did not end',
      run,
      `it is open at the end of everything, ${phaseOf(run) ?? 'without an answer'}, hours after the last fault`,
    ),
  ];
}

const LEAST_MS = 2 * 3_600_000;

function isLeftPaused(asks: Facts['evidence']['asks'], workflowId: string): boolean {
  const own = asks.filter(
    (ask) => ask.workflowId === workflowId || ask.workflowId.startsWith('--group'),
  );
  return (
    own.findLast(
      ({ isTaken, what }) => isTaken && ['pause', 'resume', 'abort', 'cancel'].includes(what),
    )?.what === 'pause'
  );
}
