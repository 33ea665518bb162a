import type { RemoteApi } from '../core/product.js';
import type { StartedTasks } from '../core/tasks.js';
import { FailureType } from '../core/failures.js';
import { StepState } from '../core/status.js';
import { attemptOnce, type NotSent, type Unanswered, type UnknownOutcome } from './attempt-once.js';
import { createDefectBlock, repeatWhileBusy } from './block-while-busy.js';
import type { Within } from '../run/activity-calls.js';
import { failure } from '../run/failures.js';
import type { Seen } from '../run/read-times.js';
import { lookUntilGraceEnds } from '../wait/look-until.js';
import { createSureRead } from '../wait/read-surely.js';
import type { StepRecorder } from '../run/ledger.js';
import type { ApiRun, Run, TaskOutcome } from '../run/run-types.js';
import { createPause } from '../wait/create-pause.js';
import { stateAfter, waitForTasks, type AfterTask } from '../wait/wait-for-tasks.js';

/** The changes sent for one resource so far. All of them must have ended before it is restored. */
export interface SentChanges {
  /** A call has gone out. The API may have carried it out without a task. */
  isAny?: true;
  taskIds: string[];
  /** When the last call with an unknown outcome ended. */
  unknownAt?: number;
  /** When the last change with this task type had ended, by type. What is put back is none. */
  changedAt?: Readonly<Record<string, number>>;
}

/** A call that names the wanted state: sent twice, it has the same result. */
export interface Change<T extends object, A extends RemoteApi = RemoteApi> {
  step: StepRecorder;
  /** The task type that the call starts. */
  expect: string;
  sent: SentChanges;
  /** The state as it was read before; it replaces the first read while it is fresh. */
  known?: T | undefined;
  /**
   * The caller reads the state later in any case, and proves the change then (`unproven`). Once the tasks
   * have finished, `converge` returns the state as it was before.
   */
  isProvenLater?: boolean;
  /** Tasks of this change that have finished while nothing has read the state since. */
  unproven?: readonly string[];
  /** The API has carried out another call that names the same state. */
  isCarriedOut?: boolean;
  /** It puts back what changes of `sent` with these task types have changed. */
  undoes?: readonly string[];
  read(): Promise<T>;
  /** The same as `read`, by a watcher. */
  after?: AfterTask<T, A>;
  /**
   * How the state differs from the wanted one, in words; `undefined` when it does not.
   *
   * @param isCarriedOut the API says that it has carried out the call: what the state does not show is no difference then
   */
  drift(state: T, isCarriedOut?: boolean): string | undefined;
  /** Called before each send with what was read last; throws when the call was made from something else. */
  refuseOutdated?(state: T): void;
  /** What holds the resource, in words: a task, or a status. Left out where nothing can show it. */
  held?(state: T): Promise<string | undefined>;
  /** @param state what was read last */
  send(within: Within, state: T): Promise<StartedTasks>;
  /** Makes the failure for a task in ERROR, given the state after it. */
  toFailure(task: TaskOutcome<A>, state: T): Error;
}

/**
 * Brings a resource to the wanted state and proves it by a read. Compares first and sends nothing when
 * nothing differs. After a lost answer it compares again and sends only when something still differs.
 * A task in ERROR is never a success, whatever the resource shows.
 * Fails as `OutcomeUnknown` when all tasks have ended and the state does not show within the grace
 * time of the run's policy.
 */
export function converge<T extends object, A extends RemoteApi>(
  run: ApiRun<A>,
  given: Change<T, A>,
): Promise<T> {
  const name = `what "${given.step.name}" changes`;
  const read = createSureRead(run, { name, known: given.known, read: () => given.read() });
  const change = { ...given, read };
  const busy = {
    held: async () => change.held?.(await change.read()),
    refused: () => {
      change.step.set(StepState.failed, { note: 'refused by the API' });
    },
  };
  let isFirst = true;
  return repeatWhileBusy<T>(run, busy, (noteBusy) => {
    // What a blocked run has seen before is old.
    const known = isFirst ? given.known : undefined;
    isFirst = false;
    return sendUntilShown<T, A>(run, { ...change, known }, noteBusy);
  });
}

async function sendUntilShown<T extends object, A extends RemoteApi>(
  run: ApiRun<A>,
  change: Change<T, A>,
  noteBusy: (attempt: Unanswered) => Promise<void>,
): Promise<T> {
  const pause = createPause(run, { name: 'the API to take the call', type: 'list of the API' });
  const block = createDefectBlock(run);
  const { unproven } = change;
  const isCarriedOut = unproven !== undefined || change.isCarriedOut === true;
  let { known } = change;
  for (;;) {
    const { state, at } = await lookUnlessFresh(run, seenBefore(run, known), () => change.read());
    known = undefined;
    if (change.drift(state, isCarriedOut) === undefined) {
      if (change.undoes === undefined) return state;
      known = await lookPastChange(run, change);
      if (known === undefined) return state;
      continue;
    }
    if (unproven !== undefined)
      return untilShown(run, proven(change, isCarriedOut), { taskIds: unproven });
    if (await block.hasBlocked()) continue;
    await run.controls.untilUnpaused();
    change.refuseOutdated?.(state);
    const attempt = await attemptOnce(run, {
      seenAt: at,
      send: (within) => {
        change.step.set(StepState.sending);
        return change.send(within, state);
      },
    });
    if (attempt.kind === 'rejected') {
      change.step.set(StepState.failed, { note: 'refused by the API' });
      throw attempt.error;
    }
    if (attempt.kind === 'answered') {
      change.sent.isAny = true;
      return untilCarriedOut(run, change, { state, taskIds: attempt.answer.taskIds });
    }
    noteUnanswered(change, attempt);
    block.note(attempt);
    await noteBusy(attempt);
    await pause(undefined, attempt.kind === 'not-sent' ? attempt.waitMs : 0);
    run.ledger.setWaiting(undefined);
  }
}

/**
 * Lists lag: one that shows no difference may be from before the change that is to be put back. The state in which it shows;
 * `undefined`: there is none when the lists have settled.
 */
async function lookPastChange<T extends object>(
  run: Run,
  change: Pick<Change<T>, 'sent' | 'undoes' | 'read' | 'drift'>,
): Promise<T | undefined> {
  const { undoes = [], sent } = change;
  const changedAt = Math.max(0, ...undoes.map((type) => sent.changedAt?.[type] ?? 0));
  const until = changedAt + run.prepared.policy.reconcileGraceMs;
  if (Date.now() >= until) return undefined;
  const grace = { name: 'what was changed to show', until };
  const { state } = await lookUntilGraceEnds(run, grace, async (isLate) => {
    const seen = await change.read();
    if (change.drift(seen) !== undefined) return { state: seen };
    return isLate ? { state: undefined } : undefined;
  });
  return state;
}

async function untilCarriedOut<T extends object, A extends RemoteApi>(
  run: ApiRun<A>,
  change: Change<T, A>,
  { state, taskIds }: { state: T; taskIds: readonly string[] },
): Promise<T> {
  const { hasFinished, seen } = await untilTasksEnd(run, change, taskIds);
  return hasFinished && change.isProvenLater === true
    ? state
    : untilShown(run, proven(change, hasFinished), { taskIds, seen });
}

/** How the change is compared once its tasks have ended. */
function proven<T extends object>(
  change: Pick<Change<T>, 'read' | 'drift'>,
  isCarriedOut: boolean,
): Pick<Change<T>, 'read' | 'drift'> {
  return { read: () => change.read(), drift: (state) => change.drift(state, isCarriedOut) };
}

/** Looks, unless what was seen is still fresh. */
export function lookUnlessFresh<T>(
  run: Run,
  known: Seen<T> | undefined,
  look: () => Promise<T>,
): Promise<Seen<T>> {
  const isFresh = known !== undefined && run.freshness.leftOf(known.at) > 0;
  return isFresh ? Promise.resolve(known) : run.api.times.look(look);
}

function seenBefore<T extends object>(run: Run, known: T | undefined): Seen<T> | undefined {
  const at = known && run.api.times.at(known);
  return known === undefined || at === undefined ? undefined : { state: known, at };
}

function noteUnanswered<T extends object>(
  change: Change<T>,
  attempt: NotSent | UnknownOutcome,
): void {
  const { step, sent } = change;
  if (attempt.kind === 'unknown') {
    Object.assign(sent, { isAny: true, unknownAt: Date.now() });
    noteChanged(change);
    step.set(StepState.outcomeUnknown, { note: attempt.reason });
  } else step.set(StepState.planned, { note: `not sent yet: ${attempt.reason}` });
}

function noteChanged({ undoes, sent, expect }: Pick<Change<object>, 'undoes' | 'sent' | 'expect'>) {
  if (undoes === undefined) sent.changedAt = { ...sent.changedAt, [expect]: Date.now() };
}

interface EndedTasks<T> {
  /** The API says so of every task: it may have forgotten one, or named none. */
  hasFinished: boolean;
  /** The state as it was read after that. */
  seen: T | undefined;
}

async function untilTasksEnd<T extends object, A extends RemoteApi>(
  run: ApiRun<A>,
  change: Change<T, A>,
  taskIds: readonly string[],
): Promise<EndedTasks<T>> {
  const { step, sent, expect, isProvenLater } = change;
  const after = isProvenLater === true ? undefined : change.after;
  sent.taskIds.push(...taskIds);
  step.set(StepState.accepted, { taskIds: [...taskIds] });
  const tasks = await waitForTasks(run, taskIds, { step, expect, thenRead: after?.read }).finally(
    () => {
      noteChanged(change);
    },
  );
  const failed = tasks.find((task) => task.state === 'ERROR');
  if (failed !== undefined) throw change.toFailure(failed, await change.read());
  return {
    hasFinished: tasks.length > 0 && tasks.every(({ state }) => state === 'FINISHED'),
    seen: stateAfter(after, tasks),
  };
}

interface EndedCall<T> {
  taskIds: readonly string[];
  seen?: T | undefined;
  /** When it had ended where no task says it, in milliseconds since the epoch; now by default. */
  endedAt?: number | undefined;
}

/** A finished task alone proves nothing, and lists lag. */
export async function untilShown<T extends object>(
  run: Run,
  change: Pick<Change<T>, 'read' | 'drift'>,
  { taskIds, seen, endedAt = Date.now() }: EndedCall<T>,
): Promise<T> {
  if (seen !== undefined && change.drift(seen) === undefined) return seen;
  const ends = taskIds.flatMap((id) => run.tasks.get(id)?.endSeenAt ?? []);
  // A run that was blocked meanwhile looks once, and not through the same time again.
  const since = ends.length > 0 ? Math.max(...ends) : endedAt;
  const until = since + run.prepared.policy.reconcileGraceMs;
  let drift: string | undefined;
  const grace = { name: 'the change to show', until, state: () => drift };
  return lookUntilGraceEnds(run, grace, async (isLate) => {
    const state = await change.read();
    drift = change.drift(state);
    if (drift === undefined) return { state };
    if (isLate) throw notReachedFailure(drift, taskIds);
    return undefined;
  }).then(({ state }) => state);
}

export function notReachedFailure(drift: string, taskIds: readonly string[]): Error {
  const tasks = taskIds.length === 0 ? 'named no task' : `ended its tasks (${taskIds.join(', ')})`;
  return failure(
    FailureType.outcomeUnknown,
    `The API accepted the change and ${tasks}, but: ${drift}.`,
    { advice: 'Look at it in the portal: does somebody else change it too?' },
  );
}

/**
 * Waits until nothing that was sent can still take effect, so that no late call undoes a restore.
 * Waits for the tasks however long they take: the API cannot cancel one.
 *
 * @param isActive whether a task of this kind is running; called only after a lost answer.
 */
export async function untilChangesSettle(
  run: Run,
  { step, sent, expect }: Pick<Change<object>, 'step' | 'sent' | 'expect'>,
  isActive: (since: number) => Promise<boolean>,
): Promise<void> {
  await waitForTasks(run, sent.taskIds, { step, expect, unlimited: true });
  const { unknownAt } = sent;
  if (unknownAt === undefined) return;
  const until = unknownAt + run.prepared.policy.reconcileGraceMs;
  const name = 'a call whose answer was lost to take effect or to fail';
  await lookUntilGraceEnds(run, { name, until }, async (isLate) =>
    isLate && !(await isActive(unknownAt)) ? true : undefined,
  );
}
