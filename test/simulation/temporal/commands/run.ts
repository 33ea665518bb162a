import { CommandType } from '../base/proto.js';
import type { Command, HistoryEvent } from '../base/proto.js';
import { invalidArgument } from '../base/grpc-error.js';
import { requestCancelActivityTask, scheduleActivityTask } from './activities.js';
import { cancelWorkflow, completeWorkflow, continueAsNew, failWorkflow } from './close.js';
import type { CommandContext, CommandHandler } from './context.js';
import { requestCancelExternal, signalExternal, startChildWorkflow } from './others.js';
import { modifyProperties, recordMarker, upsertSearchAttributes } from './properties.js';
import { handleRemaining, protocolMessage } from './protocol.js';
import { cancelTimer, startTimer } from './timers.js';

const HANDLERS: ReadonlyMap<number, CommandHandler> = new Map<number, CommandHandler>([
  [CommandType.COMMAND_TYPE_SCHEDULE_ACTIVITY_TASK, scheduleActivityTask],
  [CommandType.COMMAND_TYPE_REQUEST_CANCEL_ACTIVITY_TASK, requestCancelActivityTask],
  [CommandType.COMMAND_TYPE_START_TIMER, startTimer],
  [CommandType.COMMAND_TYPE_CANCEL_TIMER, cancelTimer],
  [CommandType.COMMAND_TYPE_COMPLETE_WORKFLOW_EXECUTION, completeWorkflow],
  [CommandType.COMMAND_TYPE_FAIL_WORKFLOW_EXECUTION, failWorkflow],
  [CommandType.COMMAND_TYPE_CANCEL_WORKFLOW_EXECUTION, cancelWorkflow],
  [CommandType.COMMAND_TYPE_CONTINUE_AS_NEW_WORKFLOW_EXECUTION, continueAsNew],
  [CommandType.COMMAND_TYPE_RECORD_MARKER, recordMarker],
  [CommandType.COMMAND_TYPE_SIGNAL_EXTERNAL_WORKFLOW_EXECUTION, signalExternal],
  [CommandType.COMMAND_TYPE_REQUEST_CANCEL_EXTERNAL_WORKFLOW_EXECUTION, requestCancelExternal],
  [CommandType.COMMAND_TYPE_START_CHILD_WORKFLOW_EXECUTION, startChildWorkflow],
  [CommandType.COMMAND_TYPE_UPSERT_WORKFLOW_SEARCH_ATTRIBUTES, upsertSearchAttributes],
  [CommandType.COMMAND_TYPE_MODIFY_WORKFLOW_PROPERTIES, modifyProperties],
  [CommandType.COMMAND_TYPE_PROTOCOL_MESSAGE, protocolMessage],
]);

/** Carries out the commands of a worker in their order, then the messages that none of them named. */
export function runCommands(context: CommandContext, commands: readonly Command[]): void {
  for (const command of commands) {
    const type = command.commandType ?? CommandType.COMMAND_TYPE_UNSPECIFIED;
    const handler = HANDLERS.get(type);
    if (handler === undefined) throw invalidArgument(`Unknown command type: ${type}`);
    addMetadata(handler(context, command), command);
  }
  handleRemaining(context);
}

function addMetadata(event: HistoryEvent | undefined, command: Command): void {
  if (event === undefined) return;
  const { userMetadata, eventGroupMarkers } = command;
  if (userMetadata) event.userMetadata = userMetadata;
  if (eventGroupMarkers) event.eventGroupMarkers = eventGroupMarkers;
}
