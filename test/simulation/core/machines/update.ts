import proto from '@temporalio/proto';
import type { coresdk, google, temporal } from '@temporalio/proto';

import { ofPayload, toLong, type Failure, type HistoryEvent, type Message } from '../messages.js';
import { fatal, nondeterminism, TableMachine, type Response, type Table } from './machine.js';

const { CommandType, EventType } = proto.temporal.api.enums.v1;
const { Acceptance, Rejection, Request, Response: UpdateResult } = proto.temporal.api.update.v1;

type UpdateRequest = temporal.api.update.v1.IRequest;
type LongId = temporal.api.history.v1.IHistoryEvent['eventId'];

const UPDATE: Table = {
  name: 'UpdateMachine',
  refusal: 'Update machine does not handle this event:',
  transitions: {
    RequestInitiated: { accept: 'Accepted', reject: 'Rejected' },
    Accepted: {
      complete: 'CompletedImmediately',
      fail: 'CompletedImmediately',
      protocolMessage: 'AcceptCommandCreated',
    },
    AcceptCommandCreated: {
      accepted: 'AcceptCommandRecorded',
      complete: 'CompletedImmediatelyAcceptCreated',
      fail: 'CompletedImmediatelyAcceptCreated',
    },
    AcceptCommandRecorded: { complete: 'Completed', fail: 'Completed' },
    Completed: { protocolMessage: 'CompletedCommandCreated' },
    CompletedCommandCreated: { completed: 'CompletedCommandRecorded' },
    CompletedImmediately: { protocolMessage: 'CompletedImmediatelyAcceptCreated' },
    CompletedImmediatelyAcceptCreated: { protocolMessage: 'CompletedImmediatelyCompleteCreated' },
    CompletedImmediatelyCompleteCreated: { accepted: 'CompletedCommandCreated' },
  },
  commands: new Map([[CommandType.COMMAND_TYPE_PROTOCOL_MESSAGE, 'protocolMessage']]),
  events: new Map([
    [EventType.EVENT_TYPE_WORKFLOW_EXECUTION_UPDATE_ACCEPTED, 'accepted'],
    [EventType.EVENT_TYPE_WORKFLOW_EXECUTION_UPDATE_COMPLETED, 'completed'],
  ]),
};

/** The request of an update: it comes with a workflow task, or is made up from the history when that is replayed. */
export interface IncomingMessage {
  readonly id: string;
  readonly protocolInstanceId: string;
  /** The event after which it counts; undefined where it does not say. */
  readonly eventId: number | undefined;
  readonly request: UpdateRequest;
}

export class UpdateMachine extends TableMachine {
  readonly #message: IncomingMessage;

  constructor(message: IncomingMessage) {
    super(UPDATE, 'RequestInitiated');
    this.#message = message;
  }

  /** What lang is asked to do first. */
  begin(isReplaying: boolean): Response {
    const { request, protocolInstanceId } = this.#message;
    return {
      kind: 'job',
      job: {
        doUpdate: {
          id: request.meta?.updateId ?? '',
          protocolInstanceId,
          name: request.input?.name ?? '',
          input: request.input?.args?.payloads ?? [],
          headers: request.input?.header?.fields ?? {},
          meta: request.meta ?? null,
          runValidator: !isReplaying,
        },
      },
    };
  }

  handleAnswer(answer: coresdk.workflow_commands.IUpdateResponse): Response[] {
    const { accepted, rejected, completed } = answer;
    if (accepted !== null && accepted !== undefined) return this.#accept();
    if (rejected !== null && rejected !== undefined) return this.#reject(rejected);
    if (completed !== null && completed !== undefined) {
      this.#answer('complete');
      return this.#complete({ success: ofPayload(completed) });
    }
    throw fatal(
      `Update response for update ${this.#updateId} had an empty result, this is a lang layer bug.`,
    );
  }

  protected override onEvent(): Response[] {
    return [];
  }

  get #updateId(): string {
    return this.#message.request.meta?.updateId ?? '';
  }

  #answer(trigger: string): void {
    const from = this.state;
    if (this.tryGo(trigger)) return;
    throw nondeterminism(
      `Invalid transition while handling update response (id ${this.#updateId}) in state ${from}`,
    );
  }

  #accept(): Response[] {
    this.#answer('accept');
    const { id, eventId, request } = this.#message;
    const body = Acceptance.encode({
      acceptedRequestMessageId: id,
      acceptedRequestSequencingEventId: toLong(eventId),
      acceptedRequest: request,
    }).finish();
    return this.#says('accept', 'Acceptance', body);
  }

  #reject(failure: Failure): Response[] {
    if (this.state !== 'RequestInitiated') {
      this.#answer('fail');
      return this.#complete({ failure });
    }
    this.#answer('reject');
    const { id, eventId, request } = this.#message;
    const body = Rejection.encode({
      rejectedRequestMessageId: id,
      rejectedRequestSequencingEventId: toLong(eventId),
      rejectedRequest: request,
      failure,
    }).finish();
    // A rejection leaves nothing in the history, so it has no command.
    return this.#says('reject', 'Rejection', body).slice(0, 1);
  }

  #complete(outcome: temporal.api.update.v1.IOutcome): Response[] {
    const { request } = this.#message;
    const body = UpdateResult.encode({ meta: request.meta ?? null, outcome }).finish();
    return this.#says('complete', 'Response', body);
  }

  #says(suffix: string, type: string, value: Uint8Array): Response[] {
    const id = `${this.#message.id}/${suffix}`;
    const message: Message = {
      id,
      protocolInstanceId: this.#message.protocolInstanceId,
      body: { type_url: `type.googleapis.com/temporal.api.update.v1.${type}`, value },
    };
    return [
      { kind: 'message', message },
      {
        kind: 'command',
        command: {
          commandType: CommandType.COMMAND_TYPE_PROTOCOL_MESSAGE,
          protocolMessageCommandAttributes: { messageId: id },
        },
      },
    ];
  }
}

/** @throws MachineError for a message that is no request of an update */
export function readMessage(message: Message): IncomingMessage {
  const { eventId, commandIndex, body, id, protocolInstanceId } = message;
  return {
    id: id ?? '',
    protocolInstanceId: protocolInstanceId ?? '',
    eventId: commandIndex ? undefined : eventId ? Number(eventId) : 0,
    request: checked(readBody(body)),
  };
}

function readBody(body: google.protobuf.IAny | null | undefined): UpdateRequest {
  const type = body?.type_url ?? '';
  if (!type.endsWith('temporal.api.update.v1.Request')) {
    throw fatal(`Protocol message body is of an unknown type: ${type}`);
  }
  return Request.decode(body?.value ?? new Uint8Array());
}

function checked(request: UpdateRequest | null | undefined): UpdateRequest {
  if (!request?.input) throw fatal("Update request's `input` field must be populated");
  if (!request.meta) throw fatal("Update request's `meta` field must be populated");
  return request;
}

/** The message that was there before this event was written. */
export function messageOfEvent(event: HistoryEvent): IncomingMessage {
  const admitted = event.workflowExecutionUpdateAdmittedEventAttributes;
  if (admitted) {
    const request = checked(admitted.request);
    const protocolInstanceId = request.meta?.updateId ?? '';
    const id = `${protocolInstanceId}/request`;
    return { id, protocolInstanceId, eventId: toId(event.eventId), request };
  }
  const accepted = event.workflowExecutionUpdateAcceptedEventAttributes;
  return {
    id: accepted?.acceptedRequestMessageId ?? '',
    protocolInstanceId: accepted?.protocolInstanceId ?? '',
    eventId: toId(accepted?.acceptedRequestSequencingEventId),
    request: checked(accepted?.acceptedRequest),
  };
}

function toId(id: LongId): number {
  return toLong(id).toNumber();
}
