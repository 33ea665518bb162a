import { createHash } from 'node:crypto';

import { toCanonicalJson } from '../../engine/core/values.js';
import { clearSecretFaults } from '../../contract/clear-secrets.js';
import type { Operation } from '../../contract/wire/names.js';
import { CliError, ExitCode } from '../cli-error.js';
import type { Session } from '../session.js';

const LENGTH = 12;

/**
 * A request id from the content. The same input has the same id, so two calls create one machine.
 * The order of keys and white space do not matter, nor do labels: they do not say what is asked for.
 */
export function deriveRequestId(input: unknown): string {
  return createHash('sha256')
    .update(toCanonicalJson(withoutLabels(input)))
    .digest('hex')
    .slice(0, LENGTH);
}

function withoutLabels(input: unknown): unknown {
  if (!(input instanceof Object) || Array.isArray(input)) return input;
  return Object.fromEntries(Object.entries(input).filter(([field]) => field !== 'labels'));
}

/**
 * The same, for an input that may hold secrets. Where payloads are encrypted, the id would be the only thing
 * from which a short password could be guessed: Workflow Ids stay in clear. An id without the secret would be
 * another one than before, and would make a second machine.
 */
export function requestIdFromInput(
  { codecKeys }: Pick<Session, 'codecKeys'>,
  operation: Operation,
  input: unknown,
): string {
  const secrets = codecKeys() === undefined ? [] : clearSecretFaults(operation, input, '');
  if (secrets.length === 0) return deriveRequestId(input);
  const paths = secrets.map(({ path }) => path).join(', ');
  throw new CliError({
    type: 'Usage',
    message: `A request id from this input could give its secrets away (${paths}): Workflow Ids are not encrypted.`,
    advice: 'Add --request-id ID, or name a secret of the worker there: { "$secret": "name" }.',
    exitCode: ExitCode.badInput,
  });
}
