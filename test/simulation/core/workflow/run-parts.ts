import proto from '@temporalio/proto';

import type { Cancel } from '../../time/clock.js';
import type { LocalResolution } from '../activity/local-activities.js';
import type { Failure, LangCommand, QueryResult } from '../messages.js';
import type { LocalRequest } from '../machines/local-activity-data.js';
import type { RunBasics } from '../machines/run-state.js';
import type { WorkflowMachines } from '../machines/workflow-machines.js';
import type { HistoryPaginator } from './history-paginator.js';
import type { Action, FailedCause, Outcome, VersioningBehavior } from './run-completion.js';
import {
  EvictionReasons,
  LEGACY_QUERY_ID,
  type EvictionReason,
  type PreparedTask,
  type QueryJob,
} from './tasks.js';

const { WorkflowTaskFailedCause } = proto.temporal.api.enums.v1;

/** What a run needs of its worker. */
export interface RunHost {
  readonly basics: RunBasics;
  readonly maxCached: number;
  now(): number;
  after(ms: number, act: () => void): Cancel;
  /** Begins and cancels local activities. What is known at once comes back. */
  requestLocal(run: WorkflowMachines, requests: LocalRequest[]): LocalResolution[];
  invalidateLocal(runId: string): void;
  localTaskCompleted(runId: string): void;
  onHeartbeat(runId: string): void;
  failsWorkflow(workflowType: string): boolean;
  onNondeterminism(run: WorkflowMachines, message: string): void;
}

export interface Eviction {
  message: string;
  reason: EvictionReason;
  /** A task that was never stored, to be failed after the eviction. */
  failsTask?: Uint8Array | undefined;
}

export type Outstanding = 'normal' | 'eviction' | 'legacyQuery' | 'autocomplete';

export interface HeldTask {
  readonly prepared: PreparedTask;
  queries: QueryJob[];
  readonly startedAt: number;
}

export interface WaitingForLocal {
  timeoutMs: number;
  cancelTimer: Cancel;
  /** The task is to be prolonged as soon as lang has answered. */
  isDue: boolean;
}

export type Reply = (outcome: Outcome) => void;

/** An answer of lang on its way through the machines. */
export interface Processing {
  commands: LangCommand[];
  queryResults: QueryResult[];
  usedFlags: number[];
  versioningBehavior: VersioningBehavior;
  taskToken: Uint8Array;
  startedAt: number;
  hasPendingQuery: boolean;
  wasEviction: boolean;
  isForced: boolean;
  reply: Reply | undefined;
}

/** That history is needed before an answer of lang can be applied. */
export interface NeedsPage {
  kind: 'needsPage';
  paginator: HistoryPaginator;
}

export const UNHANDLED =
  WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_WORKFLOW_WORKER_UNHANDLED_FAILURE;
/** Queries that could be answered elsewhere are not failed. */
export const SILENT: ReadonlySet<EvictionReason> = new Set([
  EvictionReasons.UNSPECIFIED,
  EvictionReasons.PAGINATION_OR_HISTORY_FETCH,
]);
export const KEEPS_QUERIES: ReadonlySet<EvictionReason> = new Set([
  EvictionReasons.CACHE_FULL,
  EvictionReasons.WORKFLOW_EXECUTION_ENDING,
]);

export function outstanding(action: Action): Outstanding {
  if (action.kind !== 'activation') return 'autocomplete';
  const jobs = action.activation.jobs ?? [];
  const [only] = jobs.length === 1 ? jobs : [];
  if (only?.removeFromCache) return 'eviction';
  return only?.queryWorkflow?.queryId === LEGACY_QUERY_ID ? 'legacyQuery' : 'normal';
}

/** A query about a state of the run that is over. */
export function isExpiredQuery(
  { legacyQuery, update }: PreparedTask,
  currentStartedId: number,
): boolean {
  const { startedId, previousStartedId } = update.place;
  return legacyQuery !== undefined && startedId === 0 && previousStartedId < currentStartedId;
}

/** Why a run is evicted whose activation failed. */
export function completionFailed(failure: Failure | null): string {
  return `Workflow activation completion failed: ${failure?.message ?? ''}`;
}

/** What the server is to be told of a failure: of a task only once, since it repeats a task by itself. */
export function failureOf(
  { taskToken, attempt }: PreparedTask,
  failed: { isQuery: boolean; failure: Failure | null; cause: FailedCause },
): Outcome {
  const { isQuery, failure, cause } = failed;
  if (isQuery) return { kind: 'failQuery', taskToken, failure, cause };
  return attempt > 1 ? { kind: 'drop' } : { kind: 'fail', taskToken, failure, cause };
}

/** What the server is to be told after an answer of lang: nothing, as long as the run is replayed or has more to do. */
export function outcomeOf(
  machines: WorkflowMachines,
  processing: Processing,
  { isHeartbeat, isBroken }: { isHeartbeat: boolean; isBroken: boolean },
): Outcome {
  const { queryResults, taskToken, versioningBehavior, wasEviction } = processing;
  const hasAnswers = queryResults.length > 0;
  if (!hasAnswers && !isTaskDone(machines, processing)) return { kind: 'nothing' };
  const forServer = machines.takeForServer();
  return {
    kind: 'success',
    taskToken,
    ...(isBroken && wasEviction ? { commands: [], messages: [] } : forServer),
    queryResults,
    forcesNewTask: isHeartbeat || (hasAnswers && machines.hasLocalResolutions()),
    metadata: machines.takeMetadata(),
    versioningBehavior,
  };
}

function isTaskDone(machines: WorkflowMachines, processing: Processing): boolean {
  return !(
    machines.hasJobs() ||
    (machines.isReplaying && !processing.isForced) ||
    (processing.hasPendingQuery && processing.queryResults.length === 0) ||
    processing.wasEviction ||
    machines.hasSeenEnd
  );
}
