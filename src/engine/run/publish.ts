import { SearchAttributeType, defineSearchAttributeKey } from '@temporalio/common';
import { upsertSearchAttributes } from '@temporalio/workflow';

import type { PreparedRun } from '../core/prepared-run.js';
import { firstThatFit } from '../core/first-that-fit.js';
import { SearchAttribute } from '../../contract/wire/names.js';
import { Phase } from '../core/status.js';
import type { Ledger } from './ledger.js';

const PHASE = defineSearchAttributeKey(SearchAttribute.phase, SearchAttributeType.KEYWORD);
const ACCOUNT = defineSearchAttributeKey(SearchAttribute.account, SearchAttributeType.KEYWORD);
const RESOURCE_ID = defineSearchAttributeKey(
  SearchAttribute.resourceId,
  SearchAttributeType.KEYWORD_LIST,
);

/** Temporal refuses a workflow task with a larger value, and ends the run. */
const MAX_VALUE_BYTES = 2_000;

/** The first ones, about 50. A run names its instance before its volumes. */
function searchableIds(ledger: Ledger): string[] {
  const ids = ledger.resources().map(({ id }) => id);
  return firstThatFit(ids, MAX_VALUE_BYTES);
}

/** Each update of search attributes costs an event, so a wait counts as `running`. */
export function publish(prepared: PreparedRun | undefined, ledger: Ledger): void {
  if (prepared?.policy.searchAttributes !== true) return;
  const { phase } = ledger.document();
  upsertSearchAttributes([
    { key: PHASE, value: phase === Phase.waiting ? Phase.running : phase },
    { key: ACCOUNT, value: prepared.account },
    { key: RESOURCE_ID, value: searchableIds(ledger) },
  ]);
}
