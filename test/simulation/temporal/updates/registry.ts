import proto from '@temporalio/proto';

import type { Failure, Message } from '../base/proto.js';
import {
  GrpcError,
  ABORTED_UPDATE,
  CLOSING_EXECUTION,
  Code,
  notFound,
} from '../base/grpc-error.js';
import { toLong } from '../base/values.js';
import type { Execution } from '../model/execution.js';
import type { Server } from '../model/server.js';
import type { Outcome, Update, UpdateRequest, UpdateState } from '../model/update.js';

const { Request } = proto.temporal.api.update.v1;

const URL_PREFIX = 'type.googleapis.com/';
export const typeOf = (url: string | null | undefined): string =>
  (url ?? '').slice(URL_PREFIX.length);

/** What the client is told of an update that the run has accepted but never answers. */
const CUT_OFF: Failure = {
  message: 'Workflow Update failed because the Workflow completed before the Update completed.',
  source: 'Server',
  applicationFailureInfo: {
    type: 'AcceptedUpdateCompletedWorkflow',
    nonRetryable: true,
  },
};

/** Of an update that a worker was sent, and that its answer does not mention. */
const UNPROCESSED: Failure = {
  message:
    "Workflow Update is rejected because it wasn't processed by worker. Probably, Workflow Update is not supported by the worker.",
  source: 'Server',
  applicationFailureInfo: {
    type: 'UnprocessedUpdate',
    nonRetryable: true,
  },
};

export function newUpdate(server: Server, id: string, request: UpdateRequest | undefined): Update {
  return {
    id,
    state: 'admitted',
    request,
    admittedAt: server.clock.now(),
    acceptedEventId: 0,
    rejection: undefined,
    outcome: undefined,
    aborted: undefined,
    watchers: new Set(),
  };
}

export function setState(update: Update, state: UpdateState): void {
  update.state = state;
  const watchers = [...update.watchers];
  update.watchers.clear();
  for (const tell of watchers) tell();
}

function needsSending({ state }: Update, includesSent: boolean): boolean {
  return state === 'admitted' || (includesSent && state === 'sent');
}

export function hasOutgoing(execution: Execution): boolean {
  for (const update of execution.updates.values()) if (needsSending(update, true)) return true;
  return false;
}

/** The messages for a workflow task. The worker handles them after the events up to the one before it began. */
export function sendUpdates(
  execution: Execution,
  startedEventId: number,
  includesSent: boolean,
): Message[] {
  const messages: Message[] = [];
  for (const update of execution.updates.values()) {
    if (!needsSending(update, includesSent)) continue;
    update.state = 'sent';
    if (update.request === undefined) continue;
    messages.push({
      id: `${update.id}/request`,
      protocolInstanceId: update.id,
      eventId: toLong(startedEventId - 1),
      body: {
        type_url: `${URL_PREFIX}temporal.api.update.v1.Request`,
        value: Request.encode(update.request).finish(),
      },
    });
  }
  return messages;
}

export function reject(execution: Execution, update: Update, failure: Failure): void {
  update.rejection = failure;
  update.outcome = { failure };
  // Nothing of it is in the history: another request with this id is a new update.
  execution.updates.delete(update.id);
  setState(update, 'completed');
}

export function complete(update: Update, outcome: Outcome | null | undefined): void {
  update.outcome = outcome ?? {};
  setState(update, 'completed');
}

/** Rejects what was sent to the worker and what it said nothing about. */
export function rejectUnprocessed(execution: Execution): void {
  for (const update of [...execution.updates.values()]) {
    if (update.state === 'sent') reject(execution, update, UNPROCESSED);
  }
}

/** Ends all updates of a run that has closed. */
export function abortUpdates(execution: Execution): void {
  for (const update of [...execution.updates.values()]) {
    if (update.state === 'completed') continue;
    if (update.state === 'accepted') {
      update.outcome = { failure: CUT_OFF };
      setState(update, 'completed');
      continue;
    }
    update.aborted = {
      error:
        execution.newRunId === undefined
          ? notFound(ABORTED_UPDATE)
          : new GrpcError(Code.resourceExhausted, CLOSING_EXECUTION),
    };
    execution.updates.delete(update.id);
    setState(update, 'aborted');
  }
}
