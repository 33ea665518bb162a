import type { Operation } from '../../../src/contract/names.js';
import type { StatusDocument } from '../../../src/contract/status-document.js';
import type {
  FaultAction,
  FaultMatch,
  Simulator,
  SimulatorState,
} from '../../../src/simulator/index.js';

/** Where in its life a run meets the fault. */
export const MOMENTS = ['create', 'wait', 'verify', 'rollback'] as const;
/** `create` is the first mutation, whatever it changes. */
export type MatrixMoment = (typeof MOMENTS)[number];

/** What goes wrong. The last three are done to the run or its processes, not to its calls. */
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
export type MatrixKind = (typeof KINDS)[number];

export type Leftover = NonNullable<Extract<FaultAction, { kind: 'task-error' }>['leftovers']>;

/** What tells one run from another. */
export interface Request {
  seed: number;
  /** Its Workflow Id; names of what it makes begin with it. */
  name: string;
  onFailure: 'rollback' | 'keep';
}

/** A run that has ended, in a cloud in which nothing is going on any more. */
export interface EndedRun extends Request {
  status: StatusDocument;
  /** What it returned, when it succeeded. */
  result: unknown;
  simulator: Simulator;
  /** Nobody can know what it did: it may leave things behind, if it names them. */
  isHidden: boolean;
}

/** What the fault matrix has to know of an operation. */
export interface MatrixOperation {
  operation: Operation;
  /**
   * The calls of a run that a moment is about, from the nth on. A moment without any does not occur.
   * A run that is to roll back has its first call of `verify` refused.
   */
  calls: Partial<Record<MatrixMoment, Pick<FaultMatch, 'method' | 'path' | 'nth'>>>;
  /** Kinds of faults that it cannot meet. */
  without?: readonly MatrixKind[];
  /** Its creating call may take so many times as long as others, before a worker gives it up. */
  timeoutFactor?: number;
  /** What a failed task of it may leave; as of an instance where it is missing. */
  leftovers?: readonly [Leftover, ...Leftover[]];
  /** Less the account. */
  input(request: Request): object;
  /** What there is in its world from the start. */
  state?: Partial<SimulatorState>;
  judge(run: EndedRun): {
    /** How many things only the ledger names, or only the cloud has. */
    differences: number;
    /** Whether its phase is no lie: what it says it made is there, what it undid is gone. */
    isTrue: boolean;
  };
  /** The most things that one request has ever had in the cloud: more than 1 is a duplicate. */
  most?(state: SimulatorState): number;
}
