import { operationSchemas, type Operations } from '../../../../src/contract/operations/index.js';
import { Operation } from '../../../../src/contract/wire/names.js';

export type InputOf<O extends Operation> = Operations[O]['input'];
export type ResultOf<O extends Operation> = Operations[O]['result'];

export function isOperation(name: string): name is Operation {
  return Object.hasOwn(Operation, name);
}

/** The input of a run, or nothing where it is none: such a run is refused before it does anything. */
export function inputAs<O extends Operation>(operation: O, input: unknown): InputOf<O> | undefined {
  const { success, data } = operationSchemas[operation].input.safeParse(input);
  return success ? data : undefined;
}

export function resultAs<O extends Operation>(
  operation: O,
  result: unknown,
): ResultOf<O> | undefined {
  const { success, data } = operationSchemas[operation].result.safeParse(result);
  return success ? data : undefined;
}
