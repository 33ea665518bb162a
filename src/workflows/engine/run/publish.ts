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

/** Search attributes cost an event each time, so they follow phases, not every wait: `running` covers it. */
export function publish(plan: PreparedRun | undefined, ledger: Ledger): void {
  if (plan?.policy.searchAttributes !== true) return;
  const { phase } = ledger.document();
  upsertSearchAttributes([
    { key: PHASE, value: phase === Phase.waiting ? Phase.running : phase },
    { key: ACCOUNT, value: plan.account },
    { key: RESOURCE_ID, value: ledger.resources().map((resource) => resource.id) },
  ]);
}
