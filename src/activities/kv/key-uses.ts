import { createHash } from 'node:crypto';

import type { KvItem } from '../../contract/api/kv-item.js';

/** Which keys have been written, and how: for two writes of one key the order may matter. */
export interface KeyUses {
  /** Whether the outcome would be another if this item came before those that have been noted. */
  matters(item: KvItem): boolean;
  note(item: KvItem): void;
}

interface Use {
  kind: string;
  members: Set<string>;
}

/**
 * The order does not matter between keys, nor where different members of one set or filter are
 * added, or taken out: a list of members that is longer than one item is written that way.
 */
export function createKeyUses(): KeyUses {
  const uses = new Map<string, Use>();
  return {
    matters(item) {
      const use = uses.get(item.key);
      if (use === undefined) return false;
      const isList = item.datatype !== 'kv' && item.op !== 'del_key';
      if (!isList || use.kind !== kindOf(item)) return true;
      return membersOf(item).some((member) => use.members.has(member));
    },
    note(item) {
      const use = uses.get(item.key) ?? { kind: kindOf(item), members: new Set() };
      for (const member of membersOf(item)) use.members.add(member);
      // From two kinds on, everything that follows matters.
      uses.set(item.key, use.kind === kindOf(item) ? use : { ...use, kind: 'mixed' });
    },
  };
}

function kindOf({ datatype, op }: KvItem): string {
  return `${datatype} ${op}`;
}

/** Short, because a manifest may have millions. */
function membersOf(item: KvItem): string[] {
  if (!Array.isArray(item.payload)) return [];
  return item.payload.map(({ value, encoding }) =>
    createHash('sha256')
      .update(Buffer.from(value, encoding === 'base64' ? 'base64' : 'utf8'))
      .digest('base64')
      .slice(0, 22),
  );
}
