import type { WorkflowExecutionInfo, WorkflowExecutionStatusName } from '@temporalio/client';
import {
  defaultPayloadConverter,
  defineSearchAttributeKey,
  SearchAttributeType,
} from '@temporalio/common';
import proto from '@temporalio/proto';

import { Held, operationOfId, SearchAttribute } from '../contract/wire/names.js';
import { startedForOf } from '../engine/core/identity.js';
import { BATCH_OF } from '../engine/core/labels.js';
import { DEFAULT_ACCOUNT } from '../engine/core/names.js';
import { Phase } from '../engine/core/status.js';
import { accountOfId } from './pollers.js';
import { toMs } from './explain/decode.js';
import type { ListedPhase } from './run-filter.js';

/** One line of `list`. */
export interface RunSummary {
  workflowId: string;
  /** Of its newest history, as far as the server has said. */
  runId: string;
  operation: string;
  account: string;
  /** Nobody knows it: the Workflow Id is one of the caller's own, and no worker has taken the run yet. */
  isAccountGuessed?: true;
  /** The operation of the items of a batch, when the server says it. */
  batchOf?: string;
  /** Workflow Id of the run whose part this is: a replacement moves an address by one, and deletes by another. */
  partOf?: string;
  /** Workflow Id of the batch that has started it, when the run is asked for by itself: no list says it. */
  startedFor?: string;
  /** Temporal's name of the state: RUNNING, COMPLETED, FAILED, CANCELLED, TERMINATED, TIMED_OUT … */
  state: string;
  /** What the run is doing, in the words of the status document. */
  phase: ListedPhase;
  startedAt: Date;
  closedAt: Date | undefined;
}

/** What the server knows of a run without asking a worker. */
export function summaryOf(run: Omit<WorkflowExecutionInfo, 'raw'>): RunSummary {
  const startedFor = startedForOf(run.memo);
  return {
    workflowId: run.workflowId,
    runId: run.runId,
    operation: run.type,
    ...accountIn(run.workflowId, run.typedSearchAttributes.get(ACCOUNT)),
    ...batchOf(run.typedSearchAttributes.get(LABELS)),
    ...partOf(run.workflowId, run.type, run.parentExecution?.workflowId),
    ...(startedFor !== undefined && { startedFor }),
    state: run.status.name,
    phase: listedPhase(run),
    startedAt: run.startTime,
    closedAt: run.closeTime,
  };
}

const ACCOUNT = defineSearchAttributeKey(SearchAttribute.account, SearchAttributeType.KEYWORD);
const PHASE = defineSearchAttributeKey(SearchAttribute.phase, SearchAttributeType.KEYWORD);

const LABELS = defineSearchAttributeKey(SearchAttribute.labels, SearchAttributeType.KEYWORD_LIST);

function accountIn(
  workflowId: string,
  recorded: unknown,
): Pick<RunSummary, 'account' | 'isAccountGuessed'> {
  const account = typeof recorded === 'string' ? recorded : accountOfId(workflowId);
  return account === undefined ? { account: DEFAULT_ACCOUNT, isAccountGuessed: true } : { account };
}

/**
 * A caller's own workflow may be the parent of a run too. A part that was started again by itself has no parent, and only
 * its Workflow Id names the operation of the whole.
 */
function partOf(
  workflowId: string,
  operation: string,
  parent: string | null | undefined,
): { partOf?: string } {
  if (parent && workflowId.startsWith(`${parent}/`)) return { partOf: parent };
  const whole = operationOfId(workflowId);
  if (whole === undefined || whole === operation) return {};
  return { partOf: workflowId.slice(0, workflowId.lastIndexOf('/')) };
}

function batchOf(labels: unknown): { batchOf?: string } {
  const prefix = `${BATCH_OF}=`;
  const names: readonly unknown[] = Array.isArray(labels) ? labels : [];
  const found = names.map(String).find((label) => label.startsWith(prefix));
  return found === undefined ? {} : { batchOf: found.slice(prefix.length) };
}

const PHASE_OF_STATE: Partial<Record<WorkflowExecutionStatusName, ListedPhase>> = {
  COMPLETED: Phase.succeeded,
  FAILED: Phase.failed,
  CANCELLED: Phase.cancelled,
  TERMINATED: 'terminated',
  TIMED_OUT: 'timed-out',
};

/**
 * The phase as far as the server knows it, without a query to the run. An open run in a namespace
 * without the search attribute is `running`; so is a run that waits, as the attribute has it.
 */
export function listedPhase(
  run: Pick<WorkflowExecutionInfo, 'status' | 'typedSearchAttributes'>,
): ListedPhase {
  return phaseOf(run.status.name, run.typedSearchAttributes.get(PHASE));
}

const OPEN_PHASES: readonly ListedPhase[] = [...Object.values(Phase), ...Object.values(Held)];

/** Whether the phase of the run is known without asking it. */
export function hasRecordedPhase({
  typedSearchAttributes,
}: Pick<WorkflowExecutionInfo, 'typedSearchAttributes'>): boolean {
  return typedSearchAttributes.get(PHASE) !== undefined;
}

/** `recorded` is the search attribute of the phase. */
function phaseOf(state: WorkflowExecutionStatusName, recorded: unknown): ListedPhase {
  const open = OPEN_PHASES.find((phase) => phase === recorded) ?? Phase.running;
  return PHASE_OF_STATE[state] ?? open;
}

type RawRun = proto.temporal.api.workflow.v1.IWorkflowExecutionInfo;

/**
 * The same from a list as the server gives it. The client of the SDK would decode the memo of each run, so one that is
 * encrypted with a key that is missing here would spoil the whole list.
 */
export function summaryOfRaw(run: RawRun): RunSummary {
  const state = STATE_OF.get(run.status) ?? 'UNKNOWN';
  const { workflowId, runId } = nameOf(run);
  const operation = run.type?.name ?? '';
  return {
    ...{ workflowId, runId, operation },
    ...accountIn(workflowId, attributeOf(run, SearchAttribute.account)),
    ...batchOf(attributeOf(run, SearchAttribute.labels)),
    ...partOf(workflowId, operation, run.parentExecution?.workflowId),
    state,
    phase: phaseOf(state, attributeOf(run, SearchAttribute.phase)),
    startedAt: new Date(toMs(run.startTime)),
    closedAt: run.closeTime ? new Date(toMs(run.closeTime)) : undefined,
  };
}

function nameOf({ execution }: RawRun): { workflowId: string; runId: string } {
  return { workflowId: execution?.workflowId ?? '', runId: execution?.runId ?? '' };
}

function attributeOf(run: RawRun, name: string): unknown {
  const payload = run.searchAttributes?.indexedFields?.[name];
  return payload && defaultPayloadConverter.fromPayload(payload);
}

const { WorkflowExecutionStatus } = proto.temporal.api.enums.v1;

const STATE_OF: ReadonlyMap<number | null | undefined, WorkflowExecutionStatusName> = new Map([
  [WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING, 'RUNNING'],
  [WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_PAUSED, 'PAUSED'],
  [WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_COMPLETED, 'COMPLETED'],
  [WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_FAILED, 'FAILED'],
  [WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_CANCELED, 'CANCELLED'],
  [WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_TERMINATED, 'TERMINATED'],
  [WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_TIMED_OUT, 'TIMED_OUT'],
  [WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_CONTINUED_AS_NEW, 'CONTINUED_AS_NEW'],
]);
