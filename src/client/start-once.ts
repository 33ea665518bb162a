import { WorkflowExecutionAlreadyStartedError, type Client } from '@temporalio/client';
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';

import {
  CUT_SHORT_MEMO,
  RAN_BEFORE_MEMO,
  STARTED_BY_MEMO,
  type StartedBy,
} from '../engine/core/identity.js';
import { labelsOfRun } from '../contract/batch-items.js';
import { requestIdOfRun, SearchAttribute } from '../contract/wire/names.js';
import { searchableLabels, type Labels } from '../engine/core/labels.js';
import { DEFAULT_ACCOUNT } from '../engine/core/names.js';
import type { Operations } from '../contract/operations/index.js';
import { GrpcCode, grpcCodeOf } from './server-calls.js';
import { intentOf } from '../contract/intent.js';
import { digestIntent, INTENT_MEMO } from './intent.js';

interface Work<O extends keyof Operations> {
  operation: O;
  input: Operations[O]['input'];
  /** Named in the summary that the Temporal UI shows. */
  requestId: string;
  /** Temporal's priority key. */
  priorityKey: number;
  startedBy: StartedBy;
  /** When the run before it was cut short, see `CUT_SHORT_MEMO`. */
  cutShortAt?: number | undefined;
  /** See `RAN_BEFORE_MEMO`. */
  ranBefore?: string;
}

/** What every run of this product starts with, whether a caller or a schedule starts it. */
export function startOptions<O extends keyof Operations>({
  operation,
  input,
  requestId,
  priorityKey,
  startedBy,
  cutShortAt,
  ranBefore,
}: Work<O>) {
  return {
    args: [input] as const,
    staticSummary: `${operation} ${requestId}`,
    // A server with fairness takes turns between accounts: a burst of one does not hold up the others.
    priority: { priorityKey, fairnessKey: input.account ?? DEFAULT_ACCOUNT },
    memo: {
      [INTENT_MEMO]: digestIntent(intentOf(operation, input)),
      [STARTED_BY_MEMO]: startedBy,
      ...(cutShortAt !== undefined && { [CUT_SHORT_MEMO]: cutShortAt }),
      ...(ranBefore !== undefined && { [RAN_BEFORE_MEMO]: ranBefore }),
    },
  };
}

export interface RunStart<O extends keyof Operations> extends Work<O> {
  workflowId: string;
  taskQueue: string;
  /** Whether a request that has succeeded may run again; `REJECT_DUPLICATE`: whether it has a run at all is not known yet. */
  reuse: 'ALLOW_DUPLICATE' | 'ALLOW_DUPLICATE_FAILED_ONLY' | 'REJECT_DUPLICATE';
  /** When the run that it says to follow was seen to be the last one, by `performance.now`. */
  seenAt?: number;
}

/** Somebody else may have started a run since, which has ended too, and of which the new one would know nothing. */
const SEEN_WITHIN_MS = 2_000;

/** The options of a start under the id of a request. */
export function requestOptions<O extends keyof Operations>({
  workflowId,
  taskQueue,
  reuse,
  ...work
}: RunStart<O>) {
  return {
    ...startOptions(work),
    workflowId,
    taskQueue,
    // Joining is up to the caller. Temporal would not say whether it started a run or joined one.
    workflowIdConflictPolicy: 'FAIL',
    workflowIdReusePolicy: reuse,
  } as const;
}

type RequestOptions<O extends keyof Operations> = ReturnType<typeof requestOptions<O>> &
  Partial<Labelled>;

/**
 * Starts a run in the way of `send`. `undefined` when the request has an open run, or one that must not be followed by
 * another, or when the look at the one before is too old.
 */
export async function sendStart<O extends keyof Operations, T>(
  start: RunStart<O>,
  send: (options: RequestOptions<O>) => Promise<T>,
): Promise<T | undefined> {
  const labels = labelsOfRun(start.input, requestIdOfRun(start.workflowId) ?? start.workflowId);
  const options = requestOptions(start);
  const { seenAt = Infinity } = start;
  if (performance.now() - seenAt > SEEN_WITHIN_MS) return undefined;
  try {
    return await withLabels(labels, { options, send });
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return undefined;
    throw error;
  }
}

/** The Run Id of the new run; `undefined` as above. */
export async function startOnce<O extends keyof Operations>(
  { workflow }: Client,
  start: RunStart<O>,
): Promise<string | undefined> {
  const run = await sendStart(start, (options) => workflow.start(start.operation, options));
  return run?.firstExecutionRunId;
}

const LABELS = defineSearchAttributeKey(SearchAttribute.labels, SearchAttributeType.KEYWORD_LIST);

/** A run records its labels by itself, but only when a worker takes it: until then nobody would find it by them. */
export function labelAttributes(labels: Labels) {
  return [{ key: LABELS, value: searchableLabels(labels) }];
}

interface Labelled {
  typedSearchAttributes: ReturnType<typeof labelAttributes>;
}

/** Starts a run with its labels, if it has any and the namespace takes them. */
export async function withLabels<S extends object, T>(
  labels: Labels | undefined,
  { options, send }: { options: S; send: (options: S & Partial<Labelled>) => Promise<T> },
): Promise<T> {
  if (labels === undefined) return send(options);
  try {
    return await send({ ...options, typedSearchAttributes: labelAttributes(labels) });
  } catch (error) {
    // So a namespace without this search attribute answers. Nothing was started.
    if (grpcCodeOf(error) !== GrpcCode.invalidArgument) throw error;
    return send(options);
  }
}
