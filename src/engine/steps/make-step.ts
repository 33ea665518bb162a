import type { PreparedSender } from '../core/prepared-run.js';
import type { RemoteApi } from '../core/product.js';
import type { StartedRemoval, StartedTasks } from '../core/tasks.js';
import type { Draft } from '../plan/planning.js';
import type { Within } from '../run/activity-calls.js';
import type { Run, TaskOutcome } from '../run/run-types.js';
import type { PlannedCall } from '../schema/documents.js';
import type { AfterTask } from '../wait/wait-for-tasks.js';
import type { Asked } from './step.js';

/** What every read shows of a thing that a run makes. */
export interface MadeThing {
  id: string;
  status: string;
  /** The tags of the run that made it. */
  marker?: string | undefined;
  maker?: string | undefined;
  /** The task that has made it. */
  creatorTaskId?: string | undefined;
  /** The task that locks it: until that ends, the API refuses its deletion. */
  lockTaskId?: string | undefined;
}

/** A task that may be that of a lost call. */
export interface MakeTask {
  id: string;
  state: string;
  /** It repeats both tags of this run. */
  isOfRun?: true;
  /** The things of this kind that it says it has made. */
  created: string[];
}

/** `unfinished`: it may become sound by itself. `broken`: it never does. */
export type Condition = 'sound' | 'unfinished' | 'broken';

/**
 * A step that makes one thing, as an operation states it. The engine runs it (`runMake`): it takes the turns, looks by
 * the marker, sends once, waits for the tasks, and reads what was made. It removes what a failed run has made. And it
 * plans it (`planMake`) from the same members, without what sends.
 */
export interface MakeStep<I, P extends PreparedSender, T extends MadeThing, A extends RemoteApi> {
  /** For the status: `snapshot volume`. */
  readonly name: string;
  /** What it makes, as the ledger names it. */
  readonly kind: string;
  /** The task types that the call and the removal start. */
  readonly starts: string;
  readonly removes: string;
  /** What it works on, such as `volume/4f…`. Runs that do take turns. */
  resources(asked: Asked<I, P, A>): readonly string[];
  /** What carries the marker of the request, whichever run made it. Fails as `NotFound` when the place does not exist. */
  list(asked: Asked<I, P, A>): Promise<readonly T[]>;
  /** Fails as `NotFound` when it does not exist. */
  read(asked: Asked<I, P, A>, id: string): Promise<T>;
  /** The same read, by a watcher: of the one thing that the task says it has made. */
  after?(asked: Asked<I, P, A>): AfterTask<T, A>;
  condition(seen: T): Condition;
  /** How it differs from what is asked for, in words: another input of the request has made it. */
  differs(seen: T, asked: Asked<I, P, A>): string | undefined;
  /** Finds out by reads whether it can be made: a fault ends the run before anything is sent. */
  check(asked: Asked<I, P, A>, draft: Draft): Promise<void>;
  /** Sets both tags of the run. */
  send(run: Run<P, I, A>, within: Within): Promise<StartedTasks>;
  /** The tasks of this time that may have been started by the call. */
  listTasks(asked: Asked<I, P, A>, window: { from: string; to: string }): Promise<MakeTask[]>;
  /** The things of this kind in what a task says that it has made. */
  created(created: A['created']): readonly string[];
  /**
   * Why a removal would take what others have, in words, if it would: `somebody has attached it to instance 4f…`. Judged on
   * each look before a delete.
   */
  heldBy?(seen: T): string | undefined;
  remove(run: Run<P, I, A>, within: Within, id: string): Promise<StartedRemoval>;
  /** Whether the run of this Run Id, of the same request, has ended without success. */
  endedWithoutSuccess(runId: string): Promise<boolean>;
  toFailure(task: TaskOutcome<A>): Error;
  /** For the status, when it is done. */
  says(made: T): string;
  /** Its calls, for a plan: the look by the marker, and what follows when nothing is there. */
  calls(asked: Asked<I, P, A>): { look: PlannedCall; make: readonly PlannedCall[] };
  /** Says in a plan what of the place is missing. */
  explainMissing(asked: Asked<I, P, A>, draft: Draft): Promise<void>;
}

/** What a step has made. */
export interface Made<T> {
  thing: T;
  taskIds: string[];
  /** An earlier run of the request made it. */
  adopted: boolean;
}
