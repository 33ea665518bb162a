import type { RunBatchInput } from '../../../contract/operations/types.js';
import { itemWorkflowId } from '../../../contract/wire/batch.js';
import { Operation } from '../../../contract/wire/names.js';
import type { PreparedRunBatch } from '../../../contract/wire/prepared.js';
import { createDraft } from '../../../engine/plan/planning.js';
import type { Plan } from '../../../engine/schema/documents.js';
import type { PlanRun } from '../../gcore.js';
import { countLines, pagesOf } from '../steps/check-items.js';

/**
 * Plans `runBatch`: whether every item is sound, and how many runs there will be. What one of them would do, its own plan
 * says.
 */
export async function planRunBatch({
  input,
  prepared,
}: PlanRun<PreparedRunBatch, RunBatchInput>): Promise<Plan> {
  const draft = createDraft(Operation.runBatch);
  const { terms, canary } = prepared;
  const path = input.manifest === undefined ? 'items' : 'manifest.url';
  const seen = await draft.look('the list of items', () => pagesOf(input, terms), path);
  if (seen.is !== 'there') return draft.finish();
  const count = countLines(seen.value);
  if (canary !== undefined && canary >= count) {
    draft.warn({
      path: 'canary',
      message: `${canary} covers all ${count} items: none waits for the canary`,
      advice: 'Choose a smaller canary, or leave it out.',
    });
  }
  draft.calls.push({
    method: 'RUN',
    path: itemWorkflowId(terms, { id: '…' }),
    purpose: `${terms.operation} for each item, ${prepared.atOnce} at the same time`,
    times: count,
  });
  return draft.finish();
}
