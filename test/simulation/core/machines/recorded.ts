import proto from '@temporalio/proto';
import type { coresdk } from '@temporalio/proto';

import {
  intoPayloads,
  or,
  orNull,
  type Payload,
  ofPayload,
  toNumber,
  type Command,
  type HistoryEvent,
} from '../messages.js';
import { TableMachine, type Response, type Step, type Table } from './machine.js';

const { CommandType, EventType, TaskQueueKind, WorkflowTaskFailedCause } =
  proto.temporal.api.enums.v1;

/** As core names them when it refuses an event. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ['CompleteWorkflowMachine', 'Complete workflow'],
  ['FailWorkflowMachine', 'Fail workflow'],
  ['CancelWorkflowMachine', 'Cancel workflow'],
  ['ContinueAsNewWorkflowMachine', 'Continue as new workflow'],
]);

function recordedTable(name: string, command: number, event: number): Table {
  const words = WORDS.get(name);
  return {
    name,
    refusal:
      words === undefined
        ? `${name} does not handle`
        : `${words} machine does not handle this event:`,
    transitions: { Created: { command: 'CommandIssued' }, CommandIssued: { recorded: 'Done' } },
    commands: new Map([[command, 'command']]),
    events: new Map([[event, 'recorded']]),
  };
}

/** What is over with its command, once the history has it. */
export class RecordedMachine extends TableMachine {
  constructor(table: Table) {
    super(table, 'Created');
  }

  protected override onEvent(): Response[] {
    return [];
  }
}

export const UPSERT_SEARCH_ATTRIBUTES = recordedTable(
  'UpsertWorkflowSearchAttributesMachine',
  CommandType.COMMAND_TYPE_UPSERT_WORKFLOW_SEARCH_ATTRIBUTES,
  EventType.EVENT_TYPE_UPSERT_WORKFLOW_SEARCH_ATTRIBUTES,
);
export const MODIFY_PROPERTIES = recordedTable(
  'ModifyWorkflowPropertiesMachine',
  CommandType.COMMAND_TYPE_MODIFY_WORKFLOW_PROPERTIES,
  EventType.EVENT_TYPE_WORKFLOW_PROPERTIES_MODIFIED,
);
export const COMPLETE_WORKFLOW = recordedTable(
  'CompleteWorkflowMachine',
  CommandType.COMMAND_TYPE_COMPLETE_WORKFLOW_EXECUTION,
  EventType.EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED,
);
export const FAIL_WORKFLOW = recordedTable(
  'FailWorkflowMachine',
  CommandType.COMMAND_TYPE_FAIL_WORKFLOW_EXECUTION,
  EventType.EVENT_TYPE_WORKFLOW_EXECUTION_FAILED,
);
export const CANCEL_WORKFLOW = recordedTable(
  'CancelWorkflowMachine',
  CommandType.COMMAND_TYPE_CANCEL_WORKFLOW_EXECUTION,
  EventType.EVENT_TYPE_WORKFLOW_EXECUTION_CANCELED,
);
export const CONTINUE_AS_NEW = recordedTable(
  'ContinueAsNewWorkflowMachine',
  CommandType.COMMAND_TYPE_CONTINUE_AS_NEW_WORKFLOW_EXECUTION,
  EventType.EVENT_TYPE_WORKFLOW_EXECUTION_CONTINUED_AS_NEW,
);

const WORKFLOW_TASK: Table = {
  name: 'WorkflowTaskMachine',
  refusal: 'Event does not apply to a wf task machine:',
  transitions: {
    Created: { scheduled: 'Scheduled' },
    Scheduled: { started: 'Started', timedOut: 'TimedOut' },
    Started: { completed: 'Completed', failed: 'Failed', timedOut: 'TimedOut' },
  },
  commands: new Map(),
  events: new Map([
    [EventType.EVENT_TYPE_WORKFLOW_TASK_SCHEDULED, 'scheduled'],
    [EventType.EVENT_TYPE_WORKFLOW_TASK_STARTED, 'started'],
    [EventType.EVENT_TYPE_WORKFLOW_TASK_COMPLETED, 'completed'],
    [EventType.EVENT_TYPE_WORKFLOW_TASK_FAILED, 'failed'],
    [EventType.EVENT_TYPE_WORKFLOW_TASK_TIMED_OUT, 'timedOut'],
  ]),
};

/** One workflow task of the history. */
export class WorkflowTaskMachine extends TableMachine {
  readonly #lastStarted: number;
  #started: HistoryEvent | undefined;

  /** @param lastStarted the started event of the task that is handled now: tasks before it have failed */
  constructor(lastStarted: number) {
    super(WORKFLOW_TASK, 'Created');
    this.#lastStarted = lastStarted;
  }

  protected override onEvent({ trigger, event }: Step): Response[] {
    if (trigger === 'started') {
      this.#started = event;
      return this.#trigger(this.#lastStarted, toNumber(event.eventId) >= this.#lastStarted);
    }
    if (trigger === 'completed') return this.#trigger(toNumber(this.#started?.eventId), true);
    const attributes = event.workflowTaskFailedEventAttributes;
    const isReset =
      trigger === 'failed' &&
      attributes?.cause === WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_RESET_WORKFLOW;
    return isReset ? [{ kind: 'reset', runId: attributes.newRunId ?? '' }] : [];
  }

  #trigger(eventId: number, isReached: boolean): Response[] {
    const time = this.#started?.eventTime;
    if (!isReached || time === null || time === undefined) return [];
    return [{ kind: 'taskStarted', eventId, time }];
  }
}

export function completeWorkflowCommand(
  asked: coresdk.workflow_commands.ICompleteWorkflowExecution,
): Command {
  return {
    commandType: CommandType.COMMAND_TYPE_COMPLETE_WORKFLOW_EXECUTION,
    completeWorkflowExecutionCommandAttributes: { result: ofPayload(asked.result) },
  };
}

export function failWorkflowCommand(
  asked: coresdk.workflow_commands.IFailWorkflowExecution,
): Command {
  return {
    commandType: CommandType.COMMAND_TYPE_FAIL_WORKFLOW_EXECUTION,
    failWorkflowExecutionCommandAttributes: { failure: asked.failure ?? null },
  };
}

export function cancelWorkflowCommand(
  asked: coresdk.workflow_commands.ICancelWorkflowExecution,
): Command {
  return {
    commandType: CommandType.COMMAND_TYPE_CANCEL_WORKFLOW_EXECUTION,
    cancelWorkflowExecutionCommandAttributes: { details: asked.details ?? null },
  };
}

export function continueAsNewCommand(
  asked: coresdk.workflow_commands.IContinueAsNewWorkflowExecution,
  inheritBuildId: boolean,
): Command {
  return {
    commandType: CommandType.COMMAND_TYPE_CONTINUE_AS_NEW_WORKFLOW_EXECUTION,
    continueAsNewWorkflowExecutionCommandAttributes: {
      workflowType: { name: or(asked.workflowType, '') },
      taskQueue: { name: or(asked.taskQueue, ''), kind: TaskQueueKind.TASK_QUEUE_KIND_NORMAL },
      input: intoPayloads(asked.arguments),
      workflowRunTimeout: orNull(asked.workflowRunTimeout),
      workflowTaskTimeout: orNull(asked.workflowTaskTimeout),
      memo: fieldsOf(asked.memo),
      header: fieldsOf(asked.headers),
      retryPolicy: orNull(asked.retryPolicy),
      searchAttributes: orNull(asked.searchAttributes),
      backoffStartInterval: orNull(asked.backoffStartInterval),
      inheritBuildId,
      initialVersioningBehavior: or(asked.initialVersioningBehavior, 0),
    },
  };
}

function fieldsOf(fields: Record<string, Payload> | null | undefined) {
  return fields && Object.keys(fields).length > 0 ? { fields } : null;
}

export function startChildCommand(
  asked: coresdk.workflow_commands.IStartChildWorkflowExecution,
  inheritBuildId: boolean,
): Command {
  return {
    commandType: CommandType.COMMAND_TYPE_START_CHILD_WORKFLOW_EXECUTION,
    startChildWorkflowExecutionCommandAttributes: {
      workflowId: or(asked.workflowId, ''),
      workflowType: { name: or(asked.workflowType, '') },
      namespace: or(asked.namespace, ''),
      taskQueue: { name: or(asked.taskQueue, ''), kind: TaskQueueKind.TASK_QUEUE_KIND_NORMAL },
      header: { fields: or(asked.headers, {}) },
      memo: { fields: or(asked.memo, {}) },
      searchAttributes: orNull(asked.searchAttributes),
      input: intoPayloads(asked.input),
      workflowIdReusePolicy: or(asked.workflowIdReusePolicy, 0),
      workflowExecutionTimeout: orNull(asked.workflowExecutionTimeout),
      workflowRunTimeout: orNull(asked.workflowRunTimeout),
      workflowTaskTimeout: orNull(asked.workflowTaskTimeout),
      retryPolicy: orNull(asked.retryPolicy),
      cronSchedule: or(asked.cronSchedule, ''),
      parentClosePolicy: parentClosePolicy(asked.parentClosePolicy),
      inheritBuildId,
      priority: orNull(asked.priority),
    },
  };
}

/** The same numbers in both enumerations. */
function parentClosePolicy(policy: coresdk.child_workflow.ParentClosePolicy | null | undefined) {
  const { ParentClosePolicy } = proto.temporal.api.enums.v1;
  return (
    [
      ParentClosePolicy.PARENT_CLOSE_POLICY_UNSPECIFIED,
      ParentClosePolicy.PARENT_CLOSE_POLICY_TERMINATE,
      ParentClosePolicy.PARENT_CLOSE_POLICY_ABANDON,
      ParentClosePolicy.PARENT_CLOSE_POLICY_REQUEST_CANCEL,
    ][or(policy, 0)] ?? ParentClosePolicy.PARENT_CLOSE_POLICY_UNSPECIFIED
  );
}
