import { createHash } from 'node:crypto';

const LENGTH = 12;

/**
 * A request id from the content: the same input has the same id, so giving it twice makes one
 * machine. Neither the order of keys nor white space matters.
 */
export function deriveRequestId(input: unknown): string {
  return createHash('sha256').update(toCanonicalJson(input)).digest('hex').slice(0, LENGTH);
}

/** JSON without spaces, the keys of every object in one order. */
function toCanonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toCanonicalJson).join(',')}]`;
  if (!(value instanceof Object)) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  const members = entries.map(([key, item]) => `${JSON.stringify(key)}:${toCanonicalJson(item)}`);
  return `{${members.join(',')}}`;
}
