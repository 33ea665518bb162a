import { bytesOf, hashOf, isMeant, type KvValue } from '../state/kv-entries.js';
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

interface MembersQuery {
  limit: number;
  offset: number;
  search?: string | undefined;
  hash?: string | undefined;
  min_score?: number | undefined;
  max_score?: number | undefined;
}

/** One entry with a page of the members that are meant. A filter does not list its members. */
export function formatKvMembers(
  entry: Readonly<KvEntryEntity>,
  { limit, offset, search: prefix, hash, min_score: min, max_score: max }: MembersQuery,
) {
  const { key, datatype, values } = entry;
  if (datatype === 'kv') return { ...formatKvEntry(entry), count: 1 };
  if (datatype === 'bloom_filter') return { key, datatype, payload: [], count: values.length };
  const meant = values.filter((member) => isMeant(member, { prefix, hash, min, max }));
  const shown = meant.slice(offset, offset + limit);
  return { key, datatype, payload: shown.map(formatValue), count: meant.length };
}

function formatValue({ value, encoding, score }: KvValue) {
  const scored = score === null ? {} : { score };
  if (encoding === 'masked') return { ...scored };
  const bytes = bytesOf({ value, encoding });
  return bytes.length > MAX_SHOWN_BYTES
    ? { value: hashOf({ value, encoding }), encoding: 'sha256', ...scored }
    : { value, encoding, ...scored };
}
