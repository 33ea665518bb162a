import { FailureType } from '../core/failures.js';
import type { PreparedSender } from '../core/prepared-run.js';
import type { RemoteApi } from '../core/product.js';
import { StepState } from '../core/status.js';
import { refuseFaults } from '../plan/refuse-faults.js';
import { failure, failureTypeOf, orUndefinedIfGone, toFailureText } from '../run/failures.js';
import { parkWhileBlocked } from '../run/park-while-blocked.js';
import type { TaskOutcome } from '../run/run-types.js';
import type { Mutation, Sent } from '../send/mutation.js';
import { sendOnce } from '../send/send-once.js';
import { findUnlessGone } from '../wait/find-unless-gone.js';
import { lookUntilGivenUp, lookUntilGraceEnds } from '../wait/look-until.js';
import { stateAfter, waitForTasks } from '../wait/wait-for-tasks.js';
import { describeBroken } from './judge-made.js';
import type { Made, MadeThing } from './make-step.js';
import { createTrace, judgeFound, type Making } from './making.js';
import { inventoryOf, removeMade } from './remove-made.js';

/**
 * Makes the thing of one request: sends once, waits for the tasks, and reads until it is sound. What an earlier run
 * of the request has begun is waited for; when that fails, it is removed, and this run sends its own call.
 */
export async function makeOnce<
  I,
  P extends PreparedSender,
  T extends MadeThing,
  A extends RemoteApi,
>(making: Making<I, P, T, A>): Promise<Made<T>> {
  const { run, step, recorder, memory } = making;
  const mutation = mutationOf(making);
  const after = step.after?.(making.asked);
  for (;;) {
    const sent = await sendOnce(run, mutation);
    const tasks = await waitForTasks(run, sent.taskIds, {
      step: recorder,
      expect: step.starts,
      mayHaveEnded: sent.origin !== 'sent',
      thenRead: after?.read,
    });
    const failed = tasks.find(({ state }) => state === 'ERROR');
    if (failed === undefined) {
      const first = stateAfter(after, tasks);
      const until = Date.now() + run.prepared.policy.reconcileGraceMs;
      // The call was accepted: a run that is blocked here only looks again.
      const thing = await parkWhileBlocked(run, async () =>
        untilSound(making, await identify(making, mutation, { sent, tasks, until }), first),
      );
      return { thing, taskIds: sent.taskIds, adopted: thing.maker !== run.prepared.maker };
    }
    if (sent.origin !== 'earlier') throw await handleFailedTask(making, mutation, { sent, failed });
    memory.givenUp.add(sent.resource.id);
    await mutation.remove(sent.taskIds);
  }
}

/** The call, and how it is found again. */
export function mutationOf<I, P extends PreparedSender, T extends MadeThing, A extends RemoteApi>(
  making: Making<I, P, T, A>,
): Mutation<T> {
  const { run, step, asked, recorder } = making;
  return {
    step: recorder,
    input: asked.input,
    look: async () => judgeFound(making, await step.list(asked)),
    check: () => refuseFaults(recorder, (draft) => step.check(asked, draft)),
    send: (within) => step.send(run, within),
    trace: createTrace(making),
    isMine: ({ maker }) => maker === run.prepared.maker,
    remove: (taskIds) => removeMade(making, taskIds),
    inventory: (taskIds, by) => inventoryOf(making, taskIds, by),
    named: ({ id }) => [{ kind: step.kind, id }],
  };
}

interface Ended<T, A extends RemoteApi> {
  sent: Sent<T>;
  tasks: readonly TaskOutcome<A>[];
  /** When the grace time ends in which what was made has to show, in milliseconds since the epoch. */
  until: number;
}

/** The id of what was made: the tasks name it, or the look before has found it, or else a look does. */
async function identify<I, P extends PreparedSender, T extends MadeThing, A extends RemoteApi>(
  { run, step }: Making<I, P, T, A>,
  mutation: Mutation<T>,
  { sent, tasks, until }: Ended<T, A>,
): Promise<string> {
  const named = tasks.flatMap(({ created }) => created && step.created(created));
  const [id = sent.resource?.id] = named;
  if (id !== undefined) return id;
  const name = `the ${step.kind} to show`;
  return lookUntilGraceEnds(run, { name, until }, async (isLate) => {
    const verdict = await mutation.look();
    if (verdict.kind === 'present') return verdict.resource.id;
    if (!isLate) return undefined;
    const seen = verdict.kind === 'absent' ? 'nothing carries its marker' : verdict.note;
    throw failure(
      FailureType.outcomeUnknown,
      `The API accepted the call and its tasks (${sent.taskIds.join(', ')}) ended, but: ${seen}`,
      {
        advice:
          'Look at the tasks and at what exists. `resume` looks again, and `abort` ends the run.',
      },
    );
  });
}

/** A finished task alone proves nothing. */
async function untilSound<I, P extends PreparedSender, T extends MadeThing, A extends RemoteApi>(
  making: Making<I, P, T, A>,
  id: string,
  first: T | undefined,
): Promise<T> {
  const { run, step, asked, recorder } = making;
  const { kind } = step;
  recorder.set(recorder.state, { resources: [{ kind, id }] });
  let status: string | undefined;
  let known = first?.id === id ? first : undefined;
  const wait = { name: `the ${kind} to be ready`, type: step.starts, state: () => status };
  return lookUntilGivenUp(run, wait, async () => {
    const seen = await readForSure(making, id, known);
    known = undefined;
    if (seen === undefined) throw vanishedFailure(`${kind} ${id}`);
    const condition = step.condition(seen);
    ({ status } = seen);
    if (condition === 'unfinished') return undefined;
    if (condition === 'broken') {
      throw failure(
        FailureType.taskFailed,
        `The task has finished, but it has made ${describeBroken(kind, [seen])}.`,
        { advice: 'Ask the support of the API. Then start again under the same request id.' },
      );
    }
    const difference = step.differs(seen, asked);
    if (difference === undefined) return seen;
    throw failure(FailureType.outcomeUnknown, `The ${kind} ${id} is not as asked: ${difference}.`, {
      advice: 'Look at it: does somebody else change it too?',
    });
  });
}

/** What it shows. That it is missing or broken takes more than one look: an answer may be wrong once. */
async function readForSure<I, P extends PreparedSender, T extends MadeThing, A extends RemoteApi>(
  { run, step, asked }: Making<I, P, T, A>,
  id: string,
  first: T | undefined,
): Promise<T | undefined> {
  let last = first;
  let isFirst = first !== undefined;
  const found = await findUnlessGone(run, {
    name: `${step.kind} ${id}`,
    async look() {
      if (!isFirst) last = await orUndefinedIfGone(step.read(asked, id));
      isFirst = false;
      return last && step.condition(last) !== 'broken' ? last : undefined;
    },
  });
  return found.kind === 'found' ? found.seen : last;
}

function vanishedFailure(thing: string): Error {
  return failure(
    FailureType.outcomeUnknown,
    `The task that made ${thing} has finished, but the API does not find it.`,
    { advice: 'Has somebody deleted it? `resume` looks again, and `abort` ends the run.' },
  );
}

type SentByRun<T> = Exclude<Sent<T>, { origin: 'earlier' }>;

/** A failed task may leave a rest. It is removed at once when the request will be tried again: it costs money meanwhile. */
async function handleFailedTask<
  I,
  P extends PreparedSender,
  T extends MadeThing,
  A extends RemoteApi,
>(
  { run, step, recorder }: Making<I, P, T, A>,
  mutation: Mutation<T>,
  { sent, failed }: { sent: SentByRun<T>; failed: TaskOutcome<A> },
): Promise<Error> {
  const error = step.toFailure(failed);
  const note = failed.error ?? 'no reason given';
  recorder.set(StepState.failed, { note });
  const isTriedAgain = run.prepared.onBlocked === 'wait';
  if (failureTypeOf(error) !== FailureType.taskFailed && isTriedAgain) {
    run.ledger.setFailure(toFailureText(error));
    await mutation.remove(sent.taskIds);
    run.ledger.setFailure(undefined);
    sent.noteGone();
    recorder.set(StepState.failed, { resources: [], note });
  }
  return error;
}
