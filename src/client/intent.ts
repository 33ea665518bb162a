import { createHmac, randomBytes } from 'node:crypto';

import type { Client, WorkflowExecutionDescription } from '@temporalio/client';
import type { Payload } from '@temporalio/common';

import { intentOf, type Intent } from '../contract/intent.js';
import type { Operation } from '../contract/wire/names.js';
import { toCanonicalJson } from '../engine/core/values.js';
import { MAX_FAULT_BYTES, toPath } from '../engine/core/faults.js';
import { cutText } from '../engine/core/text.js';
import { decodePayloads } from './explain/decode.js';
import { carriedOutBy, correctedInputIn, resumeOf, type HistoryEvent } from './history-events.js';
import { eventsOf } from './history-pages.js';

/** Name of the memo in which a run keeps the digest of its intent. */
export const INTENT_MEMO = 'intentDigest';

/**
 * `<salt>:<HMAC-SHA-256 of the intent>`. The salt keeps equal intents of different runs from being
 * recognised. It does not protect a short password from guessing, and need not: the input itself is in
 * the history of the same run, for the same time.
 */
export function digestIntent(intent: Intent, salt = randomBytes(16).toString('hex')): string {
  return `${salt}:${createHmac('sha256', salt).update(toCanonicalJson(intent)).digest('hex')}`;
}

/** Whether a run has this intent; `undefined` when its memo does not say. */
export function hasIntent(
  memo: Readonly<Record<string, unknown>> | undefined,
  intent: Intent,
): boolean | undefined {
  const digest = memo?.[INTENT_MEMO];
  if (typeof digest !== 'string') return undefined;
  return digest === digestIntent(intent, digest.split(':')[0]);
}

/** A longer list of paths helps nobody. */
const MAX_PATHS = 20;

type Place = readonly PropertyKey[];

/** The first 20 paths at which two values differ, such as `instance.volumes[0].size`. Never names a value. */
export function differingPaths(before: unknown, now: unknown): string[] {
  const places = differences(before, now).slice(0, MAX_PATHS);
  return places.map((at) => cutText(toPath(at), MAX_FAULT_BYTES));
}

/** Looks at each part once, and writes no path: thousands may be long. */
function differences(before: unknown, now: unknown, at: Place = []): Place[] {
  if (before === now) return [];
  if (!(before instanceof Object) || !(now instanceof Object)) return [at];
  if (Array.isArray(before) !== Array.isArray(now)) return [at];
  const [left, right] = [new Map(Object.entries(before)), new Map(Object.entries(now))];
  const toSegment = (key: string): PropertyKey => (Array.isArray(now) ? Number(key) : key);
  return [...new Set([...left.keys(), ...right.keys()])].flatMap((key) =>
    differences(left.get(key), right.get(key), [...at, toSegment(key)]),
  );
}

export type ReadLarge = <T>(read: () => Promise<T>) => Promise<T>;

interface Wish {
  operation: Operation;
  input: unknown;
  /** Makes the read of the history, by default at once. */
  readLarge?: ReadLarge | undefined;
}

/**
 * The paths at which an input differs from the one that a run works on; `undefined` when both are the
 * same request. Empty when they differ and the history, which would show where, is gone. A run whose
 * input was corrected is the same request for both inputs.
 */
export async function findDifferences(
  client: Client,
  run: WorkflowExecutionDescription,
  { operation, input, readLarge = (read) => read() }: Wish,
): Promise<string[] | undefined> {
  if (run.type !== operation) return ['operation'];
  const intent = intentOf(operation, input);
  const isSame = hasIntent(run.memo, intent);
  if (isSame === true) return undefined;
  // The digest may be missing (a client in another language), of an input that was corrected later,
  // or of a client with other defaults.
  const differences = await readLarge(() =>
    lastDifferences(inputsOf(client, run), { operation, intent }),
  );
  // Nothing is known about the earlier input: it counts as the same, as for a start in another language.
  if (differences === undefined) return isSame === undefined ? undefined : [];
  return differences.length === 0 ? undefined : differences;
}

/** Where the last of these inputs differs; nowhere when one of them is the same; `undefined` without any. */
async function lastDifferences(
  earlier: AsyncIterable<unknown>,
  { operation, intent }: { operation: Operation; intent: Intent },
): Promise<string[] | undefined> {
  let differences: string[] | undefined;
  for await (const before of earlier) {
    differences = differingPaths(intentOf(operation, before), intent);
    if (differences.length === 0) break;
  }
  return differences;
}

/** All inputs of a run. A long one continues in a new history, and starts that with its current input. */
export async function* inputsOf(
  client: Client,
  { workflowId, runId, raw }: WorkflowExecutionDescription,
): AsyncGenerator {
  const firstRunId = raw.workflowExecutionInfo?.firstRunId || runId;
  for (const id of new Set([firstRunId, runId]))
    yield* earlierInputs(client, { workflowId, runId: id });
}

/**
 * The input that a run was started with, then each corrected input that it has accepted. None when the history is gone.
 * Reads the whole history, so call it only when the digest differs. Each may have two megabytes: only one is in memory.
 */
export async function* earlierInputs(
  client: Client,
  run: { workflowId: string; runId: string },
): AsyncGenerator {
  const corrections = new Map<string, unknown>();
  const reader = { client, workflowId: run.workflowId };
  for await (const event of eventsOf(client, run)) {
    const started = event.workflowExecutionStartedEventAttributes;
    if (started) yield await decodeFirst(reader, started.input?.payloads);
    const asked = await correctionOf(reader, event);
    if (asked !== undefined) corrections.set(asked.updateId, asked.input);
    const updateId = carriedOutBy(event);
    if (updateId === undefined || !corrections.has(updateId)) continue;
    yield corrections.get(updateId);
    corrections.delete(updateId);
  }
}

interface Reader {
  client: Client;
  workflowId: string;
}

/** The corrected input that an update brings to the run. */
async function correctionOf(
  reader: Reader,
  event: HistoryEvent,
): Promise<{ updateId: string; input: unknown } | undefined> {
  const asked = resumeOf(event);
  if (asked === undefined) return undefined;
  const input = correctedInputIn(await decodeFirst(reader, asked.payloads));
  return input === undefined ? undefined : { updateId: asked.updateId, input };
}

async function decodeFirst(
  { client, workflowId }: Reader,
  payloads: readonly Payload[] | null | undefined,
): Promise<unknown> {
  const { namespace, loadedDataConverter } = client.options;
  const [first] = await decodePayloads(loadedDataConverter, payloads?.slice(0, 1) ?? [], {
    type: 'workflow',
    namespace,
    workflowId,
  });
  return first;
}
