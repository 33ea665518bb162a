import { plural } from '../../../engine/core/text.js';
import { paths } from '../../../contract/wire/paths.js';
import type { KvTotals } from '../../../contract/wire/kv-totals.js';
import type { PlannedCall } from '../../../engine/schema/documents.js';
import { chooseReadback } from '../steps/choose-readback.js';
import type { Chunk } from '../steps/plan-kv-chunks.js';
import { collapseCalls } from '../../shared/plan/plan-parts.js';
import { countKeys } from './kv-datatypes.js';

interface Push {
  storeId: number;
  force: boolean;
  verify: 'sample' | 'all';
  chunks: readonly Chunk[];
}

export function kvCalls({ storeId, force, verify, chunks }: Push): PlannedCall[] {
  const store = paths.kvStore(storeId);
  const keys = chooseReadback(chunks, verify).reduce((sum, one) => sum + countKeys(one), 0);
  const all = verify === 'sample' ? ' ("verify": "all" reads every key)' : '';
  return [
    { method: 'GET', path: store, purpose: 'read its revision' },
    ...writes(paths.kvData(storeId), { force, chunks }),
    {
      method: 'GET',
      path: `${paths.kvData(storeId)}/{key}`,
      purpose: `read back ${plural(keys, 'key')}${all}; many plain keys come by page`,
    },
    { method: 'GET', path: store, purpose: 'read its revision: has somebody else written too?' },
  ];
}

function writes(path: string, { force, chunks }: Pick<Push, 'force' | 'chunks'>): PlannedCall[] {
  const forced = force ? ', with force' : '';
  const rows = chunks.map(({ count }, index) => ({
    method: 'PUT',
    path,
    purpose: `chunk ${index + 1} of ${chunks.length}: write ${plural(count, 'item')}${forced}`,
  }));
  return collapseCalls(rows, () => {
    const items = chunks.reduce((sum, { count }) => sum + count, 0);
    return `write ${plural(items, 'item')}, chunk by chunk${forced}`;
  });
}

/** The effects of a push that nothing can undo. */
export function kvIrreversible(
  { keysDeleted, setsReduced, bloomValues }: KvTotals,
  force: boolean,
): string[] {
  const lines: [boolean, string][] = [
    [
      true,
      'The present values of the keys are overwritten. A failed or cancelled run undoes nothing.',
    ],
    [
      keysDeleted > 0,
      `${plural(keysDeleted, 'item deletes', 'items delete')} a key with everything that it holds.`,
    ],
    [
      setsReduced > 0,
      `${plural(setsReduced, 'item removes', 'items remove')} entries from a sorted set.`,
    ],
    [
      bloomValues > 0,
      `${plural(bloomValues, 'value goes', 'values go')} into bloom filters and can never be removed.`,
    ],
    [force, 'With "force" a key of another datatype loses everything that it holds.'],
  ];
  return lines.flatMap(([isSo, line]) => (isSo ? [line] : []));
}

/** What a read-back cannot show, with the number of values. */
export function kvUnverifiable({
  bloomValues,
  maskedValues,
  secretValues = 0,
}: KvTotals): string[] {
  return [
    ...(bloomValues > 0
      ? [`${plural(bloomValues, 'value')} of bloom filters: the API cannot list them`]
      : []),
    ...(maskedValues > 0
      ? [`${plural(maskedValues, 'masked value')}: the API never returns them`]
      : []),
    ...(secretValues > 0
      ? [`${plural(secretValues, 'secret')} by name: they may change after they were sent`]
      : []),
  ];
}
