import { FailureType } from '../core/failures.js';
import type { FirstLook } from '../core/news.js';
import { StepState, type Resource } from '../core/status.js';
import type { StartedTasks } from '../core/tasks.js';
import { detailsOf, failureTypeOf } from '../run/failures.js';
import type { StepRecorder } from '../run/ledger.js';
import type { Within } from '../run/activity-calls.js';
import { refuseOutdatedInput } from '../run/restart-on-corrected-input.js';
import type { Run } from '../run/run-types.js';
import { attemptOnce, type Attempt, type Sending } from './attempt-once.js';
import type { FoundTask, Verdict } from './verdict.js';

/**
 * A mutation that the API would carry out again each time it is sent. `T` is what a look finds.
 * `Answer` is what the call answers: the tasks that it has started, or, where it names no `taskIds`,
 * the result itself.
 */
export interface Mutation<T, Answer extends object = StartedTasks> {
  step: StepRecorder;
  /** The input that the call is made from. */
  input: unknown;
  /** An attempt ends by itself after this time, in milliseconds. Default: `MAX_CALL_MS`. */
  maxCallMs?: number;
  /** Looks for the result by the marker of the request. */
  look(): Promise<Verdict<T>>;
  /**
   * The read of that look, and what it answers when nothing is there. Then the first call needs no look of the run: its
   * activity makes it. Needs `isMine`: when that call is lost, what shows may have been there before.
   */
  first?: FirstLook;
  /** Called before the first send, when nothing of an earlier try exists. Throws when the call cannot be made. */
  check?(): Promise<void>;
  send(within: Within): Promise<Answer>;
  /** Looks for the call itself, where the API lists calls: it may be listed before its result. */
  trace?: (sent: SendWindow) => Promise<Trace<T>>;
  /**
   * Whether this run itself made the resource, where a tag proves it. Left out, what shows after a lost
   * answer counts as made by the lost call.
   */
  isMine?(resource: T): boolean;
  /**
   * Where no tag proves it: what shows is not what the call makes, so somebody else has made it. The lost call may still
   * make its own.
   */
  isOther?(resource: T): boolean;
  /** Whether the resource may vanish again, because its call has not ended. Needs `trace`. */
  mayVanish?(resource: T): boolean;
  /** Removes what this request made, after the given tasks have ended, and verifies that it is gone. */
  remove(taskIds: readonly string[]): Promise<void>;
  /**
   * What exists now of what was made, as far as the API shows it, once the tasks have ended: by this request, or only by its
   * earlier runs.
   */
  inventory(taskIds: readonly string[], by: MadeBy): Promise<Resource[]>;
  /** The resource, with what belongs to it, for the ledger. Left out where the ledger names nothing. */
  named?(resource: T): Resource[];
}

export type MadeBy = 'request' | 'earlier';

/** What is needed to find out what became of a call whose answer was lost. */
export type Searched<T> = Pick<
  Mutation<T, never>,
  'look' | 'trace' | 'isMine' | 'isOther' | 'mayVanish'
>;

/** What is needed to find out what an earlier run may have sent. */
export type EarlierCall<T> = Searched<T> & Pick<Mutation<T, never>, 'maxCallMs' | 'inventory'>;

/** When the call whose answer was lost was sent, in milliseconds since the epoch. */
export interface SendWindow {
  from: number;
  to: number;
  /** It is a call of an earlier run. */
  isEarlier?: true;
}

export type Trace<T> =
  | { kind: 'none' }
  /** A call that may be ours is still running, or has ended without saying what it made: nothing is proven yet. */
  | { kind: 'pending' }
  | FoundTask
  | Extract<Verdict<T>, { kind: 'present' | 'contradiction' | 'leftover' }>;

/** The answer was lost; the result was found by its marker, or only the task by the tags of the run. */
export interface Recovered<T> {
  origin: 'recovered';
  taskIds: string[];
  resource: T | undefined;
}

/** It was there before this run sent anything. */
export interface Earlier<T> {
  origin: 'earlier';
  taskIds: string[];
  resource: T;
}

interface MadeByRun {
  /** Call it when all that the call made is verified as gone: a rollback has nothing to undo then. */
  noteGone(): void;
}

/** How a mutation was carried out, and the tasks that lead to its end. */
export type Sent<T, Answer = StartedTasks> =
  | (MadeByRun & { origin: 'sent'; taskIds: string[]; answer: Answer; resource?: undefined })
  | (MadeByRun & Recovered<T>)
  | Earlier<T>;

/**
 * Makes one attempt. An answer with an empty list of tasks does not say what the call has started.
 * Throws `OutdatedInput`: what was looked at and checked is no longer meant. Between that and the call nothing is awaited.
 */
export async function attemptMutation<T, Answer extends object>(
  run: Run,
  mutation: Pick<Mutation<T, Answer>, 'step' | 'input' | 'send'>,
  looked: Pick<Sending<Answer>, 'seenAt' | 'first' | 'again'>,
): Promise<Attempt<Answer>> {
  refuseOutdatedInput(run, mutation.input);
  const send = (within: Within): Promise<Answer> => {
    mutation.step.set(StepState.sending);
    return mutation.send(within);
  };
  const attempt = await attemptOnce(run, { ...looked, send });
  if (attempt.kind !== 'answered') return attempt;
  const { answer } = attempt;
  return namesTasks(answer) && answer.taskIds.length === 0
    ? {
        kind: 'unknown',
        reason: 'the API accepted the call without naming a task',
        isAccepted: true,
      }
    : attempt;
}

export function namesTasks(answer: object): answer is StartedTasks {
  return 'taskIds' in answer;
}

/** Keeps when the last look was made: what is sent rests on it. Old runs were recorded without traces. */
export function withLookTime<T, Answer extends object>(
  run: Run,
  { trace, ...mutation }: Mutation<T, Answer>,
): { mutation: Mutation<T, Answer>; looked: { at: number } } {
  const looked = { at: -Infinity };
  const look = async () => {
    const { state, at } = await run.api.times.look(() => mutation.look());
    looked.at = at;
    return state;
  };
  const traces = trace !== undefined && run.prepared.policy.traceTasks === true;
  return { mutation: { ...mutation, look, ...(traces && { trace }) }, looked };
}

/** What a call has made whose answer is the result itself. Without `trace` nothing is found by its task alone. */
export function madeBy<T extends object>(sent: Sent<T, T>): T {
  const made = sent.origin === 'sent' ? sent.answer : sent.resource;
  if (made === undefined) throw new TypeError('a call that starts no tasks was found by a task');
  return made;
}

/** For the step, when a call was refused: by the API, or by the worker that was to send it. */
export function noteOfRejection(error: unknown): string {
  if (failureTypeOf(error) === FailureType.secretUnavailable)
    return 'not sent: a secret is missing';
  return detailsOf(error).status === undefined ? 'not sent' : 'refused by the API';
}
