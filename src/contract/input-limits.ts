import { jsonByteLength } from './byte-length.js';
import type { Fault } from './failures.js';
import { textFault } from './text-faults.js';

/** Temporal accepts payloads of 2 MiB. */
const MAX_INPUT_BYTES = 2_000_000;
/** Far more than any body of the API has, and far less than JSON can write. */
const MAX_DEPTH = 100;

/** The fault of an input that is too large for a history. The server would refuse it too. */
export function inputSizeFaults(input: unknown): Fault[] {
  const deep = depthFaults(input);
  if (deep.length > 0 || input === undefined) return deep;
  const bytes = jsonByteLength(input);
  if (bytes <= MAX_INPUT_BYTES) return [];
  const message = `has ${bytes} bytes as JSON, but a run can take ${MAX_INPUT_BYTES}`;
  return [{ path: '(input)', message }];
}

/** Goes level by level: a function that calls itself would run out of stack. */
export function depthFaults(input: unknown): Fault[] {
  let level = [input];
  for (let depth = 0; depth <= MAX_DEPTH; depth++) {
    level = level.flatMap((value): unknown[] =>
      value instanceof Object ? Object.values(value) : [],
    );
    if (level.length === 0) return [];
  }
  return [{ path: '(input)', message: `is nested more than ${MAX_DEPTH} levels deep` }];
}

// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

/** Half a surrogate pair in an id becomes U+FFFD, so two ids would be one. Control characters break queries of the Temporal server and the tags of the API. */
export function idFaults(path: string, id: string): Fault[] {
  const message = CONTROL.test(id)
    ? 'must not contain control characters, such as line breaks or NUL'
    : textFault(id);
  return message === undefined ? [] : [{ path, message }];
}
