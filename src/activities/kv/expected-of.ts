import type { KvItem, KvMember, KvValue } from '../../contract/api/fastedge.js';
import { isSecretRef } from '../../contract/wire/secret-ref.js';

/** What a key should hold after its items, as far as they determine it. */
export type Expectation =
  | { kind: 'absent' }
  | { kind: 'value'; value: KvValue }
  /** Secrets by name are not read back: they may have changed since they were sent. */
  | { kind: 'secret'; datatype: KvItem['datatype'] }
  | ExpectedMembers;

/** Members by their bytes in base64. */
export interface ExpectedMembers {
  kind: 'members';
  datatype: 'sorted_set' | 'bloom_filter';
  present: Map<string, KvMember>;
  absent: Map<string, KvMember>;
}

/** Expectations by key, in the order of the first item of each key. */
export function expectedOf(items: readonly KvItem[]): Map<string, Expectation> {
  const expected = new Map<string, Expectation>();
  for (const item of items) expected.set(item.key, after(expected.get(item.key), item));
  return expected;
}

function after(before: Expectation | undefined, item: KvItem): Expectation {
  const { datatype, op, payload } = item;
  if (op === 'del_key' || payload === undefined) return { kind: 'absent' };
  if (datatype === 'kv') {
    const { value, ...rest } = payload;
    if (isSecretRef(value)) return { kind: 'secret', datatype };
    return { kind: 'value', value: { ...rest, value } };
  }
  // One such member may be equal to any other one, so nothing about the others is certain either.
  if (before?.kind === 'secret' && before.datatype === datatype) return before;
  const members = payload.flatMap(({ value, ...rest }) =>
    isSecretRef(value) ? [] : { ...rest, value },
  );
  if (members.length < payload.length) return { kind: 'secret', datatype };
  return afterMembers(before, { datatype, op, members });
}

interface MemberChange {
  datatype: 'sorted_set' | 'bloom_filter';
  op: 'add' | 'del_entries';
  members: readonly KvMember[];
}

function afterMembers(
  before: Expectation | undefined,
  { datatype, op, members }: MemberChange,
): Expectation {
  const isSameSet = before?.kind === 'members' && before.datatype === datatype;
  const expected: ExpectedMembers = isSameSet
    ? before
    : { kind: 'members', datatype, present: new Map(), absent: new Map() };
  const { present, absent } = expected;
  const [into, from] = op === 'add' ? [present, absent] : [absent, present];
  for (const member of members) {
    const id = bytesOf(member).toString('base64');
    into.set(id, member);
    from.delete(id);
  }
  return expected;
}

export function bytesOf({ value, encoding }: { value: string; encoding?: string | undefined }) {
  return Buffer.from(value, encoding === 'base64' ? 'base64' : 'utf8');
}
