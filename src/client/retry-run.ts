import type { Client, WorkflowExecutionDescription } from '@temporalio/client';
import type { QueryDefinition } from '@temporalio/common';
import { z } from 'zod';

import {
  importVideosInputSchema,
  importReportSchema,
} from '../contract/operations/import-videos.js';
import { batchReportSchema, runBatchInputSchema } from '../contract/operations/run-batch.js';
import { digestOfManifest } from '../contract/manifest.js';
import type {
  ImportVideosInput,
  ImportReport,
  RunBatchInput,
} from '../contract/operations/types.js';
import type { Operations } from '../contract/operations/index.js';
import { reportLines } from '../contract/report-lines.js';
import { Operation, requestIdOfRun } from '../contract/wire/names.js';
import { plannedIdOf, Urgency } from '../engine/core/names.js';
import { AskedFor } from '../engine/core/identity.js';
import { FailureType } from '../engine/core/failures.js';
import { batchReportQuery, reportQuery } from '../contract/wire/messages.js';
import { fromRanges, toRanges } from '../engine/core/number-ranges.js';
import { toCanonicalJson } from '../engine/core/values.js';
import {
  askRun,
  unseenSince,
  describeAsked,
  describeRun,
  toRunError,
  type AskedRun,
} from './ask-run.js';
import {
  InvalidInputError,
  RunEndedError,
  RunNotFoundError,
  RetryRefusedError,
  RunFailedError,
} from './errors.js';
import { withDeadline } from './server-calls.js';
import { inputsOf } from './intent.js';
import { lastInput } from './last-input.js';
import { isOperation } from './operations.js';
import { runnableInput, type ClearSecretsNow } from './runnable-input.js';
import { unanswered, type RunUpdatesDeps } from './run-updates.js';
import { startOnce } from './start-once.js';

export interface RetryOptions {
  /**
   * For an import whose manifest has no `sha256`: each line still is the video that it was. Lines may
   * have been corrected in place.
   */
  sameLines?: boolean;
  /**
   * For a batch: only the items that failed so, such as `QuotaExceeded`, as a request of their own. It may have
   * succeeded, with no more failures than it tolerates.
   */
  classes?: readonly string[];
}

export interface RetriedRun {
  /** The id of the failed run; for failed items of an import or a batch, that of a request of their own. */
  workflowId: string;
  runId: string;
  operation: Operation;
  /** For failed items: the lines that are tried again, such as `3 17-20`. */
  lines?: string;
}

interface RetryDeps extends RunUpdatesDeps {
  taskQueue: string;
  clearSecrets: ClearSecretsNow;
}

interface Again {
  workflowId: string;
  input: Operations[Operation]['input'];
  lines?: string;
}

/** Starts a run again that has failed, was cancelled or was ended from outside. */
export async function retryRun(
  deps: RetryDeps,
  asked: AskedRun,
  options: RetryOptions,
): Promise<RetriedRun> {
  const tryRetry = options.classes === undefined ? retryTry : retryItems;
  for (;;) {
    const retried = await tryRetry(deps, asked, options);
    if (retried !== undefined) return retried;
    // Somebody else has started it since: the next look refuses.
  }
}

/** `undefined` when somebody else has started it since. */
async function retryTry(
  deps: RetryDeps,
  asked: AskedRun,
  options: RetryOptions,
): Promise<RetriedRun | undefined> {
  const { run, operation } = await newestTry(deps, asked);
  refuseOthers(run);
  const again = await whatAgain(deps, { run, operation }, options);
  const { workflowId, lines } = again;
  const seenAt = performance.now();
  if (!(await isNewest(deps, run))) return undefined;
  const runId = await startAgain(deps, run, { operation, ...again, seenAt });
  if (runId === undefined) return undefined;
  return { workflowId, runId, operation, ...(lines !== undefined && { lines }) };
}

/** What has failed may be started under another id, and a run of the same id that goes on may start it too. */
async function isNewest(
  { client }: RetryDeps,
  { workflowId, runId }: WorkflowExecutionDescription,
): Promise<boolean> {
  return (await describeRun(client, workflowId)).runId === runId;
}

/** `undefined` when somebody else has started it since. */
function startAgain(
  { client, taskQueue, by }: RetryDeps,
  run: WorkflowExecutionDescription,
  { operation, workflowId, input, seenAt }: Again & { operation: Operation; seenAt?: number },
): Promise<string | undefined> {
  return startOnce(client, {
    operation,
    ...(seenAt !== undefined && { seenAt }),
    workflowId,
    input,
    taskQueue,
    requestId: requestIdOfRun(workflowId) ?? workflowId,
    priorityKey: run.priority?.priorityKey ?? Urgency.normal,
    reuse: 'ALLOW_DUPLICATE_FAILED_ONLY',
    startedBy: { by, as: AskedFor.retry },
    ...(workflowId === run.workflowId && { cutShortAt: unseenSince(run), ranBefore: run.runId }),
  });
}

interface Tried {
  run: WorkflowExecutionDescription;
  operation: Operation;
}

/** The failed items of an import are a request of their own, which may have failed items too. */
async function newestTry({ client }: RetryDeps, asked: AskedRun): Promise<Tried> {
  let run = await describeTry(client, asked);
  const { type: operation } = run;
  if (!isOperation(operation)) throw new RunNotFoundError(asked.workflowId);
  let lists: string[] | undefined;
  while (operation === Operation.importVideos) {
    const next = await describeRun(client, nextTryId(run.workflowId)).catch(orUndefinedIfNone);
    if (next === undefined) break;
    const before = lists ?? (await listsOf(client, run));
    lists = await listsOf(client, next);
    refuseOtherRequest(next, { before, after: lists });
    run = next;
  }
  return { run, operation };
}

async function describeTry(client: Client, asked: AskedRun): Promise<WorkflowExecutionDescription> {
  try {
    return await describeAsked(client, asked);
  } catch (error) {
    // Of another run of the request, what it does says more.
    if (error instanceof RunEndedError) refuseOthers(await describeRun(client, asked.workflowId));
    throw error;
  }
}

/** A caller may have chosen that id: the lines that failed there are of another list, and those of this one would stay. */
function refuseOtherRequest(
  next: WorkflowExecutionDescription,
  { before, after }: { before: readonly string[]; after: readonly string[] },
): void {
  // Where a history is gone, only the id says whose it is.
  const isTry =
    before.length === 0 || after.length === 0 || after.some((one) => before.includes(one));
  if (next.type !== Operation.importVideos || !isTry)
    throw new RetryRefusedError(next.workflowId, 'other-list');
}

const listSchema = z.object({ manifest: z.unknown(), videos: z.unknown() }).partial().catch({});

/** Each list that an import had: a person may have corrected where it lies. */
async function listsOf(client: Client, run: WorkflowExecutionDescription): Promise<string[]> {
  const lists = new Set<string>();
  for await (const input of inputsOf(client, run))
    lists.add(toCanonicalJson(listSchema.parse(input)));
  return [...lists];
}

function orUndefinedIfNone(error: unknown): undefined {
  if (!(error instanceof RunNotFoundError)) throw error;
}

function refuseOthers({ workflowId, closeTime, status }: WorkflowExecutionDescription): void {
  if (plannedIdOf(workflowId) !== undefined) throw new RetryRefusedError(workflowId, 'plan');
  if (closeTime === undefined) throw new RetryRefusedError(workflowId, 'open');
  if (status.name === 'COMPLETED') throw new RetryRefusedError(workflowId, 'succeeded');
}

/**
 * The same request with its own input: it finds by the marker what the first try has left. A failed video
 * stays failed in its request, so an import that has tried all it wanted needs another request for them.
 */
async function whatAgain(
  deps: RetryDeps,
  { run, operation }: Tried,
  { sameLines = false }: RetryOptions,
): Promise<Again> {
  const { workflowId } = run;
  const last = await runnableLast(deps, { run, operation });
  const isImport = operation === Operation.importVideos;
  if (!isImport || !(await knowsEveryLine(deps, run))) return { workflowId, input: last };
  const list: ImportVideosInput = importVideosInputSchema.parse(last);
  if (!sameLines) refuseOtherList(workflowId, list);
  const report = importReportSchema.parse(await reportOf(deps, run, reportQuery));
  const input = onlyFailedLines(list, report);
  return { workflowId: nextTryId(workflowId), input, lines: input.lines ?? '' };
}

/** It may be sent again, as any input: what a client may send can have become less. */
async function runnableLast(
  deps: RetryDeps,
  { run, operation }: Tried,
): Promise<Operations[Operation]['input']> {
  const last = await lastInput(deps.client, run);
  const parsed = runnableInput(operation, last, await deps.clearSecrets(operation, last));
  if (!parsed.ok) throw new InvalidInputError(parsed.faults);
  return parsed.value;
}

/** The input of an import with only the lines that failed or were not tried. */
export function onlyFailedLines(input: ImportVideosInput, report: ImportReport): ImportVideosInput {
  const lines = [...reportLines(report)]
    .filter(({ outcome }) => outcome === 'failed' || outcome === 'untried')
    .map(({ line }) => line);
  return { ...input, lines: toRanges(lines) };
}

/** Items of a batch are requests of their own, which a batch of other lines may start again. `undefined` as above. */
async function retryItems(
  deps: RetryDeps,
  asked: AskedRun,
  options: RetryOptions,
): Promise<RetriedRun | undefined> {
  const operation = Operation.runBatch;
  const run = await describeTry(deps.client, asked);
  if (run.type !== operation) throw new InvalidInputError(ONLY_OF_A_BATCH);
  if (run.status.name !== 'COMPLETED') refuseOthers(run);
  const input = await itemsAgain(deps, run, options);
  if (!(await isNewest(deps, run))) return undefined;
  for (let id = nextTryId(run.workflowId); ; id = nextTryId(id)) {
    const earlier = await describeRun(deps.client, id).catch(orUndefinedIfNone);
    if (earlier !== undefined && earlier.closeTime === undefined) {
      throw new RetryRefusedError(id, 'open');
    }
    const again = { operation, workflowId: id, input };
    if (earlier !== undefined) continue;
    const runId = await startAgain(deps, run, again);
    return runId === undefined
      ? undefined
      : { workflowId: id, runId, operation, lines: input.lines };
  }
}

/** The input of a batch with only the lines that failed so, under the ids that they have. */
async function itemsAgain(
  deps: RetryDeps,
  run: WorkflowExecutionDescription,
  { sameLines = false, classes = [] }: RetryOptions,
): Promise<RunBatchInput & { lines: string }> {
  const { workflowId } = run;
  const last = await runnableLast(deps, { run, operation: Operation.runBatch });
  const input = runBatchInputSchema.parse(last);
  if (!sameLines) refuseOtherList(workflowId, input);
  const report = await reportOf(deps, run, batchReportQuery);
  const { idPrefix, failed } = batchReportSchema.parse(report);
  const chosen = failed.filter(({ class: kind }) => classes.includes(kind));
  if (chosen.length === 0) throw new RetryRefusedError(workflowId, 'none-failed-so');
  return { ...input, idPrefix, lines: joinRanges(chosen.map((group) => group.lines)) };
}

const ONLY_OF_A_BATCH = [
  { path: 'classes', message: 'are for the items of a batch: leave them out for any other run' },
];

function joinRanges(parts: readonly string[]): string {
  return toRanges(parts.flatMap((part) => [...fromRanges(part)]).sort((a, b) => a - b));
}

/** Whether it knows of each line what became of it. An import that ended otherwise may have sent a batch whose answer is lost. */
async function knowsEveryLine(
  { client }: RunUpdatesDeps,
  { workflowId, runId }: WorkflowExecutionDescription,
): Promise<boolean> {
  try {
    await client.workflow.getHandle(workflowId, runId).result();
    return false;
  } catch (error) {
    const end = toRunError(workflowId, error);
    return end instanceof RunFailedError && end.type === FailureType.itemsFailed;
  }
}

/**
 * The lines that failed name videos of the list as it was. A list in the input, or one with a hash, is
 * the same; any other may have changed, and then its lines may be videos that exist.
 */
function refuseOtherList(
  workflowId: string,
  { manifest }: Pick<ImportVideosInput, 'manifest'>,
): void {
  if (manifest === undefined || digestOfManifest(manifest) !== undefined) return;
  throw new RetryRefusedError(workflowId, 'list-may-differ');
}

/** The report of a run that has ended. @throws NoAnswerError */
async function reportOf<T>(
  { client, answerWithinMs: waitedMs }: RunUpdatesDeps,
  run: WorkflowExecutionDescription,
  query: QueryDefinition<T>,
): Promise<T> {
  const { workflowId } = run;
  try {
    return await withDeadline(client, waitedMs, () => askRun(client, run, query));
  } catch (error) {
    throw unanswered(error, { workflowId, update: 'retry' }, waitedMs);
  }
}

const TRY = /^(.*)\.retry-([1-9]\d*)$/s;

/** Workflow Id of the request that takes the failed items of this one: `may` → `may.retry-1` → `may.retry-2`. */
export function nextTryId(workflowId: string): string {
  const [, first = workflowId, count = '0'] = TRY.exec(workflowId) ?? [];
  return `${first}.retry-${Number(count) + 1}`;
}
