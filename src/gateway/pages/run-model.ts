import { z } from 'zod';

import { shownPhase } from '../../client/protection.js';
import type { Explanation, RunHistory } from '../../client/index.js';
import { batchLines } from '../../contract/batch-lines.js';
import { batchReportSchema, importReportSchema } from '../../contract/operations/index.js';
import { reportLines, statusDocumentSchema, type StatusDocument } from '../../contract/index.js';
import { stepStatusSchema } from '../../contract/documents.js';
import { plannedIdOf } from '../../engine/core/names.js';
import type { StepStatus } from '../../engine/schema/status-document.js';
import type { Caller } from '../../tokens/token-file.js';
import type { GatewayParts, MakeLarge } from '../gateway-context.js';
import { createSharedReads, type ShareReads } from '../share-reads.js';
import type { RunView } from '../status-board.js';
import { hasReport, readLines } from '../report-lines.js';
import { awaited, within } from '../within.js';
import { summaryOfItems, type ItemsSummary } from './failure-table.js';
import { actionsFor, type PageAction } from './page-actions.js';

/** What the page of a run shows. Whatever did not answer is missing. */
export interface RunPageModel {
  view: RunView;
  /** Missing when no worker answers. */
  status?: StatusDocument | undefined;
  /** Of the status or, without a worker, of the result. */
  steps: readonly StepStatus[];
  /** What is known without a worker. */
  explanation?: Pick<Explanation, 'paragraph' | 'next'> | undefined;
  history?: RunHistory | undefined;
  /** Of an import or a batch. */
  items?: ItemsSummary | undefined;
  actions: readonly PageAction[];
  /** Of the run in the Temporal UI. */
  temporalUrl?: string | undefined;
  now: number;
}

export interface Reader {
  caller: Caller;
  temporalUrl: ((workflowId: string) => string) | undefined;
  makeLarge: MakeLarge;
}

export type ReadModel = (view: RunView, reader: Reader) => Promise<RunPageModel>;

/** A larger input or result is not decoded for a page: the page links to it. */
const MOST_SHOWN_BYTES = 65_536;

const EXPLAIN_WITHIN_MS = 4_000;
const READ_WITHIN_MS = 4_000;
/** Of an import with 100,000 lines the report has a megabyte. */
const REPORT_FRESH_MS = 10_000;
const HISTORY_FRESH_MS = 2_000;

/** Reads for the page of a run what the product has of it. However many read a run, it is asked once. */
export function createReadModel({ gcore }: Pick<GatewayParts, 'gcore'>): ReadModel {
  const histories = createSharedReads<RunHistory>(HISTORY_FRESH_MS);
  const reports = createSharedReads<ItemsSummary>(REPORT_FRESH_MS);
  const ask = <T>(share: ShareReads<T>, view: RunView, read: () => Promise<T>) =>
    awaited(READ_WITHIN_MS, share(keyOf(view), read)).catch(() => undefined);
  const readHistory = (view: RunView) =>
    within(gcore, READ_WITHIN_MS, () => gcore.history(view, MOST_SHOWN_BYTES));
  const readItems = async (view: RunView) => summaryOfItems(await readLines({ gcore }, view));
  return async (view, { caller, temporalUrl, makeLarge }) => {
    const { workflowId } = view;
    const status = statusOf(view);
    const [history, explanation, items] = await Promise.all([
      ask(histories, view, () => makeLarge(() => readHistory(view))),
      needsExplanation(view, status) ? explain(gcore, view, makeLarge) : undefined,
      showsItems(view) && status
        ? ask(reports, view, () => makeLarge(() => readItems(view)))
        : undefined,
    ]);
    const known = knownFromResult(history);
    return {
      ...{ view, status, explanation, history },
      steps: status?.steps ?? known.ledger ?? [],
      items: items ?? known.items,
      actions: actionsFor(caller, { view, status }),
      temporalUrl: temporalUrl?.(workflowId),
      now: Date.now(),
    };
  };
}

/** A run that has ended is another reading than the same one before. */
function keyOf({ workflowId, startedAt, state }: RunView): string {
  return `${state} ${startedAt} ${workflowId}`;
}

function showsItems({ operation, workflowId }: RunView): boolean {
  return hasReport(operation) && plannedIdOf(workflowId) === undefined;
}

/** Who has ended a run from outside only the server knows. */
function needsExplanation(view: RunView, status: StatusDocument | undefined): boolean {
  return status === undefined || isFromOutside(view);
}

/** Such a run could not say so itself. */
function isFromOutside({ state }: RunView): boolean {
  return state === 'TERMINATED' || state === 'TIMED_OUT';
}

/** The status document of a view, if a worker has given one. */
export function statusOf({ document }: Pick<RunView, 'document'>): StatusDocument | undefined {
  if (document === undefined) return undefined;
  return statusDocumentSchema.parse(JSON.parse(document.text));
}

/** @returns `undefined` when nobody answers: the page says without it that no worker does */
function explain(
  gcore: GatewayParts['gcore'],
  view: RunView,
  makeLarge: MakeLarge,
): Promise<Explanation | undefined> {
  // The board has just waited for a worker.
  const asksRun = view.document !== undefined;
  const asked = makeLarge(() =>
    within(gcore, EXPLAIN_WITHIN_MS, () => gcore.explain(view, { asksRun })),
  );
  return awaited(EXPLAIN_WITHIN_MS, asked).catch(() => undefined);
}

const resultSchema = z
  .object({
    ledger: z.array(stepStatusSchema),
    report: z.union([
      importReportSchema.transform((report) => summaryOfItems(reportLines(report))),
      batchReportSchema.transform((report) => summaryOfItems(batchLines(report))),
    ]),
  })
  .partial()
  .catch({});

/** What a result tells that else only a worker does. */
function knownFromResult(history: RunHistory | undefined): {
  ledger?: StepStatus[] | undefined;
  items?: ItemsSummary | undefined;
} {
  const { result } = history ?? {};
  if (result === undefined || 'left' in result) return {};
  const { ledger, report: items } = resultSchema.parse(result.value);
  return { ledger, items };
}

/** The word for the state of a run: its own, else what it has recorded. */
export function phaseOf({ view, status }: Pick<RunPageModel, 'view' | 'status'>): string {
  if (status === undefined || isFromOutside(view)) return view.phase;
  return shownPhase(status);
}
