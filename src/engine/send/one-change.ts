import type { RemoteApi } from '../core/product.js';
import type { StartedTasks } from '../core/tasks.js';
import type { Within } from '../run/activity-calls.js';
import type { StepRecorder } from '../run/ledger.js';
import type { TaskOutcome } from '../run/run-types.js';
import type { SureRead } from '../wait/read-surely.js';
import type { AfterTask } from '../wait/wait-for-tasks.js';
import type { SendWindow, Trace } from './mutation.js';
import type { EarlierRuns } from './name-earlier.js';

/** The tasks that a call starts, and how they are told from others. */
export interface ChangeTasks<T extends object, A extends RemoteApi = RemoteApi> {
  type: string;
  /** The tasks that a look for the call would find before it is sent: they are of others. */
  before(): Promise<readonly string[]>;
  /** Looks for the call among the tasks of the API. `isKnown`: the task was there before the call. */
  trace(sent: SendWindow, isKnown: (taskId: string) => boolean): Promise<Trace<T>>;
  /** The same as `read`, by a watcher. */
  after?: AfterTask<T, A> | undefined;
  /** Makes the failure for a task in ERROR, given the state after it. */
  toFailure(task: TaskOutcome<A>, state: T): Error;
}

/** How a resource settles that changes by itself for a while: it is made, or takes up what was changed. */
export interface Settling<T> {
  /** For the status: `the storage to become active`. */
  name: string;
  /** An entry of the policy's table of usual durations. */
  type: string;
  /** What it is still at, such as `creating`; `undefined` when it has settled. */
  isAt(state: T): string | undefined;
}

/**
 * A call that changes one resource and whose repeat would do so again: it restarts a machine. It leaves no
 * marker, so what became of it is known by the state of the resource and by the tasks of the API.
 */
export interface OneChange<T extends object, A extends RemoteApi = RemoteApi> {
  step: StepRecorder;
  earlier: EarlierRuns;
  /** The input that the call is made from. */
  input: unknown;
  /**
   * No read shows what the call has done: it is sent at most once. When nothing says that it was carried out, the run
   * blocks until a person ends it.
   */
  sendsOnce?: boolean | undefined;
  /** Left out where the API has no tasks for the call. */
  tasks?: ChangeTasks<T, A> | undefined;
  read(): Promise<T>;
  /** What makes a read sure that lacks it, or a part of it. `isCarriedOut` as in `drift`. */
  sure?: Pick<SureRead<T>, 'isListed'> & {
    isWhole(seen: T, isCarriedOut: boolean): boolean;
  };
  /**
   * How the state differs from the wanted one, in words; `undefined` when it does not. `isCarriedOut`: a task of
   * the call has finished, or it has none and was answered. A restart leaves no other trace, nor does a password.
   */
  drift(state: T, isCarriedOut: boolean): string | undefined;
  /** Where the wanted state alone is not the end: success waits until it has settled, whoever has changed it. */
  settling?: Settling<T> | undefined;
  /**
   * Called before each call, when something differs, with what was read last. Throws when the call cannot be made.
   * `isFirst`: before the first one.
   */
  check(state: T, isFirst: boolean): Promise<void>;
  /** Its status, where nothing is at work that changes it. */
  rests?: ((state: T) => string | undefined) | undefined;
  /** What holds it, or something else that the call needs, in words. */
  held?: ((state: T) => Promise<string | undefined>) | undefined;
  /** Waits for what others do to it, and may change what the call rests on. Answers whether it has waited: then the look is old. */
  untilOthersEnd?: ((state: T) => Promise<boolean>) | undefined;
  /** @param state what was read last */
  send(within: Within, state: T): Promise<StartedTasks | object>;
  /** Called when the outcome of a call becomes unknown. */
  onUnknown(): void;
  /** Called when a look shows what a call was to do whose outcome was unknown. */
  onShown(state: T): void;
}

/** A call that has made something, or may have. */
export interface SentCall<T> {
  /** What was seen last before it. */
  before: T;
  /** The id of what it has made, by its answer; missing where that was lost or does not say it. */
  madeId?: number | undefined;
}

/** What a change has come to. */
export interface Changed<T> {
  /** As it was seen last before a call that may have changed it. */
  before: T;
  /** As it was read after the last call, or at the first look when nothing was to be done. */
  after: T;
  /** The tasks of the change; none when nothing was to be done. */
  taskIds: string[];
  /** A call went out, or may have. */
  isSent: boolean;
  /** The last one, where a step has sent it. */
  sent?: SentCall<T> | undefined;
}
