import { Argument, InvalidArgumentError } from 'commander';

import { Operation } from '../../contract/index.js';

/** Accepts `provisionInstance` and, as in workflow ids, `provision-instance`. */
export function parseOperation(text: string): Operation {
  const wanted = text.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const operation = Object.values(Operation).find((name) => name === wanted);
  if (operation !== undefined) return operation;
  throw new InvalidArgumentError(`It must be one of ${Object.values(Operation).join(', ')}.`);
}

/** The argument of commands that take any operation. The help and the completion show the names. */
export function operationArgument(): Argument {
  return new Argument('<OPERATION>', 'which operation')
    .choices(Object.values(Operation))
    .argParser(parseOperation);
}
