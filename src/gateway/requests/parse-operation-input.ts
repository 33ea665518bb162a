import { InvalidInputError } from '../../client/index.js';
import { operationSchemas, parseInput, type Operations } from '../../contract/index.js';

/** The body as the input of an operation. @throws InvalidInputError with every fault */
export function parseOperationInput<O extends keyof Operations>(
  operation: O,
  body: unknown,
): Operations[O]['input'] {
  const parsed = parseInput(operationSchemas[operation].input, body);
  if (!parsed.ok) throw new InvalidInputError(parsed.faults);
  return parsed.value;
}
