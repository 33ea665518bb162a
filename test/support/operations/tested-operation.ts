import type { Operation } from '../../../src/contract/wire/names.js';
import type { Operations } from '../../../src/contract/operations/index.js';
import type { StatusDocument } from '../../../src/engine/schema/status-document.js';
import type { Inventory, SimulatorState } from '../../../src/simulator/index.js';
import type { BadInput } from '../inputs/bad-input.js';
import type { MatrixOperation } from './matrix-operation.js';

/** What tests that cover every operation need to know about one of them. */
export interface TestedOperation<O extends Operation> {
  /** The Workflow Id of the request `audit-7` in the account `blue`. Clients in other languages use it. */
  workflowId: string;
  /** Requests that succeed. The scaffolds of `test/steps` disturb each of their calls. */
  cases: readonly [OperationCase<O>, ...OperationCase<O>[]];
  matrix: MatrixOperation;
  /**
   * Its work is done by other runs. What disturbs the calls of a run, or judges what a run has made, does not fit: it has tests
   * of its own.
   */
  byOtherRuns?: true;
  /** Files of `test/replay/histories`, without `.json`. Each way for a run to end has one. */
  histories: readonly [string, ...string[]];
  /** Inputs that break a rule of this operation. Those that break its schema follow from that. */
  badInputs?: readonly BadInput[];
}

/** What is left of a request when its run has ended. */
export interface EndedCase {
  status: StatusDocument;
  inventory: Inventory;
  ledger: string[];
  existing: string[];
}

/** A plain request that succeeds. */
export interface OperationCase<O extends Operation = Operation> {
  operation: O;
  /** Distinguishes the cases of one operation. */
  where?: string;
  /** @param name distinguishes the resources of one request from those of another. */
  input: (name: string) => Omit<Operations[O]['input'], 'account'>;
  /** Number of resources that one request creates or changes; 0 when it only reads. */
  makes: 0 | 1;
  /** The method of the call that changes something; missing when the operation only reads. */
  changes?: 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Reads that the activity of the first change makes itself before it sends; 0 when left out. */
  readsInChange?: number;
  /** The simulated cloud at the start. */
  state?: SimulatorState;
  /** Ids of the resources of a request, for resources that have no marker. */
  existing?: (name: string, inventory: Inventory) => string[];
  /**
   * For an operation that removes: a run that ends early leaves things behind, and must name them.
   * Ids that only the ledger names or only the cloud has, where the ledger must be true.
   */
  differences?: (name: string, end: EndedCase) => Pick<EndedCase, 'ledger' | 'existing'>;
}
