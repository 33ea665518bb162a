import type { Fault } from '../engine/core/failures.js';
import { toPath } from '../engine/core/faults.js';
import { clearCallSecrets } from './call-secrets.js';
import { fieldOf, type ClearPlace } from './clear-values.js';
import { Operation } from './wire/names.js';

/** Whether inputs may hold secrets in clear. */
export type ClearSecrets = 'refuse' | 'allow';

/** Field of a namespace's data in which `gcore-workflows dev` allows secrets in clear, for all clients. */
export const CLEAR_SECRETS_DATA = 'gcore-workflows.clear-secrets';

/** The encoding of payloads that only holders of a key can read: that of this product and of Temporal's samples. */
const ENCRYPTED = 'binary/encrypted';

/** Whether a payload can be read without a key. */
export function isInClear({ metadata }: EncodedPayload): boolean {
  return Buffer.from(metadata?.['encoding'] ?? []).toString() !== ENCRYPTED;
}

interface EncodedPayload {
  metadata?: Readonly<Record<string, Uint8Array>> | null;
}

/**
 * The places of an input where a secret stands in clear, each as a fault. Takes any input, so that these
 * faults can be told together with all others.
 *
 * @param rule what is wrong with it and what to do instead
 */
export function clearSecretFaults(operation: Operation, input: unknown, rule: string): Fault[] {
  return clearPlacesOf(operation, input).map((place) => ({ path: toPath(place), message: rule }));
}

/**
 * A parsed input without the secrets that stand in clear in it: what is derived from the rest gives none of them away.
 */
export function withoutClearSecrets(operation: Operation, input: unknown): unknown {
  if (hasNone(operation)) return input;
  return without(input, clearPlacesOf(operation, input));
}

/** All of them at once: an input may have thousands. */
function without(value: unknown, places: readonly ClearPlace[]): unknown {
  if (!(value instanceof Object) || places.length === 0) return value;
  const below = new Map<PropertyKey, ClearPlace[]>();
  for (const [field, ...rest] of places) {
    if (field === undefined) continue;
    const known = below.get(field);
    if (known === undefined) below.set(field, [rest]);
    else known.push(rest);
  }
  const isLeftOut = (field: PropertyKey): boolean =>
    below.get(field)?.some(({ length }) => length === 0) ?? false;
  if (Array.isArray(value)) {
    return value.map((item: unknown, at) =>
      isLeftOut(at) ? null : without(item, below.get(at) ?? []),
    );
  }
  const entries = Object.entries(value).filter(([name]) => !isLeftOut(name));
  return Object.fromEntries(
    entries.map(([name, inner]) => [name, without(inner, below.get(name) ?? [])]),
  );
}

/** Whatever is set, its schema refuses them too: it may be any call, and error texts of any task. */
function hasNone(operation: Operation): boolean {
  return operation === Operation.callApi;
}

/** Their inputs have the body of an instance. */
const CREATING: ReadonlySet<Operation> = new Set([
  Operation.provisionInstance,
  Operation.replaceInstance,
]);

/** The places themselves: the names and indexes that lead to each. */
export function clearPlacesOf(operation: Operation, input: unknown): ClearPlace[] {
  if (CREATING.has(operation)) {
    const instance = fieldOf(input, 'instance');
    return ['password', 'user_data']
      .filter((name) => typeof fieldOf(instance, name) === 'string')
      .map((name) => ['instance', name]);
  }
  if (operation === Operation.modifyKvStore) {
    return listOf(fieldOf(input, 'items')).flatMap((item, at) =>
      maskedPlaces(item).map((place) => ['items', at, ...place]),
    );
  }
  if (operation === Operation.callApi) return clearCallSecrets(input);
  if (operation === Operation.runBatch) {
    const inner = batchedOperation(fieldOf(input, 'operation'));
    if (inner === undefined) return [];
    const below = (base: ClearPlace, item: unknown) =>
      clearPlacesOf(inner, item).map((place) => [...base, ...place]);
    // The schema looks through each with the defaults, and to look once more takes as long.
    const items = hasNone(inner) ? [] : listOf(fieldOf(input, 'items'));
    return [
      ...below(['defaults'], fieldOf(input, 'defaults')),
      ...items.flatMap((item, at) => below(['items', at], item)),
    ];
  }
  // Videos in an input may have no credentials in clear, whatever is set.
  return [];
}

function batchedOperation(name: unknown): Operation | undefined {
  const found = Object.values(Operation).find((operation) => operation === name);
  return found === Operation.runBatch ? undefined : found;
}

function maskedPlaces(item: unknown): ClearPlace[] {
  const payload = fieldOf(item, 'payload');
  const isMasked = (value: unknown): boolean =>
    fieldOf(value, 'encoding') === 'masked' && typeof fieldOf(value, 'value') === 'string';
  if (!Array.isArray(payload)) return isMasked(payload) ? [['payload', 'value']] : [];
  return listOf(payload).flatMap((value, at) =>
    isMasked(value) ? [['payload', at, 'value']] : [],
  );
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
