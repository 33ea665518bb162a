import { setTimeout as delay } from 'node:timers/promises';

import type { Client, WorkflowExecutionDescription } from '@temporalio/client';
import pMap from 'p-map';

import type { EarlierTry } from '../../activities/batch/batch-runs.js';
import { askRun, cutShortTimeOf, describeRun, unseenSince } from '../../client/ask-run.js';
import { RunNotFoundError } from '../../client/errors.js';
import { listRuns } from '../../client/list-runs.js';
import { withDeadline } from '../../client/server-calls.js';
import { isNamedByContent, startOfNames } from '../../contract/batch-names.js';
import { batchReportSchema } from '../../contract/operations/run-batch.js';
import { idsByLine, itemWorkflowId, type BatchTerms } from '../../contract/wire/batch.js';
import { batchReportQuery } from '../../contract/wire/messages.js';
import { requestIdOfRun } from '../../contract/wire/names.js';
import { serverTime } from '../../engine/activities/attempt.js';
import { startedForOf } from '../../engine/core/identity.js';
import { quoteValue } from '../../engine/core/text.js';
import { hasEnded, runsBefore, withResets } from '../runs-before.js';

/** The tries of the items of one batch that are looked at. */
const MOST_NAMED = 100_000;
/** Longest wait for a worker's answer. */
const ANSWER_WITHIN_MS = 5_000;
/** What ended before so many tries, a list shows by now. */
const MOST_TRIES = 10;
/** A list of runs lags behind their begin, by seconds on a cluster. */
const LISTED_WITHIN_MS = 15_000;
/** Calls to the Temporal server at the same time. */
const MAX_CALLS = 10;

/** See `BatchRuns.named`. */
export async function namedItems(
  client: Client,
  terms: BatchTerms,
  { last, listed }: { last: EarlierTry | undefined; listed: ReadonlySet<string> },
): Promise<ReadonlyMap<string, boolean>> {
  const look = createLooks(client, terms);
  const tries = last === undefined ? [] : await runsBefore(client, last, MOST_TRIES);
  const begun = await begunBy(client, tries.filter(hasEnded));
  await untilListed(tries);
  const named = await listedItems(client, terms);
  const unlisted = begun.filter((id) => isNamedByContent(terms, id) && named.get(id) !== true);
  await pMap(
    unlisted,
    async (id) => {
      const isMade = isMadeNow(await look(id));
      if (isMade !== undefined) named.set(id, isMade);
    },
    { concurrency: MAX_CALLS },
  );
  const isNew = (id: string): boolean => isNamedByContent(terms, id) && !named.has(id);
  if (![...listed].some(isNew)) return named;
  const ended = [...named].flatMap(([id, isMade]) => (isMade || listed.has(id) ? [] : [id]));
  await pMap(
    ended,
    async (id) => {
      if (mayHaveLeft(await look(id))) named.set(id, true);
    },
    { concurrency: MAX_CALLS },
  );
  return named;
}

type Newest = WorkflowExecutionDescription | undefined;

/** Looks at the run of an item once. */
function createLooks(client: Client, terms: BatchTerms): (id: string) => Promise<Newest> {
  const looks = new Map<string, Promise<Newest>>();
  return (id) => {
    const known = looks.get(id) ?? newestRun(client, itemWorkflowId(terms, { id }));
    looks.set(id, known);
    return known;
  };
}

/** Whether something that the run of an item has made may be there, although it has ended without success. */
function mayHaveLeft(run: Newest): boolean {
  return run !== undefined && unseenSince(run) !== undefined;
}

/** A try that was cut short may have begun lines that it has not named: a list has to show them. */
async function untilListed(tries: readonly WorkflowExecutionDescription[]): Promise<void> {
  const ends = tries.flatMap((run) =>
    hasEnded(run) ? (cutShortTimeOf(run) ?? []) : run.startTime.getTime(),
  );
  const leftMs = Math.max(...ends) + LISTED_WITHIN_MS - serverTime();
  if (leftMs > 0) await delay(Math.min(leftMs, LISTED_WITHIN_MS));
}

async function listedItems(client: Client, terms: BatchTerms): Promise<Map<string, boolean>> {
  const { operation } = terms;
  const beginning = itemWorkflowId(terms, { id: startOfNames(terms) });
  const query = `WorkflowId STARTS_WITH ${quoteValue(beginning)}`;
  const runs = await listRuns(client, { operation, query, limit: MOST_NAMED });
  const named = new Map<string, boolean>();
  for (const { workflowId, closedAt, state } of runs) {
    const id = requestIdOfRun(workflowId) ?? '';
    if (!isNamedByContent(terms, id)) continue;
    const isMade = closedAt === undefined || state === 'COMPLETED';
    named.set(id, isMade || named.get(id) === true);
  }
  return named;
}

/** See `BatchRuns.lost`. */
export async function lostItems(
  client: Client,
  terms: BatchTerms,
  { of, listed }: { of: EarlierTry; listed: ReadonlySet<string> },
): Promise<string[]> {
  const tries = (await withResets(client, of, MOST_TRIES)).filter(hasEnded);
  const begun = (await begunBy(client, tries)).filter((id) => !listed.has(id));
  const found = await pMap(
    begun,
    async (id) => ({ id, run: await newestRun(client, itemWorkflowId(terms, { id })) }),
    { concurrency: MAX_CALLS },
  );
  return found.flatMap(({ id, run }) => {
    const isOwn = startedForOf(run?.memo) === of.workflowId;
    return isOwn && run?.closeTime === undefined ? [id] : [];
  });
}

/** The request ids that the last tries have begun, the newest try first. One whose history is gone was listed long ago. */
async function begunBy(client: Client, tries: readonly EarlierTry[]): Promise<string[]> {
  const begun = new Set<string>();
  for (const { workflowId, runId } of tries) {
    const answer = await withDeadline(client, ANSWER_WITHIN_MS, () =>
      askRun(client, { workflowId, runId }, batchReportQuery),
    );
    for (const id of idsByLine(batchReportSchema.parse(answer).ids).values()) begun.add(id);
  }
  return [...begun];
}

/** Whether the run of an item goes on or has succeeded; `undefined` where it has none. */
function isMadeNow(run: Newest): boolean | undefined {
  return run && (run.closeTime === undefined || run.status.name === 'COMPLETED');
}

/** `undefined`: the server knows no run of this Workflow Id. */
export async function newestRun(client: Client, workflowId: string): Promise<Newest> {
  try {
    return await describeRun(client, workflowId);
  } catch (error) {
    if (error instanceof RunNotFoundError) return undefined;
    throw error;
  }
}
