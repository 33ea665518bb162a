import { z } from 'zod';

import { badParameters } from './read-query.js';

const HEADER = 'Idempotency-Key';
const MAX_LENGTH = 255;

const VISIBLE_ASCII = /^[\x21-\x7e]+$/;

/** As the document of the API describes it. */
export const idempotencyKeySchema = z.string().regex(VISIBLE_ASCII).max(MAX_LENGTH);

/**
 * The request id of `Idempotency-Key`. The quotes of a structured header (`"order-4711"`) do not count.
 * @throws ProblemError (400)
 */
export function parseIdempotencyKey(header: string | undefined): string {
  const key = /^"(.*)"$/.exec(header ?? '')?.[1] ?? header ?? '';
  const fault = faultOf(header, key);
  if (fault !== undefined) throw badParameters([{ path: HEADER, message: fault }]);
  return key;
}

function faultOf(header: string | undefined, key: string): string | undefined {
  if (header === undefined) {
    return 'is missing: it names your request, such as an order number. Repeat it to repeat the request';
  }
  if (key.length > MAX_LENGTH) return `must have at most ${MAX_LENGTH} characters`;
  return VISIBLE_ASCII.test(key) ? undefined : 'must be visible ASCII characters without spaces';
}
