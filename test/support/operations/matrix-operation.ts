import type { Operation } from '../../../src/contract/wire/names.js';
import type { StatusDocument } from '../../../src/engine/schema/status-document.js';
import type {
  FaultAction,
  FaultMatch,
  Simulator,
  SimulatorState,
} from '../../../src/simulator/index.js';

/** The moments in the life of a run at which it can meet a fault. */
export const MOMENTS = ['create', 'wait', 'verify', 'rollback'] as const;
/** `create` is the first mutation, whatever it changes. */
export type MatrixMoment = (typeof MOMENTS)[number];

/** The kinds of faults. The last three hit the run or its processes; all others hit its calls. */
export const KINDS = [
  'request dropped',
  'response dropped',
  '5xx after processing',
  '503 before',
  '429',
  'hang',
  'carried out late',
  'truncated JSON',
  'HTML page',
  'list lag',
  'task ERROR',
  'task 404',
  'key revoked',
  'cancelled',
  'worker killed',
  'Temporal stopped',
] as const;

/** An API that gives less than it should, to all calls of a run or to all its reads. */
export const SCARCE_KINDS = ['rate limit', 'flaky reads'] as const;
export type ScarceKind = (typeof SCARCE_KINDS)[number];

export type MatrixKind = (typeof KINDS)[number] | ScarceKind;

export type Leftover = NonNullable<Extract<FaultAction, { kind: 'task-error' }>['leftovers']>;

/** The properties in which runs of an operation differ. */
export interface Request {
  seed: number;
  /** The Workflow Id. The names of all resources that the run makes begin with it. */
  name: string;
  onFailure: 'rollback' | 'keep';
}

/** A run that has ended, in a cloud that has no running calls or tasks. */
export interface EndedRun extends Request {
  status: StatusDocument;
  /** The run's result if it succeeded. */
  result: unknown;
  simulator: Simulator;
  /** Nobody can know what the run did. It may leave resources behind, but it must name them. */
  isHidden: boolean;
}

/** What the fault matrix needs to know about an operation. */
export interface MatrixOperation {
  operation: Operation;
  /**
   * The calls of a run at each moment, starting with the nth. A moment without calls does not occur
   * in this operation. To make a run roll back, the matrix refuses its first call of `verify`.
   */
  calls: Partial<Record<MatrixMoment, Pick<FaultMatch, 'method' | 'path' | 'nth'>>>;
  /** Kinds of faults that this operation cannot meet. */
  without?: readonly MatrixKind[];
  /** Multiplies the client timeout for the creating call. */
  timeoutFactor?: number;
  /** What a failed task may leave behind. Default: the leftovers of an instance. */
  leftovers?: readonly [Leftover, ...Leftover[]];
  /** The run starts a task that ends in ERROR again, and does not fail. */
  repeatsFailedTasks?: true;
  /** Builds the input without its account. */
  input(request: Request): object;
  /** The simulated cloud at the start. */
  state?: Partial<SimulatorState>;
  /** The same for resources that belong to one seed. */
  stateFor?(seeds: readonly number[]): Partial<SimulatorState>;
  /** Makes more than a page of what a run of this name makes, without its marker. */
  crowd?(api: { baseUrl: string; apiKey: string }, name: string): Promise<void>;
  /** Reads that verify the result: a watcher makes the first one, and the run another one when that fails. */
  verifyingReads?: number;
  judge(run: EndedRun): {
    /** Number of resources that only the ledger names, or that only the cloud has. */
    differences: number;
    /** Whether the phase is true: resources that the run made exist, and those that it undid do not. */
    isTrue: boolean;
  };
  /** The maximum number of resources of one request in this state. More than 1 is a duplicate. */
  most?(state: SimulatorState): number;
}
