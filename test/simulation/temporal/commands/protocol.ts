import proto from '@temporalio/proto';

import { EventType } from '../base/proto.js';
import type { Execution } from '../model/execution.js';
import type { Server } from '../model/server.js';
import type { Command, HistoryEvent, Message } from '../base/proto.js';
import { toLong, toNumber } from '../base/values.js';
import { record } from '../history/record.js';
import type { Update } from '../model/update.js';
import { complete, newUpdate, reject, setState, typeOf } from '../updates/registry.js';
import { isRunning } from '../workflow-tasks/schedule.js';
import type { CommandContext } from './context.js';

const { Acceptance, Rejection, Response } = proto.temporal.api.update.v1;

const ACCEPTANCE = 'temporal.api.update.v1.Acceptance';
const REJECTION = 'temporal.api.update.v1.Rejection';
const RESPONSE = 'temporal.api.update.v1.Response';

/** Handles the message that a command names, at its place among the commands. */
export function protocolMessage(
  context: CommandContext,
  { protocolMessageCommandAttributes: attributes }: Command,
): HistoryEvent | undefined {
  const id = attributes?.messageId ?? '';
  const message = context.messages.get(id);
  if (message === undefined) return undefined;
  context.messages.delete(id);
  return handleMessage(context, message);
}

/** Handles what no command named: in practice the rejections. */
export function handleRemaining(context: CommandContext): void {
  for (const message of context.messages.values()) handleMessage(context, message);
  context.messages.clear();
}

function handleMessage(context: CommandContext, message: Message): HistoryEvent | undefined {
  const { execution } = context;
  const update = updateOf(context.server, execution, message);
  const value = message.body?.value ?? new Uint8Array();
  const type = typeOf(message.body?.type_url);
  if (update === undefined) return undefined;
  if (type === REJECTION) {
    reject(execution, update, Rejection.decode(value).failure ?? {});
    return undefined;
  }
  if (!isRunning(execution)) return undefined;
  if (type === ACCEPTANCE) {
    return accept(context, { update, sequencingId: acceptedAfter(value) });
  }
  return type === RESPONSE ? respond(context, { update, message, value }) : undefined;
}

const acceptedAfter = (value: Uint8Array): number =>
  toNumber(Acceptance.decode(value).acceptedRequestSequencingEventId);

/** The update of a message. One that the server has lost meanwhile comes back with its acceptance. */
function updateOf(server: Server, execution: Execution, message: Message): Update | undefined {
  const id = message.protocolInstanceId ?? '';
  const existing = execution.updates.get(id);
  if (existing !== undefined) return existing;
  const request = lostRequest(message);
  if (request === undefined) return undefined;
  const update = newUpdate(server, id, request);
  execution.updates.set(id, update);
  return update;
}

/** The request that an acceptance or a rejection repeats. */
export function lostRequest({ body }: Message) {
  const value = body?.value ?? new Uint8Array();
  const type = typeOf(body?.type_url);
  if (type === ACCEPTANCE) return Acceptance.decode(value).acceptedRequest ?? undefined;
  return type === REJECTION ? (Rejection.decode(value).rejectedRequest ?? undefined) : undefined;
}

function accept(
  { server, execution }: CommandContext,
  { update, sequencingId }: { update: Update; sequencingId: number },
): HistoryEvent {
  const event = record(server, execution, {
    eventType: EventType.EVENT_TYPE_WORKFLOW_EXECUTION_UPDATE_ACCEPTED,
    workflowExecutionUpdateAcceptedEventAttributes: {
      protocolInstanceId: update.id,
      acceptedRequestMessageId: `${update.id}/request`,
      acceptedRequestSequencingEventId: toLong(sequencingId),
      acceptedRequest: update.request ?? null,
    },
  });
  update.acceptedEventId = toNumber(event.eventId);
  update.request = undefined;
  setState(update, 'accepted');
  return event;
}

function respond(
  { server, execution }: CommandContext,
  { update, message, value }: { update: Update; message: Message; value: Uint8Array },
): HistoryEvent {
  const response = Response.decode(value);
  const event = record(server, execution, {
    eventType: EventType.EVENT_TYPE_WORKFLOW_EXECUTION_UPDATE_COMPLETED,
    workflowExecutionUpdateCompletedEventAttributes: {
      acceptedEventId: toLong(update.acceptedEventId),
      meta: response.meta ?? { updateId: message.protocolInstanceId ?? '' },
      outcome: response.outcome ?? null,
    },
  });
  complete(update, response.outcome);
  return event;
}
