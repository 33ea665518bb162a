import { FailureType } from '../../contract/failures.js';
import type { Resource } from '../../contract/resource.js';
import type { Ending, RunFacts, RunRecord } from './run-facts.js';
import type { Command, Narrative } from './narrative.js';
import { readsOnly, startAgain, whereToLook } from './start-again.js';
import { between, causeOf, listed, named, stamp, when } from './sentences.js';

interface ClosedRun extends RunFacts {
  run: RunRecord;
  closedAt: string;
}

type Failed = Extract<Ending, { kind: 'failed' }>;

/** A run that has ended. Everything can be told without a worker. */
export function explainClosed(facts: ClosedRun, command: Command): Narrative {
  const { ending, run, workflowId } = facts;
  if (run.state === 'TERMINATED' || run.state === 'TIMED_OUT') return cutOff(facts, command);
  if (ending === undefined) {
    const next = `look at its history: ${command('result', workflowId)}`;
    return { sentences: [`${began(facts)} and ended as ${run.state} ${ended(facts)}`], next };
  }
  if (ending.kind === 'succeeded') return succeeded(facts, ending.resources, command);
  if (ending.kind === 'cancelled') return cancelled(facts, command);
  return failed(facts, ending, command);
}

function began({ workflowId, run }: ClosedRun): string {
  return `The run "${workflowId}" (${run.operation}) was started at ${stamp(run.startedAt)}`;
}

function ended({ run, closedAt, observedAt }: ClosedRun): string {
  const took = between(run.startedAt, closedAt);
  return `after ${took}, at ${when(closedAt, Date.parse(observedAt))}`;
}

function succeeded(facts: ClosedRun, resources: Resource[], command: Command): Narrative {
  return {
    sentences: [
      `${began(facts)} and succeeded ${ended(facts)}`,
      resources.length === 0
        ? 'What it was to do is done and verified'
        : `At the API exist, verified: ${named(resources)}`,
    ],
    next: `nothing to do; its result: ${command('result', facts.workflowId)}`,
  };
}

function cancelled(facts: ClosedRun, command: Command): Narrative {
  const { cancelRequestedAt } = facts.past;
  const asked =
    cancelRequestedAt === undefined ? '' : `, as was asked for at ${stamp(cancelRequestedAt)}`;
  const left = leftBehind(facts);
  return {
    sentences: [
      `${began(facts)} and ended as cancelled ${ended(facts)}${asked}`,
      left === ''
        ? removedOf(facts)
        : `Still at the API, on purpose or because it could not be removed: ${left}`,
    ],
    next:
      left === ''
        ? `nothing to do; to start it again: ${startAgain(facts, command)}`
        : `remove what is left unless it is wanted; to start again: ${startAgain(facts, command)}`,
  };
}

function removedOf(facts: ClosedRun): string {
  return readsOnly(facts)
    ? 'It only reads: nothing was changed'
    : 'What it had made was removed, as far as is known';
}

/** By the run's own words; else by the search attributes, which it set last. */
function leftBehind({ status, past }: ClosedRun): string {
  if (status === undefined) return listed(past.resourceIds);
  return named(status.steps.flatMap((step) => step.resources));
}

function failed(facts: ClosedRun, ending: Failed, command: Command): Narrative {
  const { type, message, details } = ending;
  const { resources = [], step, taskId, requestId, advice } = details;
  const unnamed = resources.filter(({ id }) => !message.includes(id));
  const at = step === undefined ? '' : ` at the step "${step}"`;
  return {
    sentences: [
      `${began(facts)} and failed ${ended(facts)} as ${type}${at}`,
      causeOf(message, details),
      ...(unnamed.length === 0 ? [] : [`Still there: ${named(unnamed)}`]),
      ...(resources.length === 0 ? [nothingLeft(facts)] : []),
      ...(taskId === undefined ? [] : [`The task was ${taskId}`]),
      ...(requestId === undefined ? [] : [`The API's request id is ${requestId}`]),
    ],
    next: [
      type === FailureType.aborted ? 'nothing to do.' : '',
      advice ?? 'Read the cause in the history of the run.',
      startAgain(facts, command),
    ]
      .filter(Boolean)
      .join(' '),
  };
}

function nothingLeft(facts: ClosedRun): string {
  return readsOnly(facts)
    ? 'It only reads: nothing was changed'
    : 'Nothing that it made is left, as far as it knows';
}

/** Ended from outside: it could neither undo nor report anything. */
function cutOff(facts: ClosedRun, command: Command): Narrative {
  const { run, past } = facts;
  const { by, reason } = past.terminated ?? { by: '', reason: '' };
  const who = by === '' ? '' : ` by ${by}`;
  const why = reason === '' ? '' : ` (${reason})`;
  const how = run.state === 'TERMINATED' ? `terminated${who}${why}` : 'ended by a Temporal timeout';
  if (readsOnly(facts)) {
    const sentences = [
      `${began(facts)} and was ${how} ${ended(facts)}`,
      'It only reads: nothing was changed',
    ];
    return { sentences, next: `to read it again: ${startAgain(facts, command)}` };
  }
  const known = listed([...past.taskIds.map((id) => `task ${id}`), ...past.resourceIds]);
  return {
    sentences: [
      `${began(facts)} and was ${how} ${ended(facts)}`,
      'It could not undo anything: what it had made still exists, and a task of the API that was under way has gone on',
      known === '' ? '' : `Known of it: ${known}`,
      whereToLook(facts),
    ],
    next: `start the same request again, it finds what is there: ${startAgain(facts, command)}`,
  };
}
