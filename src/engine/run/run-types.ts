import type { PreparedChange, PreparedRun, PreparedSender } from '../core/prepared-run.js';
import type { Product, RemoteApi } from '../core/product.js';
import type { SeenAfter, TaskErrorType } from '../core/tasks.js';
import type { TurnTaken } from '../core/messages.js';
import type { Api, TaskCalls } from './api.js';
import type { Controls } from './controls.js';
import type { Ledger, StepRecorder } from './ledger.js';
import type { Freshness } from './read-times.js';
import type { Notifier } from './notifier.js';
import type { RegisteredRollback, Rollback } from './rollback.js';

/** What the body of a workflow works with. */
export interface Run<
  P extends PreparedRun = PreparedRun,
  I = unknown,
  A extends RemoteApi = RemoteApi,
> {
  /** The current input: a person may have corrected it while the run was blocked. */
  readonly input: I;
  readonly prepared: P;
  /** When its first history began, in milliseconds since the epoch. */
  readonly startedAt: number;
  readonly api: Api<A>;
  /** The tasks of the API, for a product whose API has them. */
  readonly taskCalls: TaskCalls<A> | undefined;
  readonly product: Product;
  /** How long what the run sees may be relied on. */
  readonly freshness: Freshness;
  readonly ledger: Ledger;
  readonly controls: Controls;
  /** The tasks waited for so far. */
  readonly tasks: Map<string, WaitedFor<A>>;
  /** Tells receivers about the run. */
  readonly notifier: Notifier;
  /** See `takeTurn`. */
  readonly turns: Turns;
  /** The goal of the deadline is reached: from now on it ends nothing. */
  liftDeadline(): void;
  /** See `restartOnCorrectedInput`. Shared by all that goes on in the run. */
  readonly round: Round;
  /** Begins a step, once the run is not paused. Throws `OutdatedInput` when the input of the round was corrected meanwhile. */
  begin(stepName: string): Promise<StepRecorder>;
  /**
   * Registers an undo for a run that fails or is cancelled; the newest one runs first. Call it before
   * the mutation.
   */
  onRollback(step: StepRecorder, rollback: Rollback): RegisteredRollback;
  /** An operator has reset the run: from now on it is a new run, and the one before was cut short. */
  noteReset(reset: Reset): void;
  /**
   * Checks the input anew, once the run has heard of its reset: the run before may have made what this one would not find, from
   * an input that the reset did not bring. Throws the failure of the preparation.
   */
  checkAfterReset(): Promise<P>;
}

/** What is done from one input, and begins again when a person corrects that. */
export interface Round {
  /** Throws `OutdatedInput`. Missing while there is no round. */
  assertInput?: () => void;
}

/** When the run learned of its reset, in milliseconds since the epoch. */
export interface Reset {
  cutShortAt: number;
  /** How it signs from now on. */
  maker?: string;
  /** When the run before may have sent its first call, where no marker tells what it has sent. */
  since?: number;
}

/** A run of any operation of one API. */
export type ApiRun<A extends RemoteApi> = Run<PreparedRun, unknown, A>;

/** A run that sends a change without a marker, as `changeOnce` needs it. */
export type ChangeRun<A extends RemoteApi = RemoteApi> = Run<PreparedChange, unknown, A>;

/** A run that sends what the API would carry out twice, as `sendOnce` needs it. */
export type MarkedRun = Run<PreparedSender>;

/** When the wait for a task began, how it ended, and when that was seen; in milliseconds since the epoch. */
export interface WaitedFor<A extends RemoteApi = RemoteApi> {
  since: number;
  outcome?: TaskOutcome<A> | undefined;
  endSeenAt?: number | undefined;
}

/** How a task ended. `GONE`: the API no longer knows the task, so only the resource shows its result. */
export interface TaskOutcome<A extends RemoteApi = RemoteApi> {
  id: string;
  state: 'FINISHED' | 'ERROR' | 'GONE';
  error: string | undefined;
  errorType: TaskErrorType | undefined;
  /** What the task says that it has made; `undefined` of one that is gone. */
  created: A['created'] | undefined;
  /** What the watcher has read after the end, a moment ago. A run does not keep it. */
  seen?: SeenAfter<A['seen']> | undefined;
}

/** The lock of a turn that a run has. */
export interface HeldLock {
  /** The first Run Id of the lock. */
  readonly lock: string;
  /**
   * When the run before was seen to be cut short, in milliseconds since the epoch. Its calls may still
   * be on their way.
   */
  readonly cutShortAt?: number | undefined;
  /** A call of this run may be on its way until then, in milliseconds since the epoch. */
  readonly keptUntil?: number | undefined;
}

/** Until it ends, no other run of the account gets a turn at the same resource. */
export interface Turn extends HeldLock {
  /** The lock keeps the turn until this time at least: a call of this run may be on its way until then. */
  keepUntil(time: number): void;
  /**
   * Lets others have the turn until this run takes it again, once no call from before its reset can arrive. For a run that is
   * in doubt whether it has the turn.
   */
  lend(): Promise<void>;
  /**
   * Gets the turn again, if the run has lost it, and waits until no call from before a reset can arrive.
   *
   * @param giveWay called when another run has the turn
   */
  retake(giveWay: () => Promise<void>): Promise<void>;
  /** Gives the turn back before the run ends. The lock calls the next run in line. */
  end(): Promise<void>;
}

/** The turns that one run has, and those that it waits for, by resource. */
export interface Turns {
  held: Map<string, Turn>;
  waits: Map<string, TurnWait>;
  /** All locks of this run, by their first Run Ids, also of turns that it has given back. */
  locks: Set<string>;
  /** The turns that the run had when it was reset, and has not made sure of since. */
  doubted: Set<string>;
  /** The Run Id of this run, as far as it has heard that it was reset. Its changes name it. */
  writer?: string;
}

/** A turn that a run waits for. */
export interface TurnWait {
  /** A signal said that the turn is free. */
  isCalled: boolean;
  /** The runs that are known to come after this one. */
  behind: string[];
  /** The lock of this run is being started, and its id is not known yet. */
  isStarting?: boolean;
  taken?: TurnTaken | undefined;
  /** The lock that this run had before it was reset: if that is still there, the run has the turn. */
  mine?: string | undefined;
  /** Called when another run has the turn. */
  giveWay?: (() => Promise<void>) | undefined;
  /** The run that had the turn was cut short. */
  isCutShort?: true | undefined;
  /** How often this run has tried since a lock has called it that is just closing. */
  closingTries?: number | undefined;
}
