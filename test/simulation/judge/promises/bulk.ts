import { batchLines, type BatchLine } from '../../../../src/contract/batch-lines.js';
import type { CallRecord, RunRecord } from '../../world/records.js';
import { wasAsked, type Facts } from '../facts/facts.js';
import { pathOf, wasCarriedOut } from '../facts/effects.js';
import { at } from '../facts/values.js';
import { type Broken, NOTHING, type OperationPromise, type Succeeded, when } from './promise.js';
import { mostFailed } from './videos.js';

const callApi: OperationPromise<'callApi'> = {
  requests: 60,
  minutes: 90,
  // Its path says what it may do; that it sends nothing else is judged by its calls.
  touches: NOTHING,
  broken: ({ input, result, run, facts }) => {
    const { method, path } = input;
    const sent = facts
      .callsOf(run.workflowId)
      .filter(
        (call) => wasCarriedOut(call) && call.method === method && pathOf(call.path) === path,
      );
    return [
      ...when(
        result.sent && sent.length === 0,
        'its result says that the call was sent, and the API has taken none',
        [],
      ),
      ...when(
        !result.sent && sent.length > 0 && !isSentByEarlierTry(facts, run, sent),
        'its result says that nothing was sent, and the API has taken a call',
        [],
      ),
      ...when(
        !result.sent && input.look === undefined && sent.length === 0,
        'it counts as done, and nothing was sent',
        [],
      ),
    ];
  },
};

const ENDED_BADLY: readonly string[] = ['failed', 'cancelled', 'terminated', 'timedOut'];

/** The run of an item, as it was when the batch ended. */
function runAt(runs: readonly RunRecord[], now: number): RunRecord | undefined {
  return runs
    .filter(({ startedAt, state }) => startedAt <= now && state !== 'continuedAsNew')
    .at(-1);
}

function stateAt(run: RunRecord, now: number): RunRecord['state'] {
  return run.closedAt === undefined || run.closedAt > now ? 'running' : run.state;
}

/** A line of holds is done once its address is protected. Somebody may end the hold before the batch has ended. */
function isEndedByPerson({ workflowId, startedAt, closedAt = Infinity }: RunRecord, facts: Facts) {
  const isAsked = facts.evidence.asks.some(
    (ask) => ENDS.has(ask.what) && ask.workflowId === workflowId && ask.at >= startedAt,
  );
  const hasProtected = facts
    .callsOf(workflowId)
    .some((call) => wasCarriedOut(call) && call.at >= startedAt && call.at <= closedAt);
  return isAsked && hasProtected;
}

const ENDS: ReadonlySet<string> = new Set(['terminate', 'delete', 'abort', 'cancel']);

function brokenItem(
  { run, facts }: Succeeded<'runBatch'>,
  { line, workflowId, outcome }: BatchLine,
): Broken[] {
  if (workflowId === undefined || outcome === 'untried') return [];
  const now = run.closedAt ?? Infinity;
  const runs = facts.runsOf(workflowId).filter(({ startedAt }) => startedAt <= now);
  const item = runAt(runs, now);
  // Somebody may have deleted it.
  const isDeleted = wasAsked(facts, 'delete', workflowId);
  if (item === undefined)
    return when(!isDeleted, `line ${line} is called ${outcome}, and it has no run`, []);
  const state = stateAt(item, now);
  if (outcome === 'succeeded') {
    const isHeld =
      at(item.input, 'holdFor') !== undefined &&
      (state === 'running' || isEndedByPerson(item, facts));
    const hasOne = runs.some((each) => stateAt(each, now) === 'completed');
    return when(
      !hasOne && !isHeld,
      `line ${line} is called succeeded, and its run is ${state}`,
      [],
    );
  }
  if (outcome !== 'failed') return [];
  const hasFailed = runs.some((each) => ENDED_BADLY.includes(stateAt(each, now)));
  // The run of somebody else, who has asked for something else under this name, is a conflict.
  const isOwn = runs.some((each) => each.byRun === run.workflowId);
  return when(
    !hasFailed && isOwn && state === 'completed',
    `line ${line} is called failed, and its run has succeeded`,
    [],
  );
}

const runBatch: OperationPromise<'runBatch'> = {
  requests: 5,
  minutes: 26 * 60,
  touches: NOTHING,
  broken: (ended) => {
    const { input, result } = ended;
    const lines = [...batchLines(result.report)];
    const { asked, succeeded, failed, pending, untried } = result.counts;
    const most = mostFailed(input, asked);
    const count = (outcome: string): number =>
      lines.filter((line) => line.outcome === outcome).length;
    return [
      ...lines.flatMap((line) => brokenItem(ended, line)),
      ...when(
        asked !== lines.length || asked !== succeeded + failed + pending + untried,
        'the counts do not add up',
        [],
      ),
      ...when(
        count('succeeded') !== succeeded || count('failed') !== failed,
        'the counts and the report differ',
        [],
      ),
      ...when(failed > most, `${failed} of ${asked} failed, and ${most} were tolerated`, []),
    ];
  },
};

export const BULK_PROMISES = { callApi, runBatch };

/** A run that was started again, or reset, sends nothing where an earlier try has sent it. */
function isSentByEarlierTry(facts: Facts, run: RunRecord, sent: readonly CallRecord[]): boolean {
  const isReset = wasAsked(facts, 'reset', run.workflowId);
  return isReset || sent.every(({ at }) => at < run.startedAt);
}
