import { CommandType, WorkflowTaskFailedCause } from '../base/proto.js';
import type { Command, Message } from '../base/proto.js';
import { invalidArgument } from '../base/grpc-error.js';
import { toMs, toNumber } from '../base/values.js';
import type { Execution } from '../model/execution.js';
import type { Server } from '../model/server.js';
import { wrongAttribute } from '../visibility/search-attributes.js';
import type { FailedCause } from '../workflow-tasks/fail.js';
import { lostRequest } from './protocol.js';
import { firedTimer } from './timers.js';

/** Why the server does not take the commands of a worker: the workflow task fails. */
export interface WrongCommands {
  cause: FailedCause;
  message: string;
}

const CLOSING: ReadonlySet<number> = new Set([
  CommandType.COMMAND_TYPE_COMPLETE_WORKFLOW_EXECUTION,
  CommandType.COMMAND_TYPE_FAIL_WORKFLOW_EXECUTION,
  CommandType.COMMAND_TYPE_CANCEL_WORKFLOW_EXECUTION,
  CommandType.COMMAND_TYPE_CONTINUE_AS_NEW_WORKFLOW_EXECUTION,
]);

const typeOf = ({ commandType }: Command): number =>
  commandType ?? CommandType.COMMAND_TYPE_UNSPECIFIED;

/** @throws GrpcError where something follows the command that closes the run. */
export function checkSequence(commands: readonly Command[]): void {
  const at = commands.findIndex((command) => CLOSING.has(typeOf(command)));
  const rest = at === -1 ? [] : commands.slice(at + 1);
  const isFollowed = rest.some(
    ({ commandType }) => commandType !== CommandType.COMMAND_TYPE_PROTOCOL_MESSAGE,
  );
  if (isFollowed)
    throw invalidArgument('invalid command sequence: a close command must be the last command.');
}

/** What the commands so far have changed of what others are checked against. */
interface Progress {
  readonly server: Server;
  readonly execution: Execution;
  readonly activityIds: Set<string>;
  readonly timerIds: Set<string>;
  readonly canceledTimers: Set<string>;
  readonly messageIds: ReadonlySet<string>;
}

/**
 * The first thing that is wrong with the commands, before any of them is carried out: a workflow task
 * fails as a whole.
 */
export function findWrong(
  server: Server,
  execution: Execution,
  { commands, messages }: { commands: readonly Command[]; messages: readonly Message[] },
): WrongCommands | undefined {
  const progress: Progress = {
    server,
    execution,
    activityIds: new Set(),
    timerIds: new Set(),
    canceledTimers: new Set(),
    messageIds: new Set(messages.map(({ id }) => id ?? '')),
  };
  for (const command of commands) {
    const wrong = CLOSING.has(typeOf(command))
      ? wrongClose(progress, command)
      : CHECKS.get(typeOf(command))?.(progress, command);
    if (wrong !== undefined) return wrong;
  }
  const unknown = messages.find((message) => isUnknown(execution, message));
  return unknown === undefined ? undefined : unknownUpdate(unknown);
}

function isUnknown(execution: Execution, message: Message): boolean {
  const id = message.protocolInstanceId ?? '';
  return !execution.updates.has(id) && lostRequest(message) === undefined;
}

const unknownUpdate = ({ protocolInstanceId }: Message): WrongCommands => ({
  cause: WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_BAD_UPDATE_WORKFLOW_EXECUTION_MESSAGE,
  message: `update ${protocolInstanceId ?? ''} wasn't found on the server. This is most likely a transient error which will be resolved automatically by retries`,
});

function wrongClose(progress: Progress, command: Command): WrongCommands | undefined {
  const { execution, canceledTimers, server } = progress;
  const isNews = execution.buffered.some(
    ({ timerFiredEventAttributes: fired }) => !canceledTimers.has(fired?.timerId ?? ''),
  );
  if (isNews) {
    const cause = WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_UNHANDLED_COMMAND;
    return { cause, message: 'UnhandledCommand' };
  }
  const next = command.continueAsNewWorkflowExecutionCommandAttributes;
  return wrongSearchAttributes(server, next?.searchAttributes?.indexedFields);
}

type Check = (progress: Progress, command: Command) => WrongCommands | undefined;

function wrongSearchAttributes(
  server: Server,
  fields: Parameters<typeof wrongAttribute>[1],
): WrongCommands | undefined {
  const message = wrongAttribute(server, fields);
  const cause = WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_BAD_SEARCH_ATTRIBUTES;
  return message === undefined ? undefined : { cause, message: `BadSearchAttributes: ${message}` };
}

const checkActivity: Check = ({ execution, activityIds }, command) => {
  const attributes = command.scheduleActivityTaskCommandAttributes ?? {};
  const id = attributes.activityId ?? '';
  const wrong = wrongActivity(attributes);
  if (wrong !== undefined) {
    const cause =
      WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_BAD_SCHEDULE_ACTIVITY_ATTRIBUTES;
    return { cause, message: `BadScheduleActivityAttributes: ${wrong}` };
  }
  if (activityIds.has(id) || execution.activityIds.has(id)) {
    const cause = WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_SCHEDULE_ACTIVITY_DUPLICATE_ID;
    return { cause, message: `ScheduleActivityDuplicateId: Activity ID ${id} already exists` };
  }
  activityIds.add(id);
  return undefined;
};

function wrongActivity(
  attributes: NonNullable<Command['scheduleActivityTaskCommandAttributes']>,
): string | undefined {
  if (!attributes.taskQueue?.name) return 'taskQueue is not set';
  const limitMs = toMs(attributes.startToCloseTimeout) + toMs(attributes.scheduleToCloseTimeout);
  if (limitMs > 0) return undefined;
  const { activityId, activityType } = attributes;
  return `A valid StartToClose or ScheduleToCloseTimeout is not set on ScheduleActivityTaskCommand. ActivityId=${activityId ?? ''} ActivityType=${activityType?.name ?? ''}`;
}

const checkTimer: Check = ({ execution, timerIds, canceledTimers }, command) => {
  const id = command.startTimerCommandAttributes?.timerId ?? '';
  const isTaken = timerIds.has(id) || (execution.timers.has(id) && !canceledTimers.has(id));
  timerIds.add(id);
  if (!isTaken) return undefined;
  const cause = WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_START_TIMER_DUPLICATE_ID;
  return { cause, message: `StartTimerDuplicateId: Timer ID ${id} already exists` };
};

const checkCancelTimer: Check = ({ execution, timerIds, canceledTimers }, command) => {
  const id = command.cancelTimerCommandAttributes?.timerId ?? '';
  const isKnown =
    timerIds.delete(id) || execution.timers.has(id) || firedTimer(execution, id) !== undefined;
  canceledTimers.add(id);
  if (isKnown) return undefined;
  const cause = WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_BAD_CANCEL_TIMER_ATTRIBUTES;
  return { cause, message: `BadCancelTimerAttributes: invalid history builder state for action` };
};

const checkCancelActivity: Check = ({ execution }, command) => {
  const id = toNumber(command.requestCancelActivityTaskCommandAttributes?.scheduledEventId);
  const activity = execution.activities.get(id);
  const isKnown =
    activity === undefined
      ? hasEnded(execution, id)
      : activity.cancelRequestedEventId === undefined;
  if (isKnown) return undefined;
  const cause =
    WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_BAD_REQUEST_CANCEL_ACTIVITY_ATTRIBUTES;
  return {
    cause,
    message: 'BadRequestCancelActivityAttributes: invalid history builder state for action',
  };
};

/** Whether the end of the activity waits in the buffer: the worker could not know of it. */
function hasEnded({ buffered }: Execution, scheduledEventId: number): boolean {
  return buffered.some((event) => {
    const ended =
      event.activityTaskCompletedEventAttributes ??
      event.activityTaskFailedEventAttributes ??
      event.activityTaskTimedOutEventAttributes ??
      event.activityTaskCanceledEventAttributes;
    return (
      ended !== null && ended !== undefined && toNumber(ended.scheduledEventId) === scheduledEventId
    );
  });
}

const checkMessage: Check = ({ messageIds }, command) => {
  const id = command.protocolMessageCommandAttributes?.messageId ?? '';
  if (messageIds.has(id)) return undefined;
  return {
    cause: WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_BAD_UPDATE_WORKFLOW_EXECUTION_MESSAGE,
    message: `ProtocolMessageCommand referenced absent message ID ${id}`,
  };
};

const CHECKS: ReadonlyMap<number, Check> = new Map<number, Check>([
  [CommandType.COMMAND_TYPE_SCHEDULE_ACTIVITY_TASK, checkActivity],
  [CommandType.COMMAND_TYPE_REQUEST_CANCEL_ACTIVITY_TASK, checkCancelActivity],
  [CommandType.COMMAND_TYPE_START_TIMER, checkTimer],
  [CommandType.COMMAND_TYPE_CANCEL_TIMER, checkCancelTimer],
  [CommandType.COMMAND_TYPE_PROTOCOL_MESSAGE, checkMessage],
  [
    CommandType.COMMAND_TYPE_UPSERT_WORKFLOW_SEARCH_ATTRIBUTES,
    ({ server }, command) =>
      wrongSearchAttributes(
        server,
        command.upsertWorkflowSearchAttributesCommandAttributes?.searchAttributes?.indexedFields,
      ),
  ],
  [
    CommandType.COMMAND_TYPE_START_CHILD_WORKFLOW_EXECUTION,
    ({ server }, command) =>
      wrongSearchAttributes(
        server,
        command.startChildWorkflowExecutionCommandAttributes?.searchAttributes?.indexedFields,
      ),
  ],
]);
