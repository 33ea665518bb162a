import { createHash } from 'node:crypto';

const LENGTH = 12;

/**
 * A request id from the content. The same input has the same id, so two calls create one machine.
 * The order of keys and white space do not matter.
 */
export function deriveRequestId(input: unknown): string {
  return createHash('sha256').update(toCanonicalJson(input)).digest('hex').slice(0, LENGTH);
}

/** JSON without spaces and with sorted keys. */
function toCanonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toCanonicalJson).join(',')}]`;
  if (!(value instanceof Object)) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  const members = entries.map(([key, item]) => `${JSON.stringify(key)}:${toCanonicalJson(item)}`);
  return `{${members.join(',')}}`;
}
