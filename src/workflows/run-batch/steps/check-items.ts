import { workflowInfo } from '@temporalio/workflow';

import { chunksOf } from '../../../engine/core/chunks.js';
import { StepState } from '../../../engine/core/status.js';
import { countRanges, fromRanges, toRanges } from '../../../engine/core/number-ranges.js';
import { plural } from '../../../engine/core/text.js';
import { firstEvent } from '../../../engine/run/earlier-history.js';
import { parkWhileBlocked } from '../../../engine/run/park-while-blocked.js';
import type {
  ScanItemsInput,
  TriesBefore,
} from '../../../activities/batch/create-batch-activities.js';
import type { ManifestRange } from '../../../activities/manifest/scan-manifest.js';
import type { RunBatchInput } from '../../../contract/operations/types.js';
import type { BatchTerms } from '../../../contract/wire/batch.js';
import { checkNames, scanItems, scanOnce } from './batch-activities.js';
import { beginBatch, type Batch, type BatchRun, type Page } from './batch-state.js';

export const BATCH_STEPS = { check: 'check items', run: 'run items' } as const;

/** Items of one start, where the input itself has them. */
const PAGE_ITEMS = 50;

/** Reads and checks the whole list before any item is started. */
export async function checkItems(run: BatchRun): Promise<Batch> {
  const step = await run.begin(BATCH_STEPS.check);
  step.set(StepState.waiting);
  // A corrected input may name another list.
  const pages = await parkWhileBlocked(run, () => pagesOf(run.input, run.prepared.terms));
  const { prepared, controls } = run;
  const batch = beginBatch({ prepared, controls }, pages);
  step.set(StepState.verified, { note: plural(batch.asked, 'item') });
  return batch;
}

export async function pagesOf(
  { items = [], manifest, lines }: RunBatchInput,
  terms: BatchTerms,
): Promise<Page[]> {
  if (manifest !== undefined) {
    return scannedPages(scanItems, { terms, manifest, lines, ...triesBefore() });
  }
  const isNameless = items.some(({ requestId }) => requestId === undefined);
  if (terms.makes === true && isNameless) {
    await checkNames({ terms, items, ...(lines !== undefined && { lines }), ...triesBefore() });
  }
  return inlinePages(items, lines);
}

/** The same of a batch that is to end: it starts nothing, so nothing is checked, and its end waits for no list. */
export async function readPages(
  { items = [], manifest, lines }: RunBatchInput,
  terms: BatchTerms,
): Promise<Page[]> {
  if (manifest === undefined) return inlinePages(items, lines);
  return scannedPages(scanOnce, { terms, manifest, lines });
}

async function scannedPages(
  scan: typeof scanItems,
  { lines, ...rest }: Omit<ScanItemsInput, 'lines'> & { lines: string | undefined },
): Promise<Page[]> {
  const only = lines !== undefined && { lines };
  const ranges = await scan({ ...rest, ...only });
  return ranges.map((range) => ({ lines: linesOf(range), range }));
}

/** What the lines are compared with, whatever the list of runs shows by now. */
function triesBefore(): TriesBefore {
  const { ranBefore, runId: eventRunId } = firstEvent();
  const { workflowId } = workflowInfo();
  return {
    eventRunId,
    ...(ranBefore !== undefined && { last: { workflowId, runId: ranBefore } }),
  };
}

function inlinePages(items: readonly unknown[], lines: string | undefined): Page[] {
  const all = lines === undefined ? items.map((_, at) => at + 1) : [...fromRanges(lines)];
  return chunksOf(all, PAGE_ITEMS).map((page) => ({ lines: toRanges(page) }));
}

function linesOf({ line, count, only }: ManifestRange): string {
  return only ?? `${line}-${line + count - 1}`;
}

export function countLines(pages: readonly Page[]): number {
  return pages.reduce((sum, { lines }) => sum + countRanges(lines), 0);
}
