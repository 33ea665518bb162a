import { FailureType, triesAs } from '../../engine/core/failures.js';
import { Phase, StepState } from '../../engine/core/status.js';
import { UNPAUSE } from '../../engine/core/names.js';
import { quoteWord } from '../../engine/core/text.js';
import type { Blocked, StatusDocument } from '../../engine/schema/status-document.js';
import type { PendingCall, RunFacts, RunRecord } from './run-facts.js';
import { adviceToServe, isUnserved, withAccountSetting } from '../pollers.js';
import { describeAsked, howStarted, pausedBy } from './asked.js';
import {
  joinWithAnd,
  listResources,
  sentence,
  when,
  type Command,
  type Narrative,
} from './sentences.js';
import {
  describeHistory,
  describeCallWait,
  WAIT_FOR_ANSWER,
  describeWait,
  waitTroubles,
} from './describe-wait.js';

export interface OpenRun extends RunFacts {
  run: RunRecord;
}

/** Something that stops a run, and the step that removes it. */
interface Trouble {
  sentence: string;
  next: string;
}

/** Explains a run that has not ended. */
export function explainOpen(facts: OpenRun, command: Command): Narrative {
  const { workflowId, run, status } = facts;
  const now = Date.parse(facts.observedAt);
  const troubles = [
    ...pauseTroubles(facts),
    ...workerTroubles(facts, command),
    ...(status === undefined ? [] : runTroubles(facts, status, command)),
    ...callTroubles(facts),
    ...(status === undefined ? [] : waitTroubles(facts, status, command)),
  ];
  const started = `The run "${workflowId}" (${run.operation}) was ${howStarted(facts)} at ${when(run.startedAt, now)} and has not ended`;
  const known = status === undefined ? describeHistory(facts) : describeStatus(facts, status);
  const asked = describeAsked(facts);
  return {
    sentences: [started, ...known, ...asked, ...troubles.map(({ sentence }) => sentence)],
    next: troubles[0]?.next ?? `nothing to do; to follow it: ${command('watch', workflowId)}`,
  };
}

/** A pause of the server itself, of which the run knows nothing: no worker is given its tasks. */
function pauseTroubles({ workflowId, run }: OpenRun): Trouble[] {
  if (run.state !== 'PAUSED') return [];
  return [
    {
      sentence: 'Somebody has paused it in Temporal itself: it does nothing until that ends',
      next: `end that pause: ${UNPAUSE} --workflow-id ${quoteWord(workflowId)}`,
    },
  ];
}

/** Without a worker a run waits. It loses nothing. */
function workerTroubles(facts: OpenRun, command: Command): Trouble[] {
  const { idleQueues = [], status, past } = facts;
  const now = Date.parse(facts.observedAt);
  const failure = past.workflowTaskFailure;
  if (failure?.type === FailureType.decryptionFailed) {
    return [
      {
        sentence: `No worker can continue it, because one lacks a key. Since ${when(failure.at, now)} its workflow task fails with "${failure.message}". Temporal repeats the task until a worker has the key; nothing is lost or undone`,
        next: GIVE_THE_KEY,
      },
    ];
  }
  if (failure !== undefined) {
    return [
      {
        sentence: `No worker can continue it. Since ${when(failure.at, now)} its workflow task fails with "${failure.message}". The cause is a defect in the code, or a worker of another version. Temporal repeats the task until a worker can continue; nothing is lost or undone`,
        next: `run a worker of the version that has carried the run so far, or a fixed one: ${command('worker')}`,
      },
    ];
  }
  if (idleQueues.length > 0) return [idleTrouble(facts.run.account, idleQueues, command)];
  if (status !== undefined) return [];
  return [
    {
      sentence:
        facts.idleQueues === undefined
          ? 'No worker answered for it within seconds'
          : 'No worker answered for it, although one polled about a minute ago. That worker was stopped just now, or it is overloaded',
      next: `check that a worker runs, and read its log: ${command('worker', '--check')}`,
    },
  ];
}

function idleTrouble(account: string, idleQueues: readonly string[], command: Command): Trouble {
  if (isUnserved(account, idleQueues)) {
    return {
      sentence: `No worker serves the account "${account}": the run waits for one, and nothing is lost`,
      next: adviceToServe(account, command('worker')),
    };
  }
  const queues = joinWithAnd(idleQueues.map((name) => `"${name}"`));
  return {
    sentence: `No worker polls ${idleQueues.length === 1 ? 'the queue' : 'the queues'} ${queues}: the run waits for a worker, and nothing is lost`,
    next: `start a worker${withAccountSetting(account)}: ${command('worker')}`,
  };
}

function describeStatus(facts: OpenRun, status: StatusDocument): string[] {
  const { waiting } = status;
  return [
    ...describePosition(facts, status),
    describeFailure(status, Date.parse(facts.observedAt)),
    describeResources(status),
    ...(waiting === undefined ? [] : describeWait(waiting, facts)),
  ];
}

function describePosition(
  { past, observedAt }: OpenRun,
  { phase, steps }: StatusDocument,
): string[] {
  const { cancelRequestedAt } = past;
  const step = [...steps].reverse().find(({ state }) => state !== StepState.planned);
  const at =
    step === undefined ? 'before its first step' : `at the step "${step.name}" (${step.state})`;
  return [
    phase === Phase.rollingBack ? `It is undoing its work, ${at}` : `It is ${at}`,
    step?.note === undefined ? '' : `This step reports: ${step.note}`,
    cancelRequestedAt === undefined
      ? ''
      : `It was asked to cancel at ${when(cancelRequestedAt, Date.parse(observedAt))}`,
  ];
}

function describeFailure({ failure }: StatusDocument, now: number): string {
  if (failure === undefined) return '';
  const { type, message, advice, since, step } = failure;
  const where = step === undefined ? '' : ` in the step "${step}"`;
  return `It failed${where} as ${type} at ${when(since, now)}: ${sentence(message)} ${sentence(advice)}`;
}

const NOTHING_MADE: ReadonlySet<StepState> = new Set([StepState.planned, StepState.failed]);

function describeResources({ steps, waiting }: StatusDocument): string {
  const resources = steps.flatMap((step) => step.resources);
  if (resources.length > 0)
    return `These resources exist because of it: ${listResources(resources)}`;
  if (steps.some(({ state }) => state === StepState.outcomeUnknown)) {
    return 'It does not know yet whether its last call created something. It looks for the result';
  }
  const tasks = steps.flatMap(({ taskIds }) => taskIds.map((id) => `task ${id}`));
  // A task that nobody waits for may have ended, as before a block.
  if (tasks.length > 0) {
    const names = joinWithAnd(tasks);
    return waiting === undefined
      ? `The API has named ${names}`
      : `The API is working for it on ${names}`;
  }
  // Not every operation names what it has made so far.
  const isUnsent = steps.every(({ state }) => NOTHING_MADE.has(state));
  return isUnsent ? 'Nothing exists because of it, as far as it knows' : '';
}

function runTroubles(facts: OpenRun, status: StatusDocument, command: Command): Trouble[] {
  const { workflowId } = facts;
  const now = Date.parse(facts.observedAt);
  const { blocked } = status;
  const blocks =
    blocked === undefined ? [] : [describeBlock(blocked, { workflowId, now, status }, command)];
  if (status.phase !== Phase.paused) return blocks;
  const { pausedAt } = facts.past;
  const since = pausedAt === undefined ? '' : ` at ${when(pausedAt, now)}`;
  return [
    ...blocks,
    {
      sentence: `${pausedBy(facts)} paused it${since}. It sends nothing new; calls that were sent continue at the API`,
      next: `continue it: ${command('resume', workflowId)}, or end it: ${command('abort', workflowId)}`,
    },
  ];
}

const REMEDIES: Partial<Record<FailureType, string>> = {
  [FailureType.unauthorized]:
    'give the worker a valid key that is allowed to do this (docs/key-scopes.md)',
  [FailureType.quotaExceeded]: 'raise the quota or free some of it',
  [FailureType.capacityUnavailable]: 'wait, or choose another flavor or region in the input',
  [FailureType.secretUnavailable]: 'create the secret where the worker looks for it',
  [FailureType.outcomeUnknown]: 'check what exists and remove what should not',
  [FailureType.unexpectedResponse]:
    'check the address of the API, and whether there is a newer version of the worker',
  [FailureType.removalBlocked]: 'free what it cannot remove, or delete it yourself',
  [FailureType.defect]: 'replace the worker with a version in which this is mended',
  [FailureType.manifestUnreadable]: 'restore the manifest, or let the worker read it',
};

/**
 * Says what blocks a run and what to do about it. Offers a corrected input only where the run says
 * that it accepts one.
 */
function describeBlock(
  blocked: Blocked,
  { workflowId, now, status }: { workflowId: string; now: number; status: StatusDocument },
  command: Command,
): Trouble {
  const { type, message, advice, since, nextCheckAt, deadline } = blocked;
  const other =
    status.acceptsInput === true
      ? `, or with a corrected input: ${command('resume', workflowId, '--input', 'FILE')}`
      : '';
  return {
    sentence: [
      `It has been blocked as ${type} since ${when(since, now)}: ${sentence(message)} ${sentence(advice)}`,
      nextCheckAt === undefined
        ? ''
        : `It ${triesAs(type)} again on its own at ${when(nextCheckAt, now)}.`,
      deadline === undefined
        ? 'It never gives up on its own'
        : `It gives up at ${when(deadline, now)}`,
    ]
      .filter(Boolean)
      .join(' '),
    next: `${REMEDIES[type] ?? 'fix the cause'}, then: ${command('resume', workflowId)}${other}, or end it: ${command('abort', workflowId)}`,
  };
}

const TYPES: ReadonlySet<string> = new Set(Object.values(FailureType));

/** Calls that wait for their turn, or fail at the API, so that Temporal repeats them. A pending task is not a failure. */
function callTroubles(facts: OpenRun): Trouble[] {
  const now = Date.parse(facts.observedAt);
  const waiting = facts.calls.flatMap(({ name, waiting: wait }) =>
    wait === undefined ? [] : describeCallWait(name, wait, now),
  );
  return [...waiting, ...failingCalls(facts, now)];
}

function failingCalls(facts: OpenRun, now: number): Trouble[] {
  const failing = facts.calls.filter((call) => call.waiting === undefined && isFailing(call));
  return failing.map((call) => {
    const { name, attempt, nextAttemptAt, lastFailure } = call;
    const { type = '', message = '' } = lastFailure ?? {};
    const later = nextAttemptAt === undefined ? 'now' : `at ${when(nextAttemptAt, now)}`;
    return {
      sentence: `Its call ${name} has failed ${attempt === 2 ? 'once' : `${attempt - 1} times`}, the last time as ${type}: ${sentence(message)} Temporal repeats it ${later}, and then until the API answers`,
      next: type === FailureType.decryptionFailed ? GIVE_THE_KEY : WAIT_FOR_ANSWER,
    };
  });
}

const GIVE_THE_KEY =
  'give every worker the same key ring (GCORE_CODEC_KEYS_FILE, docs/secure.md): a file of keys is read again by itself';

function isFailing({ lastFailure }: PendingCall): boolean {
  return lastFailure?.type !== undefined && TYPES.has(lastFailure.type);
}
