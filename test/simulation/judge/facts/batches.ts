import { batchTerms, parseItem } from '../../../../src/contract/batch-items.js';
import { itemWorkflowId } from '../../../../src/contract/wire/batch.js';
import { requestIdOfRun } from '../../../../src/contract/wire/names.js';
import type { RunRecord } from '../../world/records.js';
import { inputAs } from './operations.js';

/** The Workflow Ids of the items of a batch. Those of a manifest are unknown. */
export function itemsOf({ operation, workflowId, input }: RunRecord): string[] {
  const given = operation === 'runBatch' ? inputAs('runBatch', input) : undefined;
  if (given === undefined) return [];
  const terms = batchTerms(given, requestIdOfRun(workflowId) ?? '');
  return (given.items ?? []).flatMap((item) => {
    const parsed = parseItem(terms, item);
    return parsed.ok ? [itemWorkflowId(terms, parsed.value)] : [];
  });
}

/** The batches that name a run as one of their items, by its Workflow Id. */
export function batchesOf(runs: readonly RunRecord[]): ReadonlyMap<string, string> {
  return new Map(
    runs.flatMap((run) => itemsOf(run).map((id): [string, string] => [id, run.workflowId])),
  );
}
