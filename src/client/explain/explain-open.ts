import { FailureType } from '../../contract/failures.js';
import { Phase, StepState } from '../../contract/status.js';
import type { Blocked, StatusDocument, Waiting } from '../../contract/status-document.js';
import type { PendingCall, RunFacts, RunRecord } from './run-facts.js';
import type { Command, Narrative } from './narrative.js';
import { fromHistory } from './from-history.js';
import { listed, named, sentence, when } from './sentences.js';

export interface OpenRun extends RunFacts {
  run: RunRecord;
}

/** What hinders a run, and what to do about it. */
interface Trouble {
  said: string;
  next: string;
}

/** A run that has not ended. */
export function explainOpen(facts: OpenRun, command: Command): Narrative {
  const { workflowId, run, status } = facts;
  const now = Date.parse(facts.observedAt);
  const troubles = [
    ...workerTroubles(facts, command),
    ...(status === undefined ? [] : runTroubles(facts, status, command)),
    ...failingCalls(facts),
  ];
  const started = `The run "${workflowId}" (${run.operation}) was started at ${when(run.startedAt, now)} and has not ended`;
  const known = status === undefined ? fromHistory(facts) : fromStatus(facts, status);
  return {
    sentences: [started, ...known, ...troubles.map(({ said }) => said)],
    next: troubles[0]?.next ?? `nothing to do; to follow it: ${command('watch', workflowId)}`,
  };
}

/** Without a worker a run stands still, but loses nothing. */
function workerTroubles(facts: OpenRun, command: Command): Trouble[] {
  const { idleQueues = [], status, past } = facts;
  const now = Date.parse(facts.observedAt);
  const failure = past.workflowTaskFailure;
  if (failure !== undefined) {
    return [
      {
        said: `No worker can carry it on: since ${when(failure.at, now)} its next decision fails with "${failure.message}". That is a defect of the code, or a worker of another version; Temporal tries again until one can, and nothing is lost or undone`,
        next: `run a worker of the version that has carried the run so far, or a corrected one: ${command('worker')}`,
      },
    ];
  }
  if (idleQueues.length > 0) {
    const queues = listed(idleQueues.map((name) => `"${name}"`));
    return [
      {
        said: `No worker polls ${idleQueues.length === 1 ? 'the queue' : 'the queues'} ${queues}: the run stands still until one does, and loses nothing`,
        next: `start a worker: ${command('worker')}`,
      },
    ];
  }
  if (status !== undefined) return [];
  return [
    {
      said:
        facts.idleQueues === undefined
          ? 'No worker has answered for it within seconds'
          : 'No worker has answered for it, although one has polled within the last minute or so: it has just been stopped, or it is overloaded',
      next: `look whether a worker runs, and at its log: ${command('worker', '--check')}`,
    },
  ];
}

function fromStatus(facts: OpenRun, status: StatusDocument): string[] {
  const { waiting } = status;
  const now = Date.parse(facts.observedAt);
  return [
    whereabouts(facts, status),
    existing(status),
    ...(waiting === undefined ? [] : describeWait(waiting, now)),
  ];
}

function whereabouts({ past, observedAt }: OpenRun, { phase, steps }: StatusDocument): string {
  const { cancelRequestedAt } = past;
  const step = [...steps].reverse().find(({ state }) => state !== StepState.planned);
  const at =
    step === undefined ? 'before its first step' : `at the step "${step.name}" (${step.state})`;
  const note = step?.note === undefined ? '' : `. Of this step is known: ${step.note}`;
  const undoing = phase === Phase.rollingBack ? 'It is undoing what it did' : 'It is';
  const why =
    cancelRequestedAt === undefined
      ? ''
      : `, was asked to cancel at ${when(cancelRequestedAt, Date.parse(observedAt))}`;
  return `${undoing} ${at}${why}${note}`;
}

function existing({ steps }: StatusDocument): string {
  const resources = steps.flatMap((step) => step.resources);
  if (resources.length > 0) return `At the API exist because of it: ${named(resources)}`;
  if (steps.some(({ state }) => state === StepState.outcomeUnknown)) {
    return 'Whether the call that it sent has made something is not known yet; it looks for that';
  }
  const tasks = steps.flatMap(({ taskIds }) => taskIds.map((id) => `task ${id}`));
  return tasks.length === 0
    ? 'Nothing exists at the API because of it, as far as it knows'
    : `What it asked for is being made at the API by ${listed(tasks)}`;
}

/** So much longer than usual that a person wants to know. */
const LONG = 3;

function describeWait(waiting: Waiting, now: number): string[] {
  const { state, since, typicalSeconds, nextCheckAt, watched, deadline } = waiting;
  const elapsedMs = now - Date.parse(since);
  const usual = typicalSeconds === undefined ? '' : `; ${typicalSeconds} s are usual`;
  const isLong = typicalSeconds !== undefined && elapsedMs > typicalSeconds * 1000 * LONG;
  return [
    `It waits for ${waiting.for}${state === undefined ? '' : `, which is ${state},`} since ${when(since, now)}${usual}${isLong ? ', so this takes much longer' : ''}`,
    watched === true ? 'A worker looks every few seconds' : '',
    nextCheckAt === undefined ? '' : `It looks again at ${when(nextCheckAt, now)}`,
    deadline === undefined ? '' : `It gives up at ${when(deadline, now)}`,
  ];
}

function runTroubles(facts: OpenRun, status: StatusDocument, command: Command): Trouble[] {
  const { workflowId } = facts;
  const now = Date.parse(facts.observedAt);
  if (status.blocked !== undefined) {
    return [describeBlock(status.blocked, { workflowId, now, status }, command)];
  }
  if (status.phase !== Phase.paused) return [];
  const { pausedAt } = facts.past;
  const since = pausedAt === undefined ? '' : ` at ${when(pausedAt, now)}`;
  return [
    {
      said: `An operator paused it${since}: it sends nothing new, and what was sent goes on at the API`,
      next: `let it go on: ${command('resume', workflowId)}, or end it: ${command('abort', workflowId)}`,
    },
  ];
}

const MEND: Partial<Record<FailureType, string>> = {
  [FailureType.unauthorized]: 'give the worker a valid key',
  [FailureType.quotaExceeded]: 'raise the quota or free some of it',
  [FailureType.capacityUnavailable]: 'wait, or correct the input to another flavor or region',
  [FailureType.outcomeUnknown]: 'look at what exists and remove what should not',
};

/**
 * What blocks a run and what to do about it. Offers another input only where the run says that it
 * accepts one: an older worker does not say, and its run may refuse it.
 */
function describeBlock(
  blocked: Blocked,
  { workflowId, now, status }: { workflowId: string; now: number; status: StatusDocument },
  command: Command,
): Trouble {
  const { type, message, advice, since, nextCheckAt, deadline } = blocked;
  const other =
    status.acceptsInput === true
      ? `, with another input: ${command('resume', workflowId, '--input', 'FILE')}`
      : '';
  return {
    said: [
      `It is blocked as ${type} since ${when(since, now)}: ${sentence(message)} ${sentence(advice)}`,
      nextCheckAt === undefined ? '' : `It tries again by itself at ${when(nextCheckAt, now)}.`,
      deadline === undefined
        ? 'It never gives up by itself'
        : `It gives up at ${when(deadline, now)}`,
    ]
      .filter(Boolean)
      .join(' '),
    next: `${MEND[type] ?? 'mend the cause'}, then: ${command('resume', workflowId)}${other}, or end it: ${command('abort', workflowId)}`,
  };
}

const TYPES: ReadonlySet<string> = new Set(Object.values(FailureType));

/** Calls that Temporal repeats because the API hinders them. A task that is merely pending is none. */
function failingCalls(facts: OpenRun): Trouble[] {
  const now = Date.parse(facts.observedAt);
  return facts.calls.filter(isFailing).map((call) => {
    const { name, attempt, nextAttemptAt, lastFailure } = call;
    const { type = '', message = '' } = lastFailure ?? {};
    const later = nextAttemptAt === undefined ? 'now' : `at ${when(nextAttemptAt, now)}`;
    return {
      said: `Its call ${name} has failed ${attempt - 1} times, last as ${type}: ${sentence(message)} It is tried again ${later}, and again until the API answers`,
      next: 'nothing to do: it goes on by itself when the API answers; is there news of an outage?',
    };
  });
}

function isFailing({ lastFailure }: PendingCall): boolean {
  return lastFailure?.type !== undefined && TYPES.has(lastFailure.type);
}
