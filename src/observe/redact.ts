import { types } from 'node:util';

import {
  AT_TOP,
  secretValuesOf,
  standingOf,
  type Standing,
} from '../contract/wire/secret-fields.js';
import { hideSecretsIn } from '../contract/wire/secret-texts.js';
import { withoutKnownSecrets } from './known-secrets.js';

const MAX_DEPTH = 8;
const MAX_ITEMS = 100;
const MAX_VALUES = 1_000;
const MAX_TEXT = 8_000;

/** A text without what looks like a secret or is known as one. */
export function withoutSecrets(text: string): string {
  return hideSecretsIn(withoutKnownSecrets(text));
}

/** The same for a log line or a span: not longer than that takes. */
export function redactText(text: string): string {
  // Redact before cutting: a cut through a secret would leave its beginning.
  const clean = withoutSecrets(text);
  return clean.length > MAX_TEXT ? `${clean.slice(0, MAX_TEXT)}…` : clean;
}

/** The fields with a plain name of an object. */
export function redactFields(value: object): Record<string, unknown> {
  return fieldsOf(value, { depth: 0, budget: { left: MAX_VALUES }, at: AT_TOP });
}

/** How deep a value is, and how many more may be copied: objects may refer to each other in circles. */
interface Place {
  depth: number;
  budget: { left: number };
  at: Standing;
}

function redact(value: unknown, { depth, budget, at }: Place): unknown {
  budget.left -= 1;
  if (typeof value !== 'object' || value === null) return redactPlain(value);
  if (depth >= MAX_DEPTH || budget.left <= 0) return '[cut]';
  const inside = { depth: depth + 1, budget, at };
  // Errors of workflows come from another realm, where `instanceof` does not know them.
  if (types.isNativeError(value)) return redactError(value, inside);
  if (types.isDate(value)) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  return Array.isArray(value) ? redactItems(value, inside) : fieldsOf(value, inside);
}

function redactPlain(value: unknown): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value === 'bigint') return value.toString();
  return typeof value === 'function' || typeof value === 'symbol' ? undefined : value;
}

function redactItems(items: readonly unknown[], inside: Place): unknown[] {
  const shown = items.slice(0, MAX_ITEMS).map((item) => redact(item, inside));
  return items.length > MAX_ITEMS ? [...shown, `and ${items.length - MAX_ITEMS} more`] : shown;
}

function fieldsOf(value: object, inside: Place): Record<string, unknown> {
  const shown: Record<string, unknown> = {};
  const paired = secretValuesOf(value);
  for (const [name, field] of Object.entries(value).slice(0, MAX_ITEMS)) {
    const at = standingOf(name, inside.at);
    if (at.isSecret || paired.has(name)) continue;
    const clean = redact(field, { ...inside, at });
    if (clean !== undefined) shown[redactText(name)] = clean;
  }
  return shown;
}

/** Fields of a failure's details that say where it happened; see `FailureDetails`. */
const PLACES = ['step', 'method', 'path', 'status', 'code', 'requestId', 'taskId'] as const;

/** The other fields of an error hold requests, headers and bodies of libraries. */
function redactError(error: Error, inside: Place): Record<string, unknown> {
  const details: unknown = Reflect.get(error, 'details');
  const first: unknown = Array.isArray(details) ? details[0] : undefined;
  return dropUndefined({
    name: redactText(error.name),
    message: redactText(error.message),
    type: textOf(Reflect.get(error, 'type')),
    code: textOf(Reflect.get(error, 'code')),
    ...placesOf(first),
    cause: error.cause === undefined ? undefined : redact(error.cause, inside),
  });
}

function placesOf(details: unknown): Record<string, unknown> {
  if (typeof details !== 'object' || details === null) return {};
  return dropUndefined(
    Object.fromEntries(PLACES.map((name) => [name, textOf(Reflect.get(details, name))])),
  );
}

function textOf(value: unknown): string | number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' ? redactText(value) : undefined;
}

function dropUndefined(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** The first id of a request to the API that a logged error names, however deep. */
export function requestIdIn(value: unknown, depth = 0): string | undefined {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return undefined;
  const own: unknown = Reflect.get(value, 'requestId');
  if (typeof own === 'string') return own;
  return requestIdIn(Reflect.get(value, 'cause'), depth + 1);
}
