import { patched } from '@temporalio/workflow';

import type { StartedTasks } from '../../../activities/instances.js';
import { StepState } from '../../../contract/status.js';
import type { Resource } from '../../../contract/resource.js';
import { attemptOnce } from './attempt-once.js';
import type { Attempt } from './classify-attempt.js';
import { lookUntilGraceEnds } from '../wait/look-until.js';
import type { StepRecorder } from '../run/ledger.js';
import { Patch } from '../run/patches.js';
import type { Run, MarkedRun } from '../run/run-types.js';
import { OutdatedInput } from '../run/restart-on-corrected-input.js';
import { blockOnContradiction, type Verdict } from './verdict.js';
import { MAX_CALL_MS } from '../wait/wait-until.js';
import { createPause, type Pause } from '../wait/create-pause.js';

/** A mutation that the API would carry out again each time it is sent. */
export interface Mutation<T> {
  step: StepRecorder;
  /** The input that it was made from. */
  input: unknown;
  /** An attempt ends by itself after this time, in milliseconds; as other calls do where it is missing. */
  longestCallMs?: number;
  look(): Promise<Verdict<T>>;
  send(): Promise<StartedTasks>;
  /** Looks for the call itself, where the API lists calls: it may show before its result does. */
  trace?(sent: SendWindow): Promise<Trace<T>>;
  /** What shows may vanish again with the call that makes it, until that has ended. Needs `trace`. */
  isUnsettled?(resource: T): boolean;
  /** Removes what this request made, after the given tasks have ended, and verifies that it is gone. */
  remove(taskIds: readonly string[]): Promise<void>;
  /** What this request made and what exists now, as far as the API shows it. */
  inventory(taskIds: readonly string[]): Promise<Resource[]>;
}

/** When the call whose answer was lost was sent, in milliseconds since the epoch. */
export interface SendWindow {
  from: number;
  to: number;
}

export type Trace<T> =
  | { kind: 'none' }
  /** A call that may be ours is still being worked on: nothing is proven before it has ended. */
  | { kind: 'pending' }
  | Extract<Verdict<T>, { kind: 'present' | 'contradiction' | 'leftover' }>;

/** How a mutation was carried out, and the tasks that lead to its end. */
export interface Sent<T> {
  /**
   * `sent`: accepted by the API. `recovered`: the answer was lost, the result was found by its
   * marker. `earlier`: it was there before this run sent anything.
   */
  origin: 'sent' | 'recovered' | 'earlier';
  taskIds: string[];
  /** What was found, unless `sent`. */
  resource?: T;
}

/**
 * Carries out a mutation once, although the API has no idempotency key and answers get lost.
 *
 * Looks by marker first; sends with one attempt; when the outcome is unknown, looks again and
 * again through a grace time longer than the API's list lag, and sends again only what is proven
 * absent. The undo is registered before the first send, and only for what this run itself sent:
 * what was there before belongs to an earlier run and is never rolled back.
 * Throws `OutdatedInput`.
 */
export async function sendOnce<T>(run: MarkedRun, mutation: Mutation<T>): Promise<Sent<T>> {
  const { step } = mutation;
  const adopted = await adoptEarlier(run, mutation);
  if (adopted !== undefined) return adopted;

  const own: Own = { unknown: undefined, taskIds: [] };
  const rollback = run.onRollback(step, {
    undo: async () => {
      await mutation.remove(await settledTasks(run, mutation, own));
    },
    inventory: async () => mutation.inventory(await settledTasks(run, mutation, own)),
  });
  const pause = createPause(run, { name: 'the API to take the call', type: 'list of the API' });
  for (;;) {
    await run.controls.clearance();
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
    if (attempt.kind === 'accepted') {
      own.taskIds = attempt.taskIds;
      step.set(StepState.accepted, { taskIds: attempt.taskIds });
      return { origin: 'sent', taskIds: attempt.taskIds };
    }
    if (attempt.kind === 'unknown') own.unknown = sent;
    const verdict = await blockOnContradiction(run, () =>
      settle(run, mutation, { attempt, sent, pause }),
    );
    own.unknown = undefined;
    if (verdict.kind === 'present') {
      own.taskIds = verdict.taskIds;
      step.set(StepState.accepted, {
        taskIds: verdict.taskIds,
        note: 'its answer was lost; found again by its marker',
      });
      return { origin: 'recovered', taskIds: verdict.taskIds, resource: verdict.resource };
    }
    // A lost call may also have failed by now, and have left what no look for the thing itself shows.
    const mayHaveLeft = attempt.kind === 'unknown' && patched(Patch.thoroughRemoval);
    if (verdict.kind === 'leftover' || mayHaveLeft) await mutation.remove(knownTasks(verdict));
  }
}

/** What this run itself has sent: what a rollback has to undo. */
interface Own {
  /** Set while nobody knows what came of the last attempt. */
  unknown: SendWindow | undefined;
  taskIds: string[];
}

/** The tasks of what this run sent, also of a call whose outcome nobody knew when the run was told to end. */
async function settledTasks<T>(run: Run, mutation: Mutation<T>, own: Own): Promise<string[]> {
  if (own.unknown === undefined) return own.taskIds;
  const verdict = await reconcile(run, mutation, own.unknown);
  return knownTasks(verdict);
}

/** Lists may lag behind what the list of tasks has shown: only the end of a task says what it made. */
function knownTasks<T>(verdict: Verdict<T>): string[] {
  if (verdict.kind !== 'present' && verdict.kind !== 'leftover') return [];
  return verdict.taskIds.length > 0 && patched(Patch.knownTasks) ? verdict.taskIds : [];
}

interface Unsettled {
  attempt: Extract<Attempt, { kind: 'not-sent' | 'unknown' }>;
  sent: SendWindow;
  pause: Pause;
}

/** After an attempt without an answer: what does the API show? Until it says so, nothing is sent. */
async function settle<T>(
  run: Run,
  mutation: Mutation<T>,
  { attempt, sent, pause }: Unsettled,
): Promise<Verdict<T>> {
  if (attempt.kind === 'unknown') {
    mutation.step.set(StepState.outcomeUnknown, { note: attempt.reason });
    return reconcile(run, mutation, sent);
  }
  mutation.step.set(StepState.planned, { note: `not sent yet: ${attempt.reason}` });
  // As long as the API asked for, and longer each time when it goes on turning the call away.
  await pause(undefined, attempt.waitMs);
  run.ledger.setWaiting(undefined);
  // This read is repeated by Temporal until the API answers, so it also waits out an outage.
  return mutation.look();
}

/** What an earlier try of this request left: adopted when sound, removed when broken. */
async function adoptEarlier<T>(
  run: MarkedRun,
  mutation: Mutation<T>,
): Promise<Sent<T> | undefined> {
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

/** An earlier run that was cut short may have sent a call that is still on its way, or not listed yet. */
function lookForEarlier<T>(run: MarkedRun, mutation: Mutation<T>): Promise<Verdict<T>> {
  const { cutShortAt } = run.prepared;
  if (cutShortAt === undefined) return mutation.look();
  const { longestCallMs = MAX_CALL_MS } = mutation;
  const sent = { from: cutShortAt - longestCallMs, to: cutShortAt + longestCallMs };
  return reconcile(run, mutation, { ...sent, doubtedSince: sent.to });
}

/** An answer that names no task says nothing of what it started. */
async function attemptOf<T>(mutation: Mutation<T>): Promise<Attempt> {
  const outcome = await attemptOnce(() => {
    mutation.step.set(StepState.sending);
    return mutation.send();
  });
  if (outcome.kind !== 'answered') return outcome;
  const { taskIds } = outcome.answer;
  return taskIds.length > 0
    ? { kind: 'accepted', taskIds }
    : { kind: 'unknown', reason: 'the API accepted the call without naming a task' };
}

/**
 * Looks again and again until something shows or the grace time has passed. The last look comes
 * after the grace, and no call that may be ours is being worked on any more: only then does
 * "nothing" prove that nothing was made.
 */
async function reconcile<T>(
  run: Run,
  mutation: Mutation<T>,
  sent: SendWindow & { doubtedSince?: number },
): Promise<Verdict<T>> {
  const { doubtedSince = Date.now() } = sent;
  const name = 'a trace of the call whose answer was lost';
  const until = doubtedSince + run.prepared.policy.reconcileGraceMs;
  return lookUntilGraceEnds<Verdict<T>>(run, { name, until }, async (isLate) => {
    const verdict = await search(run, mutation, sent);
    if (verdict.kind === 'pending') return undefined;
    if (verdict.kind !== 'none') return verdict;
    return isLate ? { kind: 'absent' } : undefined;
  });
}

/** By the marker first; then among the calls, for what the lists of resources do not show yet. */
async function search<T>(run: Run, mutation: Mutation<T>, sent: SendWindow): Promise<Trace<T>> {
  const verdict = await mutation.look();
  const isDoubtful =
    verdict.kind === 'present' && mutation.isUnsettled?.(verdict.resource) === true;
  if (verdict.kind !== 'absent' && !isDoubtful) return verdict;
  if (mutation.trace === undefined || run.prepared.policy.traceTasks !== true) {
    return isDoubtful ? verdict : { kind: 'none' };
  }
  const trace = await mutation.trace(sent);
  if (!isDoubtful || trace.kind === 'pending') return trace;
  // The call has ended since that look: what shows now is what came of it.
  const settled = await mutation.look();
  return settled.kind === 'absent' ? { kind: 'none' } : settled;
}
