import type { Status } from '../base/proto.js';
import { WorkflowExecutionStatus } from '../base/proto.js';
import { fromPayload } from '../base/values.js';
import type { Execution } from '../model/execution.js';
import type { Server } from '../model/server.js';
import type { VisibleRun } from '../model/visibility.js';
import type { Attribute } from './match.js';
import { typeOfAttribute } from './search-attributes.js';

const NAMES: ReadonlyMap<Status, string> = new Map([
  [WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING, 'Running'],
  [WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_COMPLETED, 'Completed'],
  [WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_FAILED, 'Failed'],
  [WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_CANCELED, 'Canceled'],
  [WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_TERMINATED, 'Terminated'],
  [WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_CONTINUED_AS_NEW, 'ContinuedAsNew'],
  [WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_TIMED_OUT, 'TimedOut'],
  [WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_PAUSED, 'Paused'],
]);

const NAMES_OF_NUMBERS: ReadonlyMap<number, string> = NAMES;

export const STATUS_NAMES: ReadonlySet<string> = new Set(NAMES.values());

export function statusName(status: Status): string {
  return NAMES.get(status) ?? '';
}

/** The name of a status that a filter writes as its number, or nothing. */
export function statusNameOf(value: number): string {
  return NAMES_OF_NUMBERS.get(value) ?? '';
}

const LEAST_LAG_MS = 1;

/** Has the store take over what has changed of a run, a little later. */
export function showExecution(server: Server, execution: Execution): void {
  const { visibility, draw, clock, limits } = server;
  const told = visibility.told.get(execution.runId);
  if (told !== undefined && !hasChanged(told, execution)) return;
  const record = snapshot(execution);
  visibility.told.set(execution.runId, record);
  const lag = draw.number(LEAST_LAG_MS, Math.max(LEAST_LAG_MS, limits.visibilityLagMs));
  clock.after(lag, () => {
    // A later change may have come earlier: it is not undone.
    if (execution.isDeleted || isOlder(record, visibility.shown.get(execution.runId))) return;
    visibility.shown.set(execution.runId, record);
  });
}

function isOlder(record: VisibleRun, shown: VisibleRun | undefined): boolean {
  return shown !== undefined && shown.stateTransitions > record.stateTransitions;
}

function hasChanged(told: VisibleRun, execution: Execution): boolean {
  return (
    told.status !== execution.status ||
    told.memo !== execution.memo ||
    told.searchAttributes !== execution.searchAttributes
  );
}

function snapshot(execution: Execution): VisibleRun {
  return {
    execution,
    status: execution.status,
    closedAt: execution.closedAt,
    memo: execution.memo,
    searchAttributes: execution.searchAttributes,
    historyLength: execution.history.length,
    historySizeBytes: execution.historySizeBytes,
    stateTransitions: execution.stateTransitions,
  };
}

export function forgetExecution(server: Server, { runId }: Execution): void {
  server.visibility.shown.delete(runId);
  server.visibility.told.delete(runId);
}

const SYSTEM: ReadonlyMap<string, (run: VisibleRun) => Attribute> = new Map<
  string,
  (run: VisibleRun) => Attribute
>([
  ['WorkflowId', ({ execution }) => execution.workflowId],
  ['RunId', ({ execution }) => execution.runId],
  ['WorkflowType', ({ execution }) => execution.type],
  ['TaskQueue', ({ execution }) => execution.taskQueue],
  ['ExecutionStatus', ({ status }) => statusName(status)],
  ['StartTime', ({ execution }) => execution.startedAt],
  ['ExecutionTime', ({ execution }) => execution.executionAt],
  ['CloseTime', ({ closedAt }) => closedAt],
  [
    'ExecutionDuration',
    ({ execution, closedAt }) =>
      closedAt === undefined ? undefined : (closedAt - execution.executionAt) * 1e6,
  ],
  ['HistoryLength', ({ closedAt, historyLength }) => onceClosed(closedAt, historyLength)],
  ['HistorySizeBytes', ({ closedAt, historySizeBytes }) => onceClosed(closedAt, historySizeBytes)],
  [
    'StateTransitionCount',
    ({ closedAt, stateTransitions }) => onceClosed(closedAt, stateTransitions),
  ],
  ['ParentWorkflowId', ({ execution }) => execution.parent?.workflowId],
  ['ParentRunId', ({ execution }) => execution.parent?.runId],
  ['RootWorkflowId', ({ execution }) => execution.root.workflowId],
  ['RootRunId', ({ execution }) => execution.root.runId],
]);

function onceClosed(closedAt: number | undefined, value: number): number | undefined {
  return closedAt === undefined ? undefined : value;
}

/** The value of an attribute, of the system's or of the namespace's own. */
export function attributeOf(server: Server, run: VisibleRun, name: string): Attribute {
  const system = SYSTEM.get(name);
  if (system !== undefined) return system(run);
  const value = fromPayload(run.searchAttributes[name]);
  const type = typeOfAttribute(server, name);
  if (type === 'KeywordList') return [value ?? []].flat().map(String);
  if (typeof value === 'string') return type === 'Datetime' ? Date.parse(value) : value;
  return typeof value === 'number' || typeof value === 'boolean' ? value : undefined;
}
