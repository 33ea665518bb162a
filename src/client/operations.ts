import type { CompletedWork } from '../contract/operations/define-operation.js';
import { OPERATIONS, type Operations } from '../contract/operations/index.js';
import type { Operation } from '../contract/wire/names.js';

export function isOperation(name: string | undefined): name is Operation {
  return name !== undefined && Object.hasOwn(OPERATIONS, name);
}

/** The request id of an input without one; `undefined` when the caller must name the request. */
export function requestIdFrom<O extends Operation>(
  operation: O,
  input: Operations[O]['input'],
): string | undefined {
  const { requestId } = OPERATIONS[operation];
  return requestId === 'from caller' ? undefined : requestId(input);
}

/** A result, together with the operation that it belongs to. */
export type OperationResult<O extends Operation = Operation> = {
  [P in O]: { operation: P; result: Operations[P]['result'] };
}[O];

/** What a run has done when a request to stop it came too late. */
export function completedWorkOf<O extends Operation>(end: OperationResult<O>): CompletedWork {
  return OPERATIONS[end.operation].completedWork(end.result);
}
