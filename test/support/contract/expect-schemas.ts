import type { Client } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import type { temporal } from '@temporalio/proto';

import { FailureType } from '../../../src/engine/core/failures.js';
import { operationSchemas } from '../../../src/contract/operations/index.js';
import { schemaErrors } from './schema-errors.js';

type Payloads = temporal.api.common.v1.IPayloads | null | undefined;
type Event = temporal.api.history.v1.IHistoryEvent | undefined;

/** Fails when a run was given, or has answered, what the JSON Schemas of its operation refuse. */
export async function expectSchemas(client: Client, workflowIds: readonly string[]): Promise<void> {
  const errors = await Promise.all(workflowIds.map((id) => errorOf(client, id)));
  const found = errors.filter((error) => error !== undefined);
  if (found.length > 0) throw new Error(found.join('\n'));
}

async function errorOf(client: Client, workflowId: string): Promise<string | undefined> {
  const { events } = await client.workflow.getHandle(workflowId).fetchHistory();
  const [first] = events ?? [];
  const started = first?.workflowExecutionStartedEventAttributes;
  const operation = started?.workflowType?.name ?? '';
  if (!(operation in operationSchemas)) return undefined;
  const run = { operation, input: firstOf(started?.input), last: events?.at(-1) };
  const error = errorOfEnd(run) ?? errorOfInput(run);
  return error === undefined ? undefined : `${workflowId}: ${error}`;
}

interface EndedRun {
  operation: string;
  input: unknown;
  last: Event;
}

function errorOfInput({ operation, input, last }: EndedRun): string | undefined {
  return isRefused(last) ? undefined : schemaErrors(`${operation}.input`, input);
}

function errorOfEnd({ operation, input, last }: EndedRun): string | undefined {
  const completed = last?.workflowExecutionCompletedEventAttributes;
  if (completed) {
    const isPlan = input instanceof Object && 'planOnly' in input && input.planOnly === true;
    return schemaErrors(isPlan ? 'planned' : `${operation}.result`, firstOf(completed.result));
  }
  const failure = last?.workflowExecutionFailedEventAttributes?.failure;
  const info = failure?.applicationFailureInfo;
  if (!info) return undefined;
  const { type, details } = info;
  return schemaErrors('failure', { type, message: failure.message, details: firstOf(details) });
}

/** What the schemas refuse, the product must refuse too. */
function isRefused(last: Event): boolean {
  const failure = last?.workflowExecutionFailedEventAttributes?.failure;
  return failure?.applicationFailureInfo?.type === FailureType.invalidInput;
}

function firstOf(payloads: Payloads): unknown {
  const [payload] = payloads?.payloads ?? [];
  return payload && defaultPayloadConverter.fromPayload(payload);
}
