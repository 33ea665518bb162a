import { UNPAUSE } from '../../engine/core/names.js';
import { plural } from '../../engine/core/text.js';
import type {
  HeartbeatDetails,
  RepeatDetails,
  TurnDetails,
} from '../../engine/schema/heartbeat-details.js';
import type { StatusDocument, Waiting } from '../../engine/schema/status-document.js';
import type { RunFacts } from './run-facts.js';
import { sentence, when, joinWithAnd, type Command } from './sentences.js';

/** A wait of this many times the usual one is worth a remark. */
const REMARKABLE_FACTOR = 3;

/** What the run waits for, and since when. */
export function describeWait(waiting: Waiting, facts: RunFacts): string[] {
  const now = Date.parse(facts.observedAt);
  const { state, since, typicalSeconds, nextCheckAt, endsBy, watched, unwatched, deadline } =
    waiting;
  const usual = typicalSeconds === undefined ? '' : `; ${typicalSeconds} s are usual`;
  return [
    `It has waited since ${when(since, now)} for ${waiting.for}${state === undefined ? '' : ` (${state})`}${usual}${isLong(waiting, now) ? ', so this takes much longer' : ''}`,
    watched === true ? describeWatch(facts) : '',
    unwatched === undefined
      ? ''
      : `No worker watches it: ${sentence(unwatched)} So the run looks by itself, less often, and asks for a watcher from time to time`,
    nextCheckAt === undefined ? '' : `It checks again at ${when(nextCheckAt, now)}`,
    endsBy === undefined ? '' : `It ends at ${when(endsBy, now)} at the latest`,
    deadline === undefined ? '' : `It gives up at ${when(deadline, now)}`,
  ];
}

function isLong({ since, typicalSeconds }: Waiting, now: number): boolean {
  const elapsedMs = now - Date.parse(since);
  return typicalSeconds !== undefined && elapsedMs > typicalSeconds * 1000 * REMARKABLE_FACTOR;
}

/** The heartbeat of a watch says when the API does not answer it. */
function describeWatch({ calls }: RunFacts): string {
  const [trouble] = calls.flatMap(({ waiting }) =>
    waiting?.waitingFor === 'task' ? [waiting.trouble] : [],
  );
  return trouble === undefined
    ? 'A worker checks every few seconds'
    : `A worker checks for it, but its last check failed: ${trouble}`;
}

/** What a person does about a wait that another run or the API has to end. */
export function waitTroubles(
  { workflowId, observedAt }: RunFacts,
  { waiting, labels }: StatusDocument,
  command: Command,
): { sentence: string; next: string }[] {
  if (waiting === undefined) return [];
  const { holder, child, advice } = waiting;
  if (holder !== undefined) {
    return [
      {
        sentence: `The run "${holder}" keeps the turn until it goes on or ends`,
        next: `see what the run that has the turn waits for: ${command('explain', holder)}`,
      },
    ];
  }
  if (child !== undefined) {
    return [{ sentence: '', next: `see where that run is: ${command('explain', child)}` }];
  }
  if (advice !== undefined)
    return [
      { sentence: '', next: `${advice}${advice.includes(UNPAUSE) ? '' : toFind(labels, command)}` },
    ];
  if (!isLong(waiting, Date.parse(observedAt))) return [];
  return [
    {
      sentence: 'It goes on by itself when this ends',
      next: `wait; if it lasts, ask the support of the API (the run waits for ${waiting.for}); to follow it: ${command('watch', workflowId)}`,
    },
  ];
}

/** The runs of a batch have its group. */
function toFind(labels: StatusDocument['labels'], command: Command): string {
  const { group } = labels ?? {};
  if (group === undefined) return '';
  return `; to find them: ${command('list', '--group', group, '--phase', 'paused')}`;
}

export const WAIT_FOR_ANSWER =
  'nothing to do: it continues when the API answers; check whether the API reports an outage; if it does not: gcore-workflows doctor, where the worker runs';

interface CallWait {
  sentence: string;
  next: string;
}

/** What a running call waits for in the process of its worker. A watcher is described with its task. */
export function describeCallWait(name: string, wait: HeartbeatDetails, now: number): CallWait[] {
  switch (wait.waitingFor) {
    case 'rate':
      return [describeTurn(name, wait, now)];
    case 'answer':
      return [describeRepeat(name, wait, now)];
    case 'task':
      return [];
  }
}

function describeTurn(
  name: string,
  { perSecond, since, calls }: TurnDetails,
  now: number,
): CallWait {
  const rate = `about ${perSecond} ${perSecond === 1 ? 'request' : 'requests'} a second`;
  const limit =
    since === undefined
      ? `the request budget is ${rate}`
      : `the API allows ${rate} (429 since ${when(since, now)})`;
  return {
    sentence: `Its call ${name} waits for its turn: ${limit}, and ${plural(calls, 'call')} of this account ${calls === 1 ? 'waits' : 'wait'} in that worker`,
    next: 'nothing to do: the worker sends as many requests as the API allows',
  };
}

/** A call of many reads that repeats one of them. */
function describeRepeat(
  name: string,
  { failure: { type, message }, failures, since, nextAt }: RepeatDetails,
  now: number,
): CallWait {
  return {
    sentence: `Its call ${name} repeats a read that has failed ${failures === 1 ? 'once' : `${failures} times`} since ${when(since, now)}, the last time as ${type}: ${sentence(message)} It is repeated at ${when(nextAt, now)}; what the call has read before is kept`,
    next: WAIT_FOR_ANSWER,
  };
}

/** Where a run is, read from its history, when no worker answers. */
export function describeHistory({ past, calls, workflowTask, observedAt }: RunFacts): string[] {
  const now = Date.parse(observedAt);
  const { timers, lastCall, pausedAt, cancelRequestedAt, taskIds, resourceIds } = past;
  const known = joinWithAnd([...taskIds.map((id) => `task ${id}`), ...resourceIds]);
  const began = lastCall === undefined && calls.length === 0 && timers.length === 0;
  return [
    'No worker answered for it, so the rest is read from its history',
    began ? 'It has not sent anything to the API yet' : '',
    lastCall === undefined
      ? ''
      : `Its last answered call is ${lastCall.name}, at ${when(lastCall.endedAt, now)}`,
    known === '' ? '' : `The answers of the API named ${known}`,
    calls.length === 0
      ? ''
      : `These calls are running or scheduled: ${joinWithAnd(calls.map(({ name }) => name))}`,
    ...timers.map(({ summary = 'without a name', firesAt }) =>
      Date.parse(firesAt) > now
        ? `The timer "${summary}" fires at ${when(firesAt, now)}`
        : `The timer "${summary}" was due at ${when(firesAt, now)}`,
    ),
    workflowTask?.since === undefined
      ? ''
      : `Its next workflow task has been due since ${when(workflowTask.since, now)}`,
    pausedAt === undefined ? '' : `An operator paused it at ${when(pausedAt, now)}`,
    cancelRequestedAt === undefined
      ? ''
      : `It was asked to cancel at ${when(cancelRequestedAt, now)}, and undoes its work`,
  ];
}
