import type { Finding, RunRecord } from '../../world/records.js';
import type { Facts } from '../facts/facts.js';
import { listAt } from '../facts/values.js';
import { isOperation } from '../facts/operations.js';
import { PROMISES } from '../promises/index.js';
import { findingOf } from './findings.js';

/** A run that waits makes no more than this, on the average: where an answer lacks a field, each of its tries reads four times. */
const REQUESTS_PER_MINUTE = 5;
/** What one fault may cost. */
const REQUESTS_PER_STRIKE = 30;
const STRIKES_IF_UNKNOWN = 10;
const PER_ITEM = 6;

/** A list is one request, on however many pages the API gives it. */
const NEXT_PAGE = /[?&]offset=[1-9]/;

/** Also of a run that has a turn for which another one waits: it is asked, ever more rarely, whether it still has it. */
const PLAIN_EVENTS = 700;
const EVENTS_PER_REQUEST = 12;
const EVENTS_PER_MINUTE = 12;
const MAX_TEXT_CHARACTERS = 4 * 1024 ** 2;

/** Requests and events of each run, and sizes of what is stored, stay within what was promised and what faults explain. */
export function overBudget(facts: Facts): Finding[] {
  const { texts, runs } = facts.evidence;
  const long = texts.find(({ length }) => length > MAX_TEXT_CHARACTERS);
  const tooLong = {
    invariant: 'over budget',
    workflowId: undefined,
    says: `A text is ${long?.length ?? 0} characters long`,
  };
  return [...runs.flatMap((run) => judgeRun(facts, run)), ...(long === undefined ? [] : [tooLong])];
}

function judgeRun(facts: Facts, run: RunRecord): Finding[] {
  const { operation, workflowId, events } = run;
  if (!isOperation(operation)) return [];
  const runs = facts.runsOf(workflowId);
  const minutes = runs.reduce((sum, each) => sum + minutesOf(facts, each), 0);
  const strikes = facts.evidence.strikes?.length ?? STRIKES_IF_UNKNOWN;
  const items = listAt(run.input, 'videos').length + listAt(run.input, 'items').length;
  const requests = facts.callsOf(workflowId).filter(({ path }) => !NEXT_PAGE.test(path)).length;
  const plain = PROMISES[operation].requests + items * PER_ITEM;
  const most = plain * runs.length + strikes * REQUESTS_PER_STRIKE + minutes * REQUESTS_PER_MINUTE;
  const own = facts
    .callsOf(workflowId)
    .filter((call) => call.at >= run.startedAt && call.at <= (run.closedAt ?? Infinity));
  const mostEvents =
    PLAIN_EVENTS + items * 20 + own.length * EVENTS_PER_REQUEST + minutes * EVENTS_PER_MINUTE;
  return [
    ...(requests > most
      ? [
          findingOf(
            'over budget',
            run,
            `it has made ${requests} requests; at most ${Math.round(most)} are explained`,
          ),
        ]
      : []),
    ...(events > mostEvents
      ? [
          findingOf(
            'over budget',
            run,
            `its history has ${events} events; at most ${Math.round(mostEvents)} are explained`,
          ),
        ]
      : []),
  ];
}

function minutesOf(
  { evidence }: Facts,
  { startedAt, closedAt = evidence.endedAt }: RunRecord,
): number {
  return Math.max(0, closedAt - startedAt) / 60_000;
}
