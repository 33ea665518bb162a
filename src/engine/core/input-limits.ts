import { jsonByteLength } from './byte-length.js';
import type { Fault } from './failures.js';
import { textFault } from './text-faults.js';

/** Temporal accepts payloads of 2 MiB. */
const MAX_INPUT_BYTES = 2_000_000;
/** Far more than any body of the API has, and far less than JSON can write. */
const MAX_DEPTH = 100;
/** Items of lists and members of objects, all of them: 6,500 items of a push. */
export const MAX_VALUES = 40_000;

/** The fault of an input that is too large for a history. The server would refuse it too. */
export function inputSizeFaults(input: unknown): Fault[] {
  const odd = shapeFaults(input);
  if (odd.length > 0 || input === undefined) return odd;
  const bytes = jsonByteLength(input);
  if (bytes <= MAX_INPUT_BYTES) return [];
  const message = `has ${bytes} bytes as JSON, but a run can take ${MAX_INPUT_BYTES}`;
  return [{ path: '(input)', message }];
}

/**
 * The fault of an input that no schema should be asked about: zod and JSON would run out of stack, and zod takes
 * seconds for a million wrong items. Goes level by level: a function that calls itself would run out of stack too.
 */
export function shapeFaults(input: unknown, maxValues = MAX_VALUES): Fault[] {
  let level = [input];
  let values = 0;
  for (let depth = 0; depth <= MAX_DEPTH; depth++) {
    const below: unknown[] = [];
    for (const value of level) {
      if (!(value instanceof Object)) continue;
      const inner: unknown[] = Object.values(value);
      values += inner.length;
      if (values > maxValues) return [{ path: '(input)', message: tooMany(maxValues) }];
      for (const one of inner) below.push(one);
    }
    if (below.length === 0) return [];
    level = below;
  }
  return [{ path: '(input)', message: `is nested more than ${MAX_DEPTH} levels deep` }];
}

function tooMany(maxValues: number): string {
  return `has more than ${maxValues} values: write a long list to a file, and name it as the manifest`;
}

/** As a class of a regular expression, in the notation that all readers of the API document know. */
export const CONTROL_CHARACTERS = String.raw`\x00-\x1f\x7f-\x9f`;
const CONTROL = new RegExp(`[${CONTROL_CHARACTERS}]`);

/** Half a surrogate pair in an id becomes U+FFFD, so two ids would be one. Control characters break queries of the Temporal server and the tags of the API. */
export function idFaults(path: string, id: string): Fault[] {
  const message = CONTROL.test(id)
    ? 'must not contain control characters, such as line breaks or NUL'
    : textFault(id);
  return message === undefined ? [] : [{ path, message }];
}
