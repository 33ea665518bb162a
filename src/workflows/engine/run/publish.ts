import { SearchAttributeType, defineSearchAttributeKey } from '@temporalio/common';
import { upsertSearchAttributes } from '@temporalio/workflow';

import type { PreparedRun } from '../../../contract/prepared/prepared-run.js';
import { SearchAttribute } from '../../../contract/names.js';
import { Phase } from '../../../contract/status.js';
import type { Ledger } from './ledger.js';

const PHASE = defineSearchAttributeKey(SearchAttribute.phase, SearchAttributeType.KEYWORD);
const ACCOUNT = defineSearchAttributeKey(SearchAttribute.account, SearchAttributeType.KEYWORD);
const RESOURCE_ID = defineSearchAttributeKey(
  SearchAttribute.resourceId,
  SearchAttributeType.KEYWORD_LIST,
);

/** Each update of search attributes costs an event, so a wait counts as `running`. */
export function publish(prepared: PreparedRun | undefined, ledger: Ledger): void {
  if (prepared?.policy.searchAttributes !== true) return;
  const { phase } = ledger.document();
  upsertSearchAttributes([
    { key: PHASE, value: phase === Phase.waiting ? Phase.running : phase },
    { key: ACCOUNT, value: prepared.account },
    { key: RESOURCE_ID, value: ledger.resources().map((resource) => resource.id) },
  ]);
}
