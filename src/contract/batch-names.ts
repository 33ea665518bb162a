/** How items are named that bring no request id. */
import { z } from 'zod';

import { digestOf } from '../engine/core/digest.js';
import { idFaults } from '../engine/core/faults.js';
import { toCanonicalJson } from '../engine/core/values.js';
import type { ParsedInput } from '../engine/schema/parse-input.js';
import { withoutClearSecrets } from './clear-secrets.js';
import { parsedIntentOf } from './intent.js';
import { OPERATIONS, type Operations } from './operations/index.js';
import { itemWorkflowId, type BatchedOperation, type BatchTerms } from './wire/batch.js';

/** All request ids of the items fit into one payload. */
const MAX_ID_LENGTH = 100;

export const itemIdSchema = z
  .string({ error: 'must be a text or a number' })
  .min(1, { error: 'must not be empty' })
  .max(MAX_ID_LENGTH, { error: `must have at most ${MAX_ID_LENGTH} characters` });

/**
 * The request id of an item that brings none: as its operation names it, or the value of its key, or what it says. A line
 * may move in its list, so its place is no name.
 */
export function nameOf<O extends BatchedOperation>(
  terms: BatchTerms & { operation: O },
  input: Operations[O]['input'],
): ParsedInput<string> {
  const { operation, key } = terms;
  const { requestId } = OPERATIONS[operation];
  if (requestId !== 'from caller') return { ok: true, value: requestId(input) };
  if (key === undefined) {
    const said = withoutClearSecrets(operation, parsedIntentOf(operation, input));
    return { ok: true, value: `${startOf(terms)}-${digestOf(toCanonicalJson(said))}` };
  }
  const value = key.split('.').reduce<unknown>((at, field) => fieldOf(at, field), input);
  const id = typeof value === 'number' ? String(value) : value;
  const parsed = itemIdSchema.safeParse(id);
  const faults = parsed.success
    ? idFaults(key, parsed.data)
    : [{ path: key, message: `names the item: ${parsed.error.issues[0]?.message}` }];
  return parsed.success && faults.length === 0
    ? { ok: true, value: parsed.data }
    : { ok: false, faults };
}

function fieldOf(value: unknown, field: string): unknown {
  return value instanceof Object
    ? new Map<string, unknown>(Object.entries(value)).get(field)
    : undefined;
}

/** Of a longer one, all ids together would not fit into one payload. */
const MAX_START_LENGTH = 80;

function startOf({ prefix }: Pick<BatchTerms, 'prefix'>): string {
  return prefix.length <= MAX_START_LENGTH ? prefix : digestOf(prefix);
}

/** What the request ids begin with of the items that are named by what they say. */
export function startOfNames(terms: Pick<BatchTerms, 'prefix'>): string {
  return `${startOf(terms)}-`;
}

/** Whether an item is named by what it says. */
export function isNamedByContent(terms: Pick<BatchTerms, 'prefix'>, id: string): boolean {
  const start = startOfNames(terms);
  return id.startsWith(start) && /^[0-9a-f]{16}$/.test(id.slice(start.length));
}

interface ChangedLine {
  line: number;
  message: string;
}

/**
 * The lines that may be a changed form of one that has made something: nobody has tried them before, and the list lacks
 * lines that have.
 * @param ids of all lines, in their order
 * @param named by the tries of this batch before: whether something of it is there, or may be
 */
export function changedLines(
  terms: BatchTerms,
  ids: readonly string[],
  named: ReadonlyMap<string, boolean>,
): ChangedLine[] {
  const listed = new Set(ids);
  const lost = [...named].flatMap(([id, isMade]) => (isMade && !listed.has(id) ? [id] : []));
  const [first] = lost;
  if (first === undefined) return [];
  const others = lost.length === 1 ? '' : ` and ${lost.length - 1} others`;
  const message = `is new here, and may be a changed form of one that is made, or may be: the list lacks the line of ${itemWorkflowId(terms, { id: first })}${others}. Put back what is made as it was, or give what is new a batch of its own`;
  return ids.flatMap((id, at) =>
    isNamedByContent(terms, id) && !named.has(id) ? [{ line: at + 1, message }] : [],
  );
}
