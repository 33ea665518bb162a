import { ApplicationFailure } from '@temporalio/common';

import { cutText } from '../core/text.js';
import { FailureType, type FailureDetails } from '../core/failures.js';
import { GENERAL_ADVICE } from '../http/api-description.js';
import { redactAll } from '../http/secrets.js';

/** Errors that JavaScript itself throws, and those of a schema. Names, because errors come from several realms. */
const OF_THE_CODE: ReadonlySet<string> = new Set([
  ...['Error', 'TypeError', 'RangeError', 'ReferenceError', 'SyntaxError', 'URIError', 'EvalError'],
  ...['ZodError', '$ZodError'],
]);

/**
 * Whether an error says that the code is wrong, so that a repeat meets it again. What a network, a file system or a
 * Temporal server throws has a name of its own, a code or a cause, and may pass.
 */
export function isDefect(error: unknown): error is Error {
  if (typeof error !== 'object' || error === null || !('name' in error) || !('message' in error))
    return false;
  if (!OF_THE_CODE.has(String(error.name))) return false;
  const code = 'code' in error ? error.code : undefined;
  const isOfNode = typeof code === 'string' && code.startsWith('ERR_');
  const cause = 'cause' in error ? error.cause : undefined;
  return (code === undefined || isOfNode) && cause === undefined;
}

/** These may quote the text that was read. */
const QUOTING: ReadonlySet<string> = new Set(['SyntaxError']);
const SHORTEST_MASKED = 4;

/**
 * The failure of an activity that met a defect. Names the error; its message repeats no text that the activity was given,
 * because that may be a secret.
 *
 * @param isWithheld the activity knows texts beside those that it was given: its message stays here
 */
export function toDefect(error: Error, given: unknown, isWithheld = false): ApplicationFailure {
  const { name, message } = error;
  const [shown = ''] = redactAll([message], textsIn(given));
  const said = isWithheld || QUOTING.has(name) ? '' : `: ${cutText(shown)}`;
  const advice = GENERAL_ADVICE[FailureType.defect];
  return ApplicationFailure.create({
    type: FailureType.defect,
    nonRetryable: true,
    message: `The worker met a defect of its own (${name}${said}). ${advice}`,
    details: [{ advice } satisfies FailureDetails],
  });
}

/** Without recursion: what was given may be the very thing that is too deep. */
function textsIn(given: unknown): string[] {
  const texts: string[] = [];
  const open: unknown[] = [given];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === 'string' && next.length >= SHORTEST_MASKED) texts.push(next);
    if (typeof next === 'object' && next !== null) {
      for (const inner of Object.values(next)) open.push(inner);
    }
  }
  return texts;
}
