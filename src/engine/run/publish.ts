import { SearchAttributeType, defineSearchAttributeKey } from '@temporalio/common';
import { upsertSearchAttributes } from '@temporalio/workflow';

import type { PreparedRun } from '../core/prepared-run.js';
import { firstThatFit } from '../core/text.js';
import type { Product } from '../core/product.js';
import { Phase } from '../core/status.js';
import type { Ledger } from './ledger.js';

/** Temporal refuses a workflow task with a larger value, and ends the run. */
const MAX_VALUE_BYTES = 2_000;

/** The first ones, about 50. A run names the most important one first. */
function searchableIds(ledger: Ledger): string[] {
  const ids = ledger.resources().map(({ id }) => id);
  return firstThatFit(ids, MAX_VALUE_BYTES);
}

const keyword = (name: string) => defineSearchAttributeKey(name, SearchAttributeType.KEYWORD);
const keywords = (name: string) => defineSearchAttributeKey(name, SearchAttributeType.KEYWORD_LIST);

interface Published {
  ledger: Ledger;
  product: Pick<Product, 'searchAttributes'>;
}

/** Each update of search attributes costs an event, so a wait counts as `running`. */
export function publish(
  prepared: PreparedRun | undefined,
  { ledger, product: { searchAttributes: names } }: Published,
): void {
  if (prepared?.policy.searchAttributes !== true) return;
  const { phase } = ledger.document();
  upsertSearchAttributes([
    { key: keyword(names.phase), value: phase === Phase.waiting ? Phase.running : phase },
    { key: keyword(names.account), value: prepared.account },
    { key: keywords(names.resourceId), value: searchableIds(ledger) },
  ]);
}
