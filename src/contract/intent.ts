import { DEFAULT_ACCOUNT } from '../engine/core/names.js';
import { parseInput } from '../engine/schema/parse-input.js';
import { operationSchemas, OPERATIONS, type Operations } from './operations/index.js';
import type { Operation } from './wire/names.js';

/** The part of an input that two starts of one request must share; see `intentOf`. */
export type Intent = Readonly<Record<string, unknown>>;

/** These fields say how a run waits, how it is found, whom it tells or how it deals with a broken rest, not what it makes. */
const NOT_COUNTED = ['planOnly', 'onBlocked', 'deadline', 'labels', 'notify', 'replaceBroken'];

/**
 * The part of an input that two starts of one request must share. A default that is written out counts
 * like one that is left out. The defaults of a worker (`projectId`, `regionId`) are unknown here, so a
 * caller must always write them out, or never.
 */
export function intentOf(operation: Operation, input: unknown): Intent {
  return contentOf(operation, input, notCounted(operation));
}

/** The same of an input that is parsed. */
export function parsedIntentOf<O extends Operation>(
  operation: O,
  input: Operations[O]['input'],
): Intent {
  return countedOf(operation, toOneForm(operation, input), notCounted(operation));
}

function notCounted(operation: Operation): PropertyKey[] {
  return [...NOT_COUNTED, ...(OPERATIONS[operation].joinsWith ?? [])];
}

/** All that an input says, but for these fields. Defaults count as in `intentOf`. */
export function contentOf(
  operation: Operation,
  input: unknown,
  without: readonly PropertyKey[] = [],
): Intent {
  return countedOf(operation, normalized(operation, input) ?? input, without);
}

function normalized<O extends Operation>(
  operation: O,
  input: unknown,
): Operations[O]['input'] | undefined {
  const parsed = parseInput<Operations[O]['input']>(operationSchemas[operation].input, input);
  return parsed.ok ? toOneForm(operation, parsed.value) : undefined;
}

function toOneForm<O extends Operation>(
  operation: O,
  input: Operations[O]['input'],
): Operations[O]['input'] {
  return OPERATIONS[operation].normalize?.(input) ?? input;
}

function countedOf(operation: Operation, given: unknown, without: readonly PropertyKey[]): Intent {
  const { defaults = {} } = OPERATIONS[operation];
  // A client in another language may have sent anything.
  if (!(given instanceof Object)) return { input: given };
  const ignored = new Set(without);
  const counted = Object.entries(given).filter(
    ([key, value]) => value !== undefined && !ignored.has(key),
  );
  return { account: DEFAULT_ACCOUNT, ...defaults, ...Object.fromEntries(counted) };
}
