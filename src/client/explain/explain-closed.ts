import { FailureType } from '../../engine/core/failures.js';
import { StepState } from '../../engine/core/status.js';
import { plural } from '../../engine/core/text.js';
import type { Ending, RunFacts, RunRecord } from './run-facts.js';
import { describeAsked, howStarted } from './asked.js';
import {
  durationBetween,
  causeOf,
  joinWithAnd,
  listResources,
  stamp,
  when,
  type Command,
  type Narrative,
} from './sentences.js';
import type { LeftWork } from '../../contract/operations/define-operation.js';
import { leftWork, readsOnly, startAgain, whereToLook } from './start-again.js';

interface ClosedRun extends RunFacts {
  run: RunRecord;
  closedAt: string;
}

type Failed = Extract<Ending, { kind: 'failed' }>;
type Succeeded = Extract<Ending, { kind: 'succeeded' }>;

/** Explains a run that has ended. This needs no worker. */
export function explainClosed(facts: ClosedRun, command: Command): Narrative {
  const { sentences, next } = narrateEnd(facts, command);
  return { sentences: [...sentences, ...describeAsked(facts)], next };
}

function narrateEnd(facts: ClosedRun, command: Command): Narrative {
  const { ending, run, workflowId } = facts;
  if (run.state === 'TERMINATED' || run.state === 'TIMED_OUT')
    return endedFromOutside(facts, command);
  if (ending === undefined) {
    const next = `read its result: ${command('result', workflowId)}`;
    return { sentences: [`${began(facts)} and ended as ${run.state} ${ended(facts)}`], next };
  }
  if (ending.kind === 'succeeded') return succeeded(facts, ending, command);
  if (ending.kind === 'cancelled') return cancelled(facts, command);
  return failed(facts, ending, command);
}

function began(facts: ClosedRun): string {
  const { workflowId, run } = facts;
  return `The run "${workflowId}" (${run.operation}) was ${howStarted(facts)} at ${stamp(run.startedAt)}`;
}

function ended({ run, closedAt, observedAt }: ClosedRun): string {
  const took = durationBetween(run.startedAt, closedAt);
  return `after ${took}, at ${when(closedAt, Date.parse(observedAt))}`;
}

function succeeded(facts: ClosedRun, ending: Succeeded, command: Command): Narrative {
  const result = command('result', facts.workflowId);
  return {
    sentences: [`${began(facts)} and succeeded ${ended(facts)}`, whatIsDone(facts, ending)],
    next: `${undoneIn(ending) > 0 ? 'look at what is not done' : 'nothing to do; to print its result'}: ${result}`,
  };
}

function whatIsDone(facts: ClosedRun, ending: Succeeded): string {
  const { resources, counts } = ending;
  const undone = undoneIn(ending);
  if (readsOnly(facts)) return 'It only reads: nothing was changed';
  if (undone > 0) {
    return `${undone} of its ${plural(counts?.asked ?? 0, 'item')} ${undone === 1 ? 'is' : 'are'} not done, which its input tolerates`;
  }
  if (resources.length === 0) return 'Its work is done and verified';
  return `These resources exist and are verified: ${listResources(resources)}`;
}

function undoneIn({ counts }: Succeeded): number {
  return counts === undefined ? 0 : counts.asked - counts.succeeded;
}

function cancelled(facts: ClosedRun, command: Command): Narrative {
  const { cancelRequestedAt } = facts.past;
  const asked =
    cancelRequestedAt === undefined ? '' : `, as requested at ${stamp(cancelRequestedAt)}`;
  const named = leftBehind(facts);
  const left = named === '' ? leftUnnamed(facts) : STILL_THERE;
  return {
    sentences: [
      `${began(facts)} and ended as cancelled ${ended(facts)}${asked}`,
      left.says + named,
    ],
    next: `${left.next}; to start it again: ${startAgain(facts, command)}`,
  };
}

const STILL_THERE: LeftWork = {
  says: 'These resources still exist, because the run was to keep them or could not remove them: ',
  next: 'remove what you do not need',
};

const LOOK = 'look at what exists, and remove what you do not need';

/** States of a step whose work was not undone, or perhaps not. */
const NOT_UNDONE: ReadonlySet<StepState> = new Set([StepState.kept, StepState.outcomeUnknown]);

/** An empty list proves nothing: a step may say that its work is kept, and not every operation undoes its work. */
function leftUnnamed(facts: ClosedRun): LeftWork {
  const left = leftWork(facts);
  if (left.undoes === true && isUnknown(facts)) return unknownWork(facts);
  const steps = (facts.status?.steps ?? []).filter(({ state }) => NOT_UNDONE.has(state));
  if (steps.length === 0 || left.undoes !== true) return left;
  const says = steps.map(
    ({ name, state, note }) => `"${name}" is ${state}${note === undefined ? '' : ` (${note})`}`,
  );
  return {
    says: `Something may be left of it: ${joinWithAnd(says)}. ${whereToLook(facts)}`,
    next: LOOK,
  };
}

/** A cancellation itself says nothing of what is left, unlike a failure. */
function isUnknown({ status, past, ending }: RunFacts): boolean {
  return status === undefined && past.leftIds === undefined && ending?.kind === 'cancelled';
}

function unknownWork(facts: RunFacts): LeftWork {
  const { taskIds, resourceIds } = facts.past;
  const known = joinWithAnd([...taskIds.map((id) => `task ${id}`), ...resourceIds]);
  const ofWhat = known === '' ? '' : ` of ${known}`;
  return {
    says: `No worker answered, so it is not known what the run has left${ofWhat}. ${whereToLook(facts)}`,
    next: LOOK,
  };
}

/** From the status of the run; without a worker from the search attributes, which it set last. */
function leftBehind({ status, past }: ClosedRun): string {
  if (status === undefined) return joinWithAnd(past.leftIds ?? []);
  return listResources(status.steps.flatMap((step) => step.resources));
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
      ...(unnamed.length === 0 ? [] : [`These resources still exist: ${listResources(unnamed)}`]),
      ...(resources.length === 0 ? [leftUnnamed(facts).says] : []),
      ...(taskId === undefined ? [] : [`The task id is ${taskId}`]),
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

/** A run that was terminated or timed out. It could neither undo nor report anything. */
function endedFromOutside(facts: ClosedRun, command: Command): Narrative {
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
  const known = joinWithAnd([...past.taskIds.map((id) => `task ${id}`), ...past.resourceIds]);
  return {
    sentences: [
      `${began(facts)} and was ${how} ${ended(facts)}`,
      'It could not undo anything: what it created still exists, and a running task of the API continued',
      known === '' ? '' : `These tasks and resources are known: ${known}`,
      whereToLook(facts),
    ],
    next: `start the same request again; it finds what exists: ${startAgain(facts, command)}`,
  };
}
