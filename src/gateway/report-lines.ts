import { Operation, reportLines } from '../contract/index.js';
import { batchLines, type BatchLine } from '../contract/batch-lines.js';
import type { ItemResult } from '../contract/report-lines.js';
import { audited } from './audit.js';
import { findRun } from './find-run.js';
import type { GatewayContext, GatewayParts } from './gateway-context.js';
import { ProblemError, type Problem } from './problem.js';
import type { RunView } from './status-board.js';
import { noWorkerProblem } from './to-problem.js';
import { awaited } from './within.js';

const ANSWER_WITHIN_MS = 15_000;
/** As values. */
const REPORT_BYTES = 4 * 1_024 ** 2;

/** What became of one line of an import or one item of a batch. */
export type ReportLine = ItemResult | BatchLine;

/** What became of every line of the run that the path names. @throws ProblemError (404, 503) */
export async function readReportLines(
  parts: GatewayParts,
  c: GatewayContext,
): Promise<Iterable<ReportLine>> {
  const view = await findRun(parts, c);
  const { workflowId, operation, document } = view;
  if (!hasReport(operation)) throw new ProblemError(noReport(workflowId));
  if (document === undefined) throw new ProblemError(noWorkerProblem(workflowId));
  // They become text as somebody reads them.
  c.get('hold')(REPORT_BYTES);
  return audited(parts.audit, { c, action: 'report', workflowId }, () =>
    c.get('makeLarge')(() => awaited(ANSWER_WITHIN_MS, readLines(parts, view))),
  );
}

/** Whether runs of this operation tell what became of each of many items. */
export function hasReport(operation: Operation): boolean {
  return operation === Operation.importVideos || operation === Operation.runBatch;
}

/** The long form of the report of such a run. */
export async function readLines(
  { gcore }: Pick<GatewayParts, 'gcore'>,
  run: RunView,
): Promise<Iterable<ReportLine>> {
  return gcore.endingWithin(ANSWER_WITHIN_MS, async () =>
    run.operation === Operation.runBatch
      ? batchLines(await gcore.batchReport(run))
      : reportLines(await gcore.report(run)),
  );
}

function noReport(workflowId: string): Problem {
  return {
    status: 404,
    code: 'NoReport',
    title: 'This run has no report',
    detail: 'Only runs of importVideos and runBatch have a report.',
    advice: 'Read GET /v1/runs/{id}/result.',
    workflowId,
  };
}

/** A chunk for each line would cost more than the line. */
const LINES_IN_CHUNK = 500;

export function toStream(texts: Iterable<string>): ReadableStream<Uint8Array> {
  return ReadableStream.from(toChunks(texts));
}

function* toChunks(texts: Iterable<string>): Generator<Uint8Array> {
  const encoder = new TextEncoder();
  let chunk: string[] = [];
  for (const text of texts) {
    chunk.push(text);
    if (chunk.length < LINES_IN_CHUNK) continue;
    yield encoder.encode(chunk.join(''));
    chunk = [];
  }
  if (chunk.length > 0) yield encoder.encode(chunk.join(''));
}
