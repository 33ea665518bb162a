import { activityInfo } from '@temporalio/activity';
import type { Payload } from '@temporalio/common';
import type { temporal } from '@temporalio/proto';

import {
  instanceSecrets,
  readSecrets,
  replaceSecrets,
  secretRefsIn,
  sentForms,
  type ApiKeys,
  type FoundSecret,
  type SecretSource,
  type SecretsOfRun,
} from '../activities/index.js';
import type { Codec } from '../codec/codec.js';
import type { SecretRef } from '../contract/wire/secret-ref.js';
import type { CutShortDeps } from './cut-short.js';

/** Below the timeout of the activity, which is repeated. */
const ANSWER_WITHIN_MS = 4_000;
/** The activities that send secrets and start a task. */
const SENDING_ACTIVITIES: ReadonlySet<string> = new Set(['createInstance', 'sendApiCall']);

function isSending(name: string | null | undefined): boolean {
  return SENDING_ACTIVITIES.has(name ?? '');
}

type HistoryEvent = temporal.api.history.v1.IHistoryEvent;
type Payloads = temporal.api.common.v1.IPayloads;

/**
 * Workers of one account see a new value of a secret at different times. A value was the one that was sent if it is older
 * than the first call of the run by at least this time.
 */
const SETTLED_MS = 10 * 60_000;

export interface SecretsOfRunDeps extends CutShortDeps {
  codec: Codec;
  keys: ApiKeys;
  /** Where the secrets are that inputs name; without it a run that names one has no known secrets. */
  secrets?: SecretSource | undefined;
}

/**
 * The secrets that the run of the current activity holds: in its input and in the inputs of its sending
 * activity, where a corrected input shows too. They stand in its history only, so they are read there:
 * an activity that reads a task knows nothing but its id, and runs on any worker at any time. A secret that
 * is named there is read now, which tells what was sent only if it has not changed since.
 * `undefined` when an input is not plain JSON, and when a secret cannot be read or may have changed.
 */
export function createSecretsOfRun(deps: SecretsOfRunDeps): SecretsOfRun {
  return async () => {
    const { workflowExecution } = activityInfo();
    if (workflowExecution === undefined) return deps.keys.all();
    const events = await readEvents(deps, workflowExecution);
    const owner = { namespace: deps.namespace, workflowId: workflowExecution.workflowId };
    const inputs = (await deps.codec.decode(events.flatMap(inputsOf), owner)).map(toValue);
    if (inputs.includes(undefined)) return undefined;
    const sent = await asSent(deps, inputs, firstSendAt(events));
    return sent && [...deps.keys.all(), ...sent];
  };
}

/** What was sent, with the values of the secrets; `undefined` when these may have been others then. */
async function asSent(
  { secrets }: SecretsOfRunDeps,
  inputs: readonly unknown[],
  sentAt: number,
): Promise<string[] | undefined> {
  const instances = inputs.flatMap((input) => partsOf(input, 'instance'));
  const refs = secretRefsIn([instances, inputs.flatMap((input) => partsOf(input, 'body'))]);
  if (refs.length === 0) return instances.flatMap(instanceSecrets);
  if (secrets === undefined) return undefined;
  const lookup = await readSecrets(secrets, refs);
  const read = await Promise.all(refs.map((ref) => unchangedText(lookup(ref), sentAt)));
  const texts = read.filter((text) => text !== undefined);
  if (texts.length < read.length) return undefined;
  const textOf = (ref: SecretRef): string => {
    const found = lookup(ref);
    return found.is === 'found' ? found.text : '';
  };
  const filled = instances.map((instance) => replaceSecrets(instance, textOf));
  return [...sentForms(texts), ...filled.flatMap(instanceSecrets)];
}

async function unchangedText(read: FoundSecret, sentAt: number): Promise<string | undefined> {
  if (read.is !== 'found') return undefined;
  const since = await read.since();
  return since !== undefined && since + SETTLED_MS < sentAt ? read.text : undefined;
}

/**
 * When the first call with a secret was ordered, in milliseconds since the epoch. By the clock of the server, as the time
 * of the activity that asks: it is no local one.
 */
function firstSendAt(events: readonly HistoryEvent[]): number {
  const times = events.flatMap(({ activityTaskScheduledEventAttributes: scheduled, eventTime }) =>
    isSending(scheduled?.activityType?.name) ? [Number(eventTime?.seconds ?? 0) * 1000] : [],
  );
  return Math.min(...times, activityInfo().currentAttemptScheduledTimestampMs);
}

async function readEvents(
  { connection, namespace }: CutShortDeps,
  execution: { workflowId: string; runId: string },
): Promise<HistoryEvent[]> {
  const events: HistoryEvent[] = [];
  let nextPageToken: Uint8Array = new Uint8Array();
  do {
    const request = { namespace, execution, nextPageToken };
    const page = await connection.withDeadline(Date.now() + ANSWER_WITHIN_MS, () =>
      connection.workflowService.getWorkflowExecutionHistory(request),
    );
    events.push(...(page.history?.events ?? []));
    nextPageToken = page.nextPageToken;
  } while (nextPageToken.length > 0);
  return events;
}

/** The arguments of a start or of a sending activity. */
function inputsOf(event: HistoryEvent): Payload[] {
  const {
    workflowExecutionStartedEventAttributes: started,
    activityTaskScheduledEventAttributes: scheduled,
  } = event;
  const sent = isSending(scheduled?.activityType?.name) ? listOf(scheduled?.input) : [];
  return [...listOf(started?.input), ...sent];
}

function listOf(payloads: Payloads | null | undefined): Payload[] {
  return payloads?.payloads ?? [];
}

/** `undefined` for what is not plain JSON. */
function toValue({ metadata, data }: Payload): unknown {
  const isJson = Buffer.from(metadata?.['encoding'] ?? []).toString() === 'json/plain';
  return isJson && data ? JSON.parse(Buffer.from(data).toString()) : undefined;
}

/** The instance that is made, or the body of a call. */
function partsOf(input: unknown, part: string): unknown[] {
  return input instanceof Object && part in input ? [Reflect.get(input, part)] : [];
}
