import type { KvItem, KvMember, KvValue } from '../../contract/api/kv-item.js';

/** What a key should hold after its items, as far as they determine it. */
export type Expectation =
  | { kind: 'absent' }
  | { kind: 'value'; value: KvValue }
  | {
      kind: 'members';
      datatype: 'sorted_set' | 'bloom_filter';
      /** Members by their bytes in base64. */
      present: Map<string, KvMember>;
      absent: Set<string>;
    };

/** Expectations by key, in the order of the first item of each key. */
export function expectedOf(items: readonly KvItem[]): Map<string, Expectation> {
  const expected = new Map<string, Expectation>();
  for (const item of items) expected.set(item.key, after(expected.get(item.key), item));
  return expected;
}

function after(before: Expectation | undefined, item: KvItem): Expectation {
  const { datatype, op, payload } = item;
  if (op === 'del_key' || payload === undefined) return { kind: 'absent' };
  if (datatype === 'kv') return { kind: 'value', value: payload };
  const members =
    before?.kind === 'members' && before.datatype === datatype
      ? before
      : {
          kind: 'members' as const,
          datatype,
          present: new Map<string, KvMember>(),
          absent: new Set<string>(),
        };
  for (const member of payload) {
    const id = bytesOf(member).toString('base64');
    if (op === 'add') members.present.set(id, member);
    else members.present.delete(id);
    if (op === 'add') members.absent.delete(id);
    else members.absent.add(id);
  }
  return members;
}

export function bytesOf({ value, encoding }: { value: string; encoding?: string | undefined }) {
  return Buffer.from(value, encoding === 'base64' ? 'base64' : 'utf8');
}
