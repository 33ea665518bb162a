import { parseJson } from '../../contract/json/parse-json.js';
import { isSecretRef, type SecretRef } from '../../contract/wire/secret-ref.js';
import { textFault } from '../../engine/core/text-faults.js';
import type { FoundSecret, SecretSource } from './secret-source.js';

/** Shorter than a heartbeat timeout: no activity counts as dead while it reads secrets. */
const READ_WITHIN_MS = 20_000;
/** Reads of one place at a time. */
const MAX_CONCURRENT = 8;

/** What was read of a secret. */
export type SecretLookup = (ref: SecretRef) => FoundSecret;

/** The secrets that a value names, each once. */
export function secretRefsIn(value: unknown): SecretRef[] {
  const refs = new Map<string, SecretRef>();
  const walk = (inner: unknown): void => {
    if (isSecretRef(inner)) refs.set(JSON.stringify([inner.$secret, inner.key]), inner);
    else if (inner instanceof Object) Object.values(inner).forEach(walk);
  };
  walk(value);
  return [...refs.values()];
}

/** Reads each secret once, however often it is named. Rejects only when `cancelled` aborts. */
export async function readSecrets(
  source: SecretSource,
  refs: readonly SecretRef[],
  cancelled: AbortSignal = new AbortController().signal,
): Promise<SecretLookup> {
  const signal = AbortSignal.any([AbortSignal.timeout(READ_WITHIN_MS), cancelled]);
  const found = new Map<string, FoundSecret>();
  const waiting = [...new Set(refs.map(({ $secret: name }) => name))];
  const read = async (): Promise<void> => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      cancelled.throwIfAborted();
      found.set(name, await readOne(source, name, signal));
    }
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT }, read));
  return ({ $secret: name, key }) => {
    const secret = found.get(name) ?? SLOW;
    return secret.is === 'found' && key !== undefined ? fieldOf(secret, key) : secret;
  };
}

const SLOW = { is: 'away', why: `no answer within ${READ_WITHIN_MS / 1000} seconds` } as const;

/** The error of a place may say anything, so only its name is passed on. */
async function readOne(
  source: SecretSource,
  name: string,
  signal: AbortSignal,
): Promise<FoundSecret> {
  if (hasAborted(signal)) return SLOW;
  try {
    return await source.read(name, signal);
  } catch (error) {
    if (hasAborted(signal)) return SLOW;
    return { is: 'away', why: error instanceof Error ? error.name : 'an unknown error' };
  }
}

/** A function, because a signal may abort between two looks. */
function hasAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}

/** The field of a secret that is a JSON object. A message of the parser would quote the secret. */
function fieldOf({ text, since }: Extract<FoundSecret, { is: 'found' }>, key: string): FoundSecret {
  const json = parseJson(text);
  if (!json.ok && json.isJson)
    return { is: 'unfit', why: 'is JSON with a name twice, or too deep' };
  const fields = json.ok ? toFields(json.value) : undefined;
  if (fields === undefined) return { is: 'unfit', why: 'is not a JSON object, so it has no "key"' };
  const value = fields.get(key);
  if (value === undefined) {
    return { is: 'unreadable', why: 'has no such key', advice: 'Add the key to its JSON object.' };
  }
  if (typeof value !== 'string') return { is: 'unfit', why: 'must be a text' };
  const why = textFault(value);
  if (why !== undefined) return { is: 'unfit', why };
  return { is: 'found', text: value, since };
}

function toFields(json: unknown): Map<string, unknown> | undefined {
  const isObject = json instanceof Object && !Array.isArray(json);
  return isObject ? new Map(Object.entries(json)) : undefined;
}

/** A copy of the value in which texts stand where secrets were named. */
export function replaceSecrets(value: unknown, textOf: (ref: SecretRef) => string): unknown {
  if (isSecretRef(value)) return textOf(value);
  if (Array.isArray(value)) return value.map((inner: unknown) => replaceSecrets(inner, textOf));
  if (!(value instanceof Object)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, replaceSecrets(inner, textOf)]),
  );
}
