import type { TaskView } from '../../../activities/tasks.js';
import type {
  PreparedMaker,
  PreparedRun,
  PreparedSender,
} from '../../../contract/prepared/prepared-run.js';
import type { TurnTaken } from '../../../contract/messages.js';
import type { Api } from './api.js';
import type { Controls } from './controls.js';
import type { Ledger, StepRecorder } from './ledger.js';
import type { RegisteredRollback, Rollback } from './rollback.js';

/** What a workflow body works with. */
export interface Run<P extends PreparedRun = PreparedRun, I = unknown> {
  /** The input as it is now: a person may have corrected it while the run was blocked. */
  readonly input: I;
  readonly prepared: P;
  readonly api: Api;
  readonly ledger: Ledger;
  readonly controls: Controls;
  /** The tasks waited for so far: since when, and how they ended. */
  readonly tasks: Map<string, { since: number; outcome?: TaskOutcome | undefined }>;
  /** See `takeTurn`. */
  readonly turns: Turns;
  /** What the deadline is for has been reached; from now on it ends nothing. */
  liftDeadline(): void;
  /** Begins a step, unless the run is paused: then when it goes on. */
  begin(stepName: string): Promise<StepRecorder>;
  /** Runs, newest first, when the run fails or is cancelled. Register before the mutation it undoes. */
  onRollback(step: StepRecorder, rollback: Rollback): RegisteredRollback;
}

/** A run that sends what the API would do twice, as its sends know it. */
export type MarkedRun = Run<PreparedSender>;

/** A run that makes things of the cloud, as its looks and its removals know it. */
export type MakerRun = Run<PreparedMaker>;

/** How a task ended. `GONE`: the API no longer knows it, so only its resource can tell. */
export interface TaskOutcome {
  id: string;
  state: 'FINISHED' | 'ERROR' | 'GONE';
  error: string | undefined;
  created: TaskView['created'];
}

/** Until it ends, no other run of the account has its turn at the same resource. */
export interface Turn {
  /**
   * Calls of the run that had it before may still be on their way: it was seen to be cut short
   * then, in milliseconds since the epoch.
   */
  readonly cutShortAt: number | undefined;
  /** Is not given back before this time: a call of this run may still be on its way until then. */
  keepUntil(time: number): void;
  /** Gives it back early; otherwise the run's end does. Then the next in line is told. */
  end(): Promise<void>;
}

/** Of one run: the turns that it has, and those that it waits for, by resource. */
export interface Turns {
  held: Map<string, Turn>;
  waits: Map<string, TurnWait>;
}

/** A turn that a run waits for. */
export interface TurnWait {
  /** The turn is said to be free. */
  isCalled: boolean;
  /** Who is known to come after this run. */
  behind: string[];
  taken?: TurnTaken | undefined;
}
