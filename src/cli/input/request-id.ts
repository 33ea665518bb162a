import { createHash } from 'node:crypto';

import { toCanonicalJson } from '../../contract/canonical-json.js';

const LENGTH = 12;

/**
 * A request id from the content. The same input has the same id, so two calls create one machine.
 * The order of keys and white space do not matter.
 */
export function deriveRequestId(input: unknown): string {
  return createHash('sha256').update(toCanonicalJson(input)).digest('hex').slice(0, LENGTH);
}
