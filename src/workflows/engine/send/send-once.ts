import { patched } from '@temporalio/workflow';

import type { StartedTasks } from '../../../activities/instances.js';
import { StepState } from '../../../contract/status.js';
import { Patch } from '../run/patches.js';
import type { StepRecorder } from '../run/ledger.js';
import { refuseOutdatedInput } from '../run/restart-on-corrected-input.js';
import type { Run, MarkedRun } from '../run/run-types.js';
import type { RegisteredRollback } from '../run/rollback.js';
import { createPause, type Pause } from '../wait/create-pause.js';
import { attemptOnce, type Attempt } from './attempt-once.js';
import type { NotSent, UnknownOutcome } from './classify-attempt.js';
import type { Earlier, Mutation, Recovered, Sent, SendWindow } from './mutation.js';
import { lookForEarlier, reconcile } from './reconcile.js';
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

  const lastCall: LastCall = { lostIn: undefined, taskIds: [], mayExist: false };
  const rollback = registerUndo(run, mutation, lastCall);
  const noteGone = (): void => {
    // A run that began before the second tag was there undoes it again.
    if (run.prepared.maker !== undefined) rollback.dismiss();
  };
  const pause = createPause(run, { name: 'the API to take the call', type: 'list of the API' });
  for (;;) {
    await run.controls.untilUnpaused();
    if (mutation.input !== run.input) rollback.dismiss();
    refuseOutdatedInput(run, mutation.input);
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
      lastCall.mayExist = true;
      const taskIds = namesTasks(answer) ? answer.taskIds : [];
      lastCall.taskIds = taskIds;
      step.set(StepState.accepted, { taskIds });
      return { origin: 'sent', taskIds, answer, noteGone };
    }
    const found = await resolve(run, mutation, { attempt, sent, pause, lastCall });
    if (found === undefined) continue;
    if (found.origin === 'recovered') return { ...found, noteGone };
    rollback.dismiss();
    return found;
  }
}

/**
 * Finds out what an attempt without an answer has made. `undefined`: nothing exists, so it may be sent
 * again.
 */
async function resolve<T, Answer extends object>(
  run: MarkedRun,
  mutation: Mutation<T, Answer>,
  unsettled: Unsettled & { lastCall: LastCall },
): Promise<Recovered<T> | Earlier<T> | undefined> {
  const { attempt, sent, lastCall } = unsettled;
  const isUnknown = attempt.kind === 'unknown';
  if (isUnknown) Object.assign(lastCall, { lostIn: sent, mayExist: true });
  const verdict = await blockOnContradiction(run, () => settle(run, mutation, unsettled));
  lastCall.lostIn = undefined;
  const isFound = verdict.kind === 'present';
  if (isFound && isMadeByRun(run, mutation, { resource: verdict.resource, attempt })) {
    const { taskIds, resource } = verdict;
    lastCall.taskIds = taskIds;
    mutation.step.set(StepState.accepted, { taskIds, note: RECOVERED });
    return { origin: 'recovered', taskIds, resource };
  }
  // The lost call may have failed by now and have left parts that the look does not show.
  const mayHaveLeft = isUnknown && patched(Patch.thoroughRemoval);
  if (verdict.kind === 'leftover' || mayHaveLeft) {
    await mutation.remove(isFound ? [] : knownTasks(verdict));
  }
  lastCall.mayExist = false;
  return isFound ? adopt(mutation.step, verdict, 'somebody else made it meanwhile') : undefined;
}

const RECOVERED = 'its answer was lost; found again by its marker';

/** Takes over what this run has not made: it is never rolled back. */
function adopt<T>(
  step: StepRecorder,
  { resource, taskIds }: { resource: T; taskIds: string[] },
  note: string,
): Earlier<T> {
  step.set(StepState.accepted, { taskIds, note });
  return { origin: 'earlier', taskIds, resource };
}

/** Nothing of this run can exist, so there is nothing to undo: what shows was made by somebody else. */
function isProvenUnsent({ prepared }: MarkedRun, { mayExist }: LastCall): boolean {
  return prepared.maker !== undefined && !mayExist;
}

function registerUndo<T, Answer extends object>(
  run: MarkedRun,
  mutation: Mutation<T, Answer>,
  lastCall: LastCall,
): RegisteredRollback {
  return run.onRollback(mutation.step, {
    undo: async () => {
      if (isProvenUnsent(run, lastCall)) return;
      await mutation.remove(await tasksOfLastCall(run, mutation, lastCall));
    },
    inventory: async () =>
      isProvenUnsent(run, lastCall)
        ? []
        : mutation.inventory(await tasksOfLastCall(run, mutation, lastCall)),
  });
}

/** The last call that this run itself has sent: what a rollback has to undo. */
interface LastCall {
  /** When it was sent; set while its outcome is unknown. */
  lostIn: SendWindow | undefined;
  taskIds: string[];
  /** A call of this run was sent, and what it made is not proven absent or removed. */
  mayExist: boolean;
}

/** Without an attempt of unknown outcome, what is found was there before. A tag is the better proof. */
function isMadeByRun<T, Answer extends object>(
  { prepared }: MarkedRun,
  mutation: Mutation<T, Answer>,
  { resource, attempt }: { resource: T; attempt: NotSent | UnknownOutcome },
): boolean {
  if (prepared.maker === undefined) return true;
  return mutation.isMine?.(resource) ?? attempt.kind === 'unknown';
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
): Promise<Earlier<T> | undefined> {
  const { step } = mutation;
  for (;;) {
    const verdict = await blockOnContradiction(run, () => {
      // A person may answer a contradiction with another input.
      if (run.prepared.maker !== undefined) refuseOutdatedInput(run, mutation.input);
      return lookForEarlier(run, mutation);
    });
    if (verdict.kind === 'absent') return undefined;
    if (verdict.kind === 'present') {
      return adopt(step, verdict, 'found from an earlier try of this request');
    }
    step.set(StepState.waiting, { note: `removing a leftover of an earlier try: ${verdict.note}` });
    await mutation.remove(knownTasks(verdict));
    run.ledger.setWaiting(undefined);
  }
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
