import { patched } from '@temporalio/workflow';

import type { StartedTasks } from '../../../activities/instances.js';
import { StepState } from '../../../contract/status.js';
import { Patch } from '../run/patches.js';
import { OutdatedInput } from '../run/restart-on-corrected-input.js';
import type { Run, MarkedRun } from '../run/run-types.js';
import { createPause, type Pause } from '../wait/create-pause.js';
import { lookUntilGraceEnds } from '../wait/look-until.js';
import { MAX_CALL_MS } from '../wait/wait-until.js';
import { attemptOnce, type Attempt } from './attempt-once.js';
import type { NotSent, UnknownOutcome } from './classify-attempt.js';
import type { Mutation, Sent, SendWindow, Trace } from './mutation.js';
import { blockOnContradiction, type Verdict } from './verdict.js';

/**
 * Carries out a mutation once, although the API has no idempotency key and answers get lost.
 *
 * Looks by marker first, then sends with a single attempt. When the outcome is unknown, it looks
 * through a grace time longer than the API's list lag, and sends again only what is proven absent.
 * Registers the undo before the first send, and only for what this run itself sent: what was there
 * before belongs to an earlier run and is never rolled back.
 * Throws `OutdatedInput`.
 */
export async function sendOnce<T, Answer extends object>(
  run: MarkedRun,
  mutation: Mutation<T, Answer>,
): Promise<Sent<T, Answer>> {
  const { step } = mutation;
  const adopted = await adoptEarlier(run, mutation);
  if (adopted !== undefined) return adopted;

  const lastCall: LastCall = { lostIn: undefined, taskIds: [] };
  const rollback = run.onRollback(step, {
    undo: async () => {
      await mutation.remove(await tasksOfLastCall(run, mutation, lastCall));
    },
    inventory: async () => mutation.inventory(await tasksOfLastCall(run, mutation, lastCall)),
  });
  const pause = createPause(run, { name: 'the API to take the call', type: 'list of the API' });
  for (;;) {
    await run.controls.untilUnpaused();
    if (mutation.input !== run.input) {
      rollback.dismiss();
      throw new OutdatedInput('the input of the run has been corrected');
    }
    const from = Date.now();
    const attempt = await attemptOf(mutation);
    const sent: SendWindow = { from, to: Date.now() };
    if (attempt.kind === 'rejected') {
      rollback.dismiss();
      step.set(StepState.failed, { note: 'refused by the API' });
      throw attempt.error;
    }
    if (attempt.kind === 'answered') {
      const { answer } = attempt;
      lastCall.taskIds = namesTasks(answer) ? answer.taskIds : [];
      step.set(StepState.accepted, { taskIds: lastCall.taskIds });
      return { origin: 'sent', taskIds: lastCall.taskIds, answer };
    }
    if (attempt.kind === 'unknown') lastCall.lostIn = sent;
    const verdict = await blockOnContradiction(run, () =>
      settle(run, mutation, { attempt, sent, pause }),
    );
    lastCall.lostIn = undefined;
    if (verdict.kind === 'present') {
      const { taskIds, resource } = verdict;
      lastCall.taskIds = taskIds;
      step.set(StepState.accepted, {
        taskIds,
        note: 'its answer was lost; found again by its marker',
      });
      return { origin: 'recovered', taskIds, resource };
    }
    // The lost call may have failed by now and have left parts that the look does not show.
    const mayHaveLeft = attempt.kind === 'unknown' && patched(Patch.thoroughRemoval);
    if (verdict.kind === 'leftover' || mayHaveLeft) await mutation.remove(knownTasks(verdict));
  }
}

/** The last call that this run itself has sent: what a rollback has to undo. */
interface LastCall {
  /** When it was sent; set while its outcome is unknown. */
  lostIn: SendWindow | undefined;
  taskIds: string[];
}

/** Looks for the tasks first when the run was told to end while the outcome was unknown. */
async function tasksOfLastCall<T, Answer extends object>(
  run: Run,
  mutation: Mutation<T, Answer>,
  { lostIn, taskIds }: LastCall,
): Promise<string[]> {
  if (lostIn === undefined) return taskIds;
  const verdict = await reconcile(run, mutation, lostIn);
  return knownTasks(verdict);
}

/** Lists may lag behind the list of tasks: only the end of a task says what it made. */
function knownTasks<T>(verdict: Verdict<T>): string[] {
  if (verdict.kind !== 'present' && verdict.kind !== 'leftover') return [];
  return verdict.taskIds.length > 0 && patched(Patch.knownTasks) ? verdict.taskIds : [];
}

interface Unsettled {
  attempt: NotSent | UnknownOutcome;
  sent: SendWindow;
  pause: Pause;
}

/** Finds out what the API shows after an attempt without an answer. Nothing is sent before that. */
async function settle<T, Answer extends object>(
  run: Run,
  mutation: Mutation<T, Answer>,
  { attempt, sent, pause }: Unsettled,
): Promise<Verdict<T>> {
  if (attempt.kind === 'unknown') {
    mutation.step.set(StepState.outcomeUnknown, { note: attempt.reason });
    return reconcile(run, mutation, sent);
  }
  mutation.step.set(StepState.planned, { note: `not sent yet: ${attempt.reason}` });
  // As long as the API asked for, and longer each time when it keeps turning the call away.
  await pause(undefined, attempt.waitMs);
  run.ledger.setWaiting(undefined);
  // Temporal repeats this read until the API answers, so it also waits out an outage.
  return mutation.look();
}

/** Adopts what an earlier try of this request left when it is sound; removes it when it is broken. */
async function adoptEarlier<T, Answer extends object>(
  run: MarkedRun,
  mutation: Mutation<T, Answer>,
): Promise<Extract<Sent<T>, { origin: 'earlier' }> | undefined> {
  const { step } = mutation;
  for (;;) {
    const verdict = await blockOnContradiction(run, () => lookForEarlier(run, mutation));
    if (verdict.kind === 'absent') return undefined;
    if (verdict.kind === 'present') {
      const { resource, taskIds } = verdict;
      step.set(StepState.accepted, { taskIds, note: 'found from an earlier try of this request' });
      return { origin: 'earlier', taskIds, resource };
    }
    step.set(StepState.waiting, { note: `removing a leftover of an earlier try: ${verdict.note}` });
    await mutation.remove(knownTasks(verdict));
    run.ledger.setWaiting(undefined);
  }
}

/** A call of an earlier run that was cut short may still be on its way, or not listed yet. */
function lookForEarlier<T, Answer extends object>(
  run: MarkedRun,
  mutation: Mutation<T, Answer>,
): Promise<Verdict<T>> {
  const { cutShortAt } = run.prepared;
  if (cutShortAt === undefined) return mutation.look();
  const { maxCallMs = MAX_CALL_MS } = mutation;
  const sent = { from: cutShortAt - maxCallMs, to: cutShortAt + maxCallMs };
  return reconcile(run, mutation, { ...sent, graceFrom: sent.to });
}

/** An answer with an empty list of tasks does not say what the call has started. */
async function attemptOf<T, Answer extends object>(
  mutation: Mutation<T, Answer>,
): Promise<Attempt<Answer>> {
  const attempt = await attemptOnce(() => {
    mutation.step.set(StepState.sending);
    return mutation.send();
  });
  if (attempt.kind !== 'answered') return attempt;
  const { answer } = attempt;
  return namesTasks(answer) && answer.taskIds.length === 0
    ? { kind: 'unknown', reason: 'the API accepted the call without naming a task' }
    : attempt;
}

function namesTasks(answer: object): answer is StartedTasks {
  return 'taskIds' in answer;
}

/**
 * Looks until something shows or the grace time has passed. "Nothing" proves that nothing was made only
 * in a look after the grace time, and only when no call that may be ours is still running.
 */
async function reconcile<T, Answer extends object>(
  run: Run,
  mutation: Mutation<T, Answer>,
  sent: SendWindow & { graceFrom?: number },
): Promise<Verdict<T>> {
  const { graceFrom = Date.now() } = sent;
  const name = 'a trace of the call whose answer was lost';
  const until = graceFrom + run.prepared.policy.reconcileGraceMs;
  return lookUntilGraceEnds<Verdict<T>>(run, { name, until }, async (isLate) => {
    const verdict = await search(run, mutation, sent);
    if (verdict.kind === 'pending') return undefined;
    if (verdict.kind !== 'none') return verdict;
    return isLate ? { kind: 'absent' } : undefined;
  });
}

/** Looks by the marker first, then among the calls for what the lists do not show yet. */
async function search<T, Answer extends object>(
  run: Run,
  mutation: Mutation<T, Answer>,
  sent: SendWindow,
): Promise<Trace<T>> {
  const verdict = await mutation.look();
  const mayVanish = verdict.kind === 'present' && mutation.mayVanish?.(verdict.resource) === true;
  if (verdict.kind !== 'absent' && !mayVanish) return verdict;
  if (mutation.trace === undefined || run.prepared.policy.traceTasks !== true) {
    return mayVanish ? verdict : { kind: 'none' };
  }
  const trace = await mutation.trace(sent);
  if (!mayVanish || trace.kind === 'pending') return trace;
  // The call has ended since that look, so a look now shows its result.
  const settled = await mutation.look();
  return settled.kind === 'absent' ? { kind: 'none' } : settled;
}
