import Long from 'long';
import type { coresdk, temporal } from '@temporalio/proto';

import type { Timestamp } from './timestamps.js';

export type HistoryEvent = temporal.api.history.v1.IHistoryEvent;
export type Command = temporal.api.command.v1.ICommand;
export type Message = temporal.api.protocol.v1.IMessage;
export type Payload = temporal.api.common.v1.IPayload;
export type Payloads = temporal.api.common.v1.IPayloads;
export type Failure = temporal.api.failure.v1.IFailure;
export type UserMetadata = temporal.api.sdk.v1.IUserMetadata;
export type WorkflowTask = temporal.api.workflowservice.v1.IPollWorkflowTaskQueueResponse;
export type CompletedMetadata = temporal.api.sdk.v1.IWorkflowTaskCompletedMetadata;
export type Activation = coresdk.workflow_activation.IWorkflowActivation;
export type Job = coresdk.workflow_activation.IWorkflowActivationJob;
export type LangCommand = coresdk.workflow_commands.IWorkflowCommand;
export type ActivityTask = coresdk.activity_task.IActivityTask;
export type QueryResult = coresdk.workflow_commands.IQueryResult;

/** What lang attaches to a command, and the events of it show. */
export interface Annotations {
  userMetadata?: UserMetadata | null | undefined;
  eventGroupMarkers?: temporal.api.sdk.v1.IEventGroupMarker[] | null | undefined;
}

/** Numbers of 64 bits are objects in most messages, and plain numbers in some that were made by hand. */
export function toNumber(value: Long | number | null | undefined): number {
  if (value === null || value === undefined) return 0;
  return typeof value === 'number' ? value : value.toNumber();
}

export function toLong(value: Long | number | null | undefined): Long {
  if (value === null || value === undefined) return Long.ZERO;
  return typeof value === 'number' ? Long.fromNumber(value) : value;
}

/** A field that is left out has this value. */
export function or<T>(value: T | null | undefined, other: T): T {
  return value ?? other;
}

/** As messages are made: what is left out is null. */
export function orNull<T>(value: T | null | undefined): T | null {
  return value ?? null;
}

/** A list without payloads is left out. */
export function intoPayloads(list: Payload[] | null | undefined): Payloads | null {
  return list === null || list === undefined || list.length === 0 ? null : { payloads: list };
}

export function ofPayload(payload: Payload | null | undefined): Payloads | null {
  return payload === null || payload === undefined ? null : { payloads: [payload] };
}

const JSON_PLAIN = Buffer.from('json/plain');

export function jsonPayload(value: unknown): Payload {
  return { metadata: { encoding: JSON_PLAIN }, data: Buffer.from(JSON.stringify(value)) };
}

export function parsePayload(payload: Payload | null | undefined): unknown {
  const data = payload?.data;
  if (data === null || data === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(Buffer.from(data).toString());
    return value;
  } catch {
    return undefined;
  }
}

/** The key of a map of task tokens. */
export function tokenKey(token: Uint8Array | null | undefined): string {
  return token === null || token === undefined ? '' : Buffer.from(token).toString('base64');
}

export type { Timestamp };
