import type { Client, WorkflowExecutionDescription } from '@temporalio/client';
import {
  defineSearchAttributeKey,
  SearchAttributeType,
  type LoadedDataConverter,
} from '@temporalio/common';
import proto from '@temporalio/proto';
import { z } from 'zod';

import { DecryptionError } from '../../codec/decryption-error.js';
import { startedByOf } from '../../engine/core/identity.js';
import { heartbeatDetailsSchema } from '../../engine/schema/heartbeat-details.js';
import { statusQuery } from '../../engine/core/messages.js';
import { itemCountsSchema } from '../../engine/schema/status-document.js';
import { SearchAttribute } from '../../contract/wire/names.js';
import { statusDocumentSchema, stepStatusSchema } from '../../contract/documents.js';
import { askRun, describeAsked, toRunError, withDeliveries, type AskedRun } from '../ask-run.js';
import { withDeadline } from '../server-calls.js';
import { RunCancelledError, RunFailedError, RunNotFoundError } from '../errors.js';
import { countPollers, accountOfRun } from '../pollers.js';
import { decodeFailure, decodePayloads, toIso } from './decode.js';
import { readPast } from './read-past.js';
import type { Ending, Past, PendingCall, RunFacts, RunRecord } from './run-facts.js';

export interface GatherDeps {
  client: Client;
  /** Longest wait for each answer. */
  answerWithinMs: number;
  /** Whether the run is asked for its status. */
  asksRun?: boolean;
}

/** Asks the Temporal server, and the run itself when a worker runs. Only the first call must succeed. */
export async function gatherFacts(deps: GatherDeps, run: AskedRun): Promise<RunFacts> {
  const { client, answerWithinMs, asksRun = true } = deps;
  const { workflowId } = run;
  const base = {
    workflowId,
    namespace: client.options.namespace,
    observedAt: new Date().toISOString(),
  };
  const described = await describe(deps, run);
  if (described === undefined) {
    return { ...base, calls: [], past: EMPTY_PAST };
  }
  const record = toRecord(described);
  const ask = <T>(call: () => Promise<T>): Promise<T | undefined> =>
    withDeadline(client, answerWithinMs, call).catch(orUndefined);
  const { runId } = described;
  const [startedAt, status, idleQueues, past, calls, ending] = await Promise.all([
    ask(() => firstStartOf(client, described)),
    asksRun ? ask(() => askStatus(client, described)) : undefined,
    ask(() => findIdleQueues(client, record)),
    ask(() => readPast(client, workflowId, runId)),
    ask(() => toCalls(client, described)),
    ask(() => readEnding(client, described)),
  ]);
  const workflowTask = toWorkflowTask(described);
  return {
    ...base,
    run: startedAt === undefined ? record : { ...record, startedAt },
    ...(status === undefined ? {} : { status }),
    ...(idleQueues === undefined ? {} : { idleQueues }),
    calls: calls ?? [],
    ...(workflowTask === undefined ? {} : { workflowTask }),
    past: withSearchedIds(past ?? EMPTY_PAST, described),
    ...(ending === undefined ? {} : { ending }),
  };
}

/** What has no answer is left out. An answer that cannot be read here is no missing worker. */
function orUndefined(error: unknown): undefined {
  if (error instanceof DecryptionError) throw error;
}

const EMPTY_PAST: Past = { timers: [], taskIds: [], resourceIds: [] };

async function describe(
  { client, answerWithinMs }: GatherDeps,
  run: AskedRun,
): Promise<WorkflowExecutionDescription | undefined> {
  try {
    return await withDeadline(client, answerWithinMs, () => describeAsked(client, run));
  } catch (error) {
    if (error instanceof RunNotFoundError) return undefined;
    throw error;
  }
}

const ACCOUNT = defineSearchAttributeKey(SearchAttribute.account, SearchAttributeType.KEYWORD);
const RESOURCES = defineSearchAttributeKey(
  SearchAttribute.resourceId,
  SearchAttributeType.KEYWORD_LIST,
);

function toRecord(described: WorkflowExecutionDescription): RunRecord {
  const { type, status, startTime, closeTime, taskQueue } = described;
  const startedBy = startedByOf(described.memo);
  return {
    operation: type,
    state: status.name,
    startedAt: startTime.toISOString(),
    ...(closeTime === undefined ? {} : { closedAt: closeTime.toISOString() }),
    taskQueue,
    account: accountOfRun(described),
    ...(startedBy === undefined ? {} : { startedBy }),
  };
}

/** When the first history of the run began; `undefined` when it is this one, or when the server has deleted it. */
async function firstStartOf(
  client: Client,
  { workflowId, runId, raw }: WorkflowExecutionDescription,
): Promise<string | undefined> {
  const firstRunId = raw.workflowExecutionInfo?.firstRunId;
  if (!firstRunId || firstRunId === runId) return undefined;
  const { startTime } = await client.workflow.getHandle(workflowId, firstRunId).describe();
  return startTime.toISOString();
}

function withSearchedIds(past: Past, described: WorkflowExecutionDescription): Past {
  const searched = described.typedSearchAttributes.get(RESOURCES) ?? [];
  const resourceIds = [...new Set([...past.resourceIds, ...searched])];
  // The server keeps no empty list, but a run that sets one sets its account too.
  const isSet = described.typedSearchAttributes.get(ACCOUNT) !== undefined;
  return { ...past, resourceIds, ...(isSet && { leftIds: searched }) };
}

async function askStatus(
  client: Client,
  run: WorkflowExecutionDescription,
): Promise<RunFacts['status']> {
  const answer = await askRun(client, run, statusQuery);
  return withDeliveries(client, run, statusDocumentSchema.parse(answer));
}

async function findIdleQueues(client: Client, run: RunRecord): Promise<string[]> {
  const { taskQueue, account, closedAt } = run;
  if (closedAt !== undefined) return [];
  const queues = await countPollers(client, taskQueue, account);
  return queues.filter(({ pollers }) => pollers === 0).map((queue) => queue.taskQueue);
}

async function toCalls(
  client: Client,
  { raw }: WorkflowExecutionDescription,
): Promise<PendingCall[]> {
  return Promise.all(
    (raw.pendingActivities ?? []).map(async (call): Promise<PendingCall> => {
      const { activityType, attempt, nextAttemptScheduleTime, lastFailure } = call;
      const { loadedDataConverter } = client.options;
      return {
        name: activityType?.name ?? 'a call',
        attempt: attempt ?? 1,
        ...(nextAttemptScheduleTime ? { nextAttemptAt: toIso(nextAttemptScheduleTime) } : {}),
        ...(lastFailure && { lastFailure: await decodeFailure(loadedDataConverter, lastFailure) }),
        ...(await readHeartbeat(loadedDataConverter, call)),
      };
    }),
  );
}

const { PENDING_ACTIVITY_STATE_STARTED: STARTED } =
  proto.temporal.api.enums.v1.PendingActivityState;

/** What the last heartbeat of a running call says. The server also keeps that of an attempt that has ended. */
async function readHeartbeat(
  converter: LoadedDataConverter,
  { state, heartbeatDetails }: proto.temporal.api.workflow.v1.IPendingActivityInfo,
): Promise<Pick<PendingCall, 'waiting'>> {
  if (state !== STARTED) return {};
  const [details] = await decodePayloads(converter, heartbeatDetails?.payloads ?? []);
  const waiting = heartbeatDetailsSchema.safeParse(details).data;
  return waiting === undefined ? {} : { waiting };
}

function toWorkflowTask({ raw }: WorkflowExecutionDescription): RunFacts['workflowTask'] {
  const task = raw.pendingWorkflowTask;
  if (!task) return undefined;
  const { attempt, scheduledTime } = task;
  return { attempt: attempt ?? 1, ...(scheduledTime ? { since: toIso(scheduledTime) } : {}) };
}

const resultSchema = z.object({
  ledger: z.array(stepStatusSchema),
  counts: itemCountsSchema.pick({ asked: true, succeeded: true }).exactOptional(),
});

async function readEnding(
  client: Client,
  { workflowId, runId, closeTime }: WorkflowExecutionDescription,
): Promise<Ending | undefined> {
  if (closeTime === undefined) return undefined;
  try {
    const result: unknown = await client.workflow.getHandle(workflowId, runId).result();
    const { ledger, ...counted } = resultSchema.safeParse(result).data ?? { ledger: [] };
    return { kind: 'succeeded', resources: ledger.flatMap((step) => step.resources), ...counted };
  } catch (thrown) {
    const error = toRunError(workflowId, thrown);
    if (error instanceof RunCancelledError) return { kind: 'cancelled' };
    if (!(error instanceof RunFailedError)) throw error;
    const { type, message, details } = error;
    return { kind: 'failed', type, message, details };
  }
}
