import type { StartedTasks } from '../../../activities/instances.js';
import { FailureType } from '../../../contract/failures.js';
import { StepState } from '../../../contract/status.js';
import { attemptOnce } from './attempt-once.js';
import type { NotSent, UnknownOutcome } from './classify-attempt.js';
import { failure } from '../run/failures.js';
import { lookUntilGraceEnds } from '../wait/look-until.js';
import type { StepRecorder } from '../run/ledger.js';
import type { Run, TaskOutcome } from '../run/run-types.js';
import { createPause } from '../wait/create-pause.js';
import { waitForTasks } from '../wait/wait-for-tasks.js';

/** What has been sent for one thing so far: before it is put back, all of that must have ended. */
export interface SentChanges {
  taskIds: string[];
  /** When the last call ended of which nobody knows what came of it. */
  unknownAt?: number;
}

/** A call that says what is to be: sent twice, it has the same end. */
export interface Change<T> {
  step: StepRecorder;
  /** The task type that the call starts. */
  expect: string;
  sent: SentChanges;
  /** What was read a moment ago: spares the first look, which may have to wait for its turn. */
  known?: T;
  read(): Promise<T>;
  /** What is not yet as wanted, for a person; `undefined` when nothing is left to do. */
  drift(state: T): string | undefined;
  /** Asked before each send; throws when something else is wanted by now. */
  refuseOutdated?(): void;
  send(): Promise<StartedTasks>;
  /** The failure of a task in ERROR; what is there now is known to it. */
  failed(task: TaskOutcome, state: T): Error;
}

/**
 * Brings something to a wanted state, and proves it by reading: compares first and sends nothing
 * when nothing is left to do; after a lost answer it compares again and sends again only what still
 * differs. A task in ERROR is never taken for success, whatever is shown.
 * Fails as `OutcomeUnknown` when all tasks have ended and the state does not show within the grace
 * time of the run's policy.
 */
export async function converge<T>(run: Run, change: Change<T>): Promise<T> {
  const pause = createPause(run, { name: 'the API to take the call', type: 'list of the API' });
  let { known } = change;
  for (;;) {
    const state = known ?? (await change.read());
    known = undefined;
    if (change.drift(state) === undefined) return state;
    await run.controls.clearance();
    change.refuseOutdated?.();
    const attempt = await attemptOnce(() => {
      change.step.set(StepState.sending);
      return change.send();
    });
    if (attempt.kind === 'rejected') {
      change.step.set(StepState.failed, { note: 'refused by the API' });
      throw attempt.error;
    }
    if (attempt.kind === 'answered') return untilReached(run, change, attempt.answer.taskIds);
    noteDoubt(change, attempt);
    await pause(undefined, attempt.kind === 'not-sent' ? attempt.waitMs : 0);
    run.ledger.setWaiting(undefined);
  }
}

function noteDoubt<T>({ step, sent }: Change<T>, attempt: NotSent | UnknownOutcome): void {
  if (attempt.kind === 'unknown') {
    sent.unknownAt = Date.now();
    step.set(StepState.outcomeUnknown, { note: attempt.reason });
  } else step.set(StepState.planned, { note: `not sent yet: ${attempt.reason}` });
}

/** A finished task alone proves nothing, and lists lag. */
async function untilReached<T>(
  run: Run,
  change: Change<T>,
  taskIds: readonly string[],
): Promise<T> {
  const { step, sent, expect } = change;
  sent.taskIds.push(...taskIds);
  step.set(StepState.accepted, { taskIds: [...taskIds] });
  const tasks = await waitForTasks(run, taskIds, { step, expect });
  const failed = tasks.find((task) => task.state === 'ERROR');
  if (failed !== undefined) throw change.failed(failed, await change.read());
  const until = Date.now() + run.prepared.policy.reconcileGraceMs;
  let lack: string | undefined;
  const grace = { name: 'the change to show', until, state: () => lack };
  return lookUntilGraceEnds(run, grace, async (isLate) => {
    const state = await change.read();
    lack = change.drift(state);
    if (lack === undefined) return { state };
    if (isLate) throw notReached(lack, taskIds);
    return undefined;
  }).then(({ state }) => state);
}

function notReached(lack: string, taskIds: readonly string[]): Error {
  const tasks = taskIds.length === 0 ? 'named no task' : `ended its tasks (${taskIds.join(', ')})`;
  return failure(
    FailureType.outcomeUnknown,
    `The API took the change and ${tasks}, but: ${lack}.`,
    { advice: 'Look at it in the portal: does somebody else change it too?' },
  );
}

/**
 * Waits until nothing that was sent can still take effect: else a late call would undo what is put
 * back. Tasks are waited for however long they take: the API cannot cancel one.
 *
 * @param isActive whether a task of this kind is under way; asked only after a lost answer.
 */
export async function untilSettled(
  run: Run,
  { step, sent, expect }: Pick<Change<unknown>, 'step' | 'sent' | 'expect'>,
  isActive: (since: number) => Promise<boolean>,
): Promise<void> {
  await waitForTasks(run, sent.taskIds, { step, expect, unlimited: true });
  const { unknownAt } = sent;
  if (unknownAt === undefined) return;
  const until = unknownAt + run.prepared.policy.reconcileGraceMs;
  const name = 'a call whose answer was lost to take effect, or not';
  await lookUntilGraceEnds(run, { name, until }, async (isLate) =>
    isLate && !(await isActive(unknownAt)) ? true : undefined,
  );
}
