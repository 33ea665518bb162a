import { createHash } from 'node:crypto';

import { bytesOf, type KvValue } from '../state/kv-entries.js';
import type { KvEntryEntity } from '../state/rows.js';

/** The API shows a longer value as its hash. */
const MAX_SHOWN_BYTES = 1_024;

/** An entry in a list: with the value of a plain key, without the members of a set or a filter. */
export function formatKvEntry({ key, datatype, values, expiresAt }: Readonly<KvEntryEntity>) {
  const expiry = expiresAt === null ? {} : { expiry: new Date(expiresAt).toISOString() };
  const [value] = values;
  const payload =
    datatype === 'kv' && value !== undefined
      ? { payload: { ...formatValue(value), ...expiry } }
      : {};
  return { key, datatype, ...payload };
}

/** One entry with a page of its members. A filter does not list its members. */
export function formatKvMembers(
  entry: Readonly<KvEntryEntity>,
  { limit, offset }: { limit: number; offset: number },
) {
  const { key, datatype, values } = entry;
  if (datatype === 'kv') return { ...formatKvEntry(entry), count: 1 };
  const shown = datatype === 'sorted_set' ? values.slice(offset, offset + limit) : [];
  return { key, datatype, payload: shown.map(formatValue), count: values.length };
}

function formatValue({ value, encoding, score }: KvValue) {
  const scored = score === null ? {} : { score };
  if (encoding === 'masked') return { ...scored };
  const bytes = bytesOf({ value, encoding });
  return bytes.length > MAX_SHOWN_BYTES
    ? { value: createHash('sha256').update(bytes).digest('hex'), encoding: 'sha256', ...scored }
    : { value, encoding, ...scored };
}
