import { DEFAULT_ACCOUNT } from '../../engine/core/names.js';
import type { Operation } from '../../contract/wire/names.js';
import { operationSchemas, type Operations } from '../../contract/operations/index.js';
import { parseInput } from '../../engine/schema/parse-input.js';
import { OPERATIONS } from '../operations/index.js';

/** The part of an input that two starts of one request must share; see `intentOf`. */
export type Intent = Readonly<Record<string, unknown>>;

/** These fields say how a run waits, whom it tells or how it deals with a broken rest, not what it makes. */
const NOT_COUNTED = ['planOnly', 'onBlocked', 'deadline', 'notify', 'replaceBroken'];

/**
 * The part of an input that two starts of one request must share. A default that is written out counts
 * like one that is left out. The defaults of a worker (`projectId`, `regionId`) are unknown here, so a
 * caller must always write them out, or never.
 */
export function intentOf(operation: Operation, input: unknown): Intent {
  return contentOf(operation, input, [...NOT_COUNTED, ...(OPERATIONS[operation].joinsWith ?? [])]);
}

/** All that an input says, but for these fields. Defaults count as in `intentOf`. */
export function contentOf(
  operation: Operation,
  input: unknown,
  without: readonly PropertyKey[] = [],
): Intent {
  const { defaults = {} } = OPERATIONS[operation];
  const given: unknown = normalized(operation, input) ?? input;
  // A client in another language may have sent anything.
  if (!(given instanceof Object)) return { input: given };
  const ignored = new Set(without);
  const counted = Object.entries(given).filter(
    ([key, value]) => value !== undefined && !ignored.has(key),
  );
  return { account: DEFAULT_ACCOUNT, ...defaults, ...Object.fromEntries(counted) };
}

function normalized<O extends Operation>(
  operation: O,
  input: unknown,
): Operations[O]['input'] | undefined {
  const { normalize } = OPERATIONS[operation];
  const parsed = parseInput(operationSchemas[operation].input, input);
  return parsed.ok ? (normalize?.(parsed.value) ?? parsed.value) : undefined;
}
