import { ApplicationFailure } from '@temporalio/common';

import { parseJson } from '../../contract/parse-json.js';
import {
  describeSecret,
  isSecretRef,
  type SecretPlace,
  type SecretRef,
} from '../../contract/wire/secret-ref.js';
import { FailureType, type FailureDetails } from '../../engine/core/failures.js';
import { textFault } from '../../engine/core/faults.js';

/** More names than a plan checks. */
const MAX_NAMES = 501;

/** The first secrets that the lines of a manifest name, each once. */
export function createSecretNames() {
  const seen = new Map<string, SecretPlace>();
  return {
    note(line: unknown): void {
      for (const ref of secretRefsIn(line)) {
        if (seen.size >= MAX_NAMES) return;
        const id = JSON.stringify([ref.$secret, ref.key]);
        if (!seen.has(id)) seen.set(id, { path: 'manifest', ref });
      }
    },
    found: (): { secrets?: SecretPlace[] } =>
      seen.size === 0 ? {} : { secrets: [...seen.values()] },
  };
}

/** What a place that keeps secrets says about one of them. Only `text` shows the value. */
export type FoundSecret =
  | {
      is: 'found';
      text: string;
      /** Since when it has had this value, in milliseconds since the epoch; `undefined` when nobody knows. */
      since: () => Promise<number | undefined>;
    }
  /** A person has to create it. `advice`: where. */
  | { is: 'missing'; advice: string }
  /** It is there, but a person has to mend something before the worker can read it. */
  | { is: 'unreadable'; why: string; advice: string }
  /** It can never be sent as it is: it is too long, or no text. */
  | { is: 'unfit'; why: string }
  /** The place does not answer. */
  | { is: 'away'; why: string };

/** Where the worker finds secrets by their name: files, variables, a vault. */
export interface SecretSource {
  /** Ends early when the signal aborts. */
  read(name: string, signal: AbortSignal): Promise<FoundSecret>;
}

/** A longer text is no secret: a value of a KV store, the longest of all, has 1 MiB. */
export const MAX_SECRET_BYTES = 1_572_864;

/** Of a worker without any secrets. */
export const NO_SECRETS_HERE: SecretSource = {
  read: () => {
    const advice = 'This worker has no secrets: set GCORE_SECRETS_DIR (docs/secure.md).';
    return Promise.resolve({ is: 'missing', advice });
  },
};

/** A secret by its name that has no value now. */
export interface Lack {
  ref: SecretRef;
  read: Exclude<FoundSecret, { is: 'found' | 'unfit' }>;
}

/** Secrets that a message names. */
const MAX_NAMED = 10;
const WAIT = 'Nothing to do: it is read again until its place answers.';

/**
 * The failure of a call that was not sent, because it lacks a secret. A person has to mend what is
 * missing; a place that does not answer is only waited for.
 */
export function lackFailure(lacks: readonly Lack[]): ApplicationFailure {
  const mendable = lacks.filter(({ read }) => read.is !== 'away');
  const isAway = mendable.length === 0;
  const shown = isAway ? lacks : mendable;
  const named = shown.slice(0, MAX_NAMED).map(describeLack).join('; ');
  const more = shown.length > MAX_NAMED ? `; and ${shown.length - MAX_NAMED} more` : '';
  const advice = shown.slice(0, 1).map(adviceOf).join('');
  return ApplicationFailure.create({
    type: isAway ? FailureType.serviceUnavailable : FailureType.secretUnavailable,
    nonRetryable: !isAway,
    message: `Not sent: ${named}${more}. ${advice}`,
    details: [{ advice } satisfies FailureDetails],
  });
}

/** For a message: `the secret "web-admin" does not exist`. */
export function describeLack({ ref, read }: Lack): string {
  const name = describeSecret(ref);
  if (read.is === 'missing') return `${name} does not exist`;
  return read.is === 'away' ? `${name} could not be read (${read.why})` : `${name} ${read.why}`;
}

export function adviceOf({ read }: Lack): string {
  return read.is === 'away' ? WAIT : read.advice;
}

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
