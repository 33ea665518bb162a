import { createHash } from 'node:crypto';

import type { KvItem } from '../../contract/api/fastedge.js';
import { isSecretRef } from '../../contract/wire/secret-ref.js';

/** Remembers which keys were written and how: the order of two writes of one key may matter. */
export interface KeyUses {
  /** Whether the outcome would change if this item came before the added ones. */
  orderMatters(item: KvItem): boolean;
  add(item: KvItem): void;
}

interface Use {
  kind: string;
  members: Set<string>;
}

/**
 * The order does not matter between keys. It does not matter either when items add, or remove,
 * different members of one set or filter: a list of members may take more than one item. A secret by its
 * name may be equal to any member.
 */
export function createKeyUses(): KeyUses {
  const uses = new Map<string, Use>();
  return {
    orderMatters(item) {
      const use = uses.get(item.key);
      if (use === undefined) return false;
      const isList = item.datatype !== 'kv' && item.op !== 'del_key';
      if (!isList || use.kind !== kindOf(item) || hasSecret(item)) return true;
      return membersOf(item).some((member) => use.members.has(member));
    },
    add(item) {
      const kind = hasSecret(item) ? MIXED : kindOf(item);
      const use = uses.get(item.key) ?? { kind, members: new Set() };
      for (const member of membersOf(item)) use.members.add(member);
      // After two kinds of use, the order of every later one matters.
      uses.set(item.key, use.kind === kind ? use : { ...use, kind: MIXED });
    },
  };
}

const MIXED = 'mixed';

function hasSecret({ payload }: KvItem): boolean {
  return [payload ?? []].flat().some(({ value }) => isSecretRef(value));
}

function kindOf({ datatype, op }: KvItem): string {
  return `${datatype} ${op}`;
}

/** Short hashes, because a manifest may have millions of members. */
function membersOf(item: KvItem): string[] {
  if (!Array.isArray(item.payload)) return [];
  return item.payload.flatMap(({ value, encoding }) => {
    if (isSecretRef(value)) return [];
    const bytes = Buffer.from(value, encoding === 'base64' ? 'base64' : 'utf8');
    return createHash('sha256').update(bytes).digest('base64').slice(0, 22);
  });
}
