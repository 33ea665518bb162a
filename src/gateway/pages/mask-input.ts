import { z } from 'zod';

import { COMMON_SHOWN } from '../../contract/operations/common-input.js';
import { OPERATIONS, operationSchemas } from '../../contract/operations/index.js';
import { BATCHED_OPERATIONS } from '../../contract/operations/run-batch.js';
import { SECRET_NAME } from '../../contract/secret-ref-schema.js';
import { Operation } from '../../contract/wire/names.js';
import { isSecretRef, type SecretRef } from '../../contract/wire/secret-ref.js';
import { HIDDEN } from '../../contract/wire/secret-texts.js';
import { withoutSecrets } from '../../observe/redact.js';

/**
 * An input for a reader who may see runs, but not their secrets: the values that the definition of the operation shows,
 * without what looks like a credential in them, and the names of the other fields. So a new field is hidden. The name of a
 * secret stays. Takes any input: that of another client may have any form.
 */
export function maskInput(operation: Operation, input: unknown): unknown {
  return mask(input, maskOf(operation, input));
}

/** What is shown at a place and below it. */
interface Shown {
  isShown: boolean;
  below: Map<string, Shown>;
}

interface Mask {
  shown: Shown;
  /** Fields that the operation has somewhere: any other name may be a secret itself. */
  names: ReadonlySet<string>;
}

const masks = new Map<string, Mask>();

/** Of a batch also that of its items. */
function maskOf(operation: Operation, input: unknown): Mask {
  const items = operation === Operation.runBatch ? itemsOf(input) : undefined;
  const id = `${operation} ${items ?? ''}`;
  const known = masks.get(id) ?? createMask(operation, items);
  masks.set(id, known);
  return known;
}

function itemsOf(input: unknown): Operation | undefined {
  const named: unknown = input instanceof Object ? Reflect.get(input, 'operation') : undefined;
  return BATCHED_OPERATIONS.find((one) => one === named);
}

function createMask(operation: Operation, items: Operation | undefined): Mask {
  const names = new Set<string>();
  const shown: Shown = { isShown: false, below: new Map() };
  addNames(operation, names);
  for (const path of shownBy(operation)) show(shown, path);
  if (items !== undefined) {
    addNames(items, names.add('requestId'));
    const paths = ['requestId', ...shownBy(items)];
    for (const path of paths)
      for (const list of ['items', 'defaults']) show(shown, `${list}.${path}`);
  }
  return { shown, names };
}

function shownBy(operation: Operation): readonly string[] {
  return [...COMMON_SHOWN, ...OPERATIONS[operation].shows];
}

function show(top: Shown, path: string): void {
  let at = top;
  for (const name of path.split('.')) {
    const next = at.below.get(name) ?? { isShown: false, below: new Map<string, Shown>() };
    at.below.set(name, next);
    at = next;
  }
  at.isShown = true;
}

/** Every name of a field in the schema of an input. */
function addNames(operation: Operation, names: Set<string>): void {
  const open: unknown[] = [z.toJSONSchema(operationSchemas[operation].input, { io: 'input' })];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (!(next instanceof Object)) continue;
    const entries: [string, unknown][] = Object.entries(next);
    for (const [name, value] of entries) {
      if (name === 'properties' && value instanceof Object) {
        for (const field of Object.keys(value)) names.add(field);
      }
      open.push(value);
    }
  }
}

/** As deep as `shown` goes, and no deeper. */
function mask(value: unknown, { shown, names }: Mask): unknown {
  if (value === null || value === undefined) return value;
  if (isSecretRef(value)) return onlyName(value);
  if (Array.isArray(value))
    return value.map((item) => (Array.isArray(item) ? HIDDEN : mask(item, { shown, names })));
  if (typeof value === 'object') return maskFields(value, { shown, names });
  if (!shown.isShown) return HIDDEN;
  return typeof value === 'string' ? withoutSecrets(value) : value;
}

function maskFields(value: object, { shown, names }: Mask): unknown {
  if (shown.below.size === 0) return HIDDEN;
  const given: [string, unknown][] = Object.entries(value);
  const fields: [string, unknown][] = [];
  let others = 0;
  for (const [name, inner] of given) {
    const next = shown.below.get(name) ?? shown.below.get('*');
    if (next !== undefined) fields.push([name, mask(inner, { shown: next, names })]);
    else if (!names.has(name)) others += 1;
    else fields.push([name, isSecretRef(inner) ? onlyName(inner) : hidden(inner)]);
  }
  const rest = others === 0 ? [] : [['(other fields)', others] as const];
  return Object.fromEntries([...fields, ...rest]);
}

function hidden(value: unknown): unknown {
  return value === null ? null : HIDDEN;
}

/** Whatever else a client has put there. */
function onlyName({ $secret: name, key }: SecretRef): unknown {
  if (!SECRET_NAME.test(name)) return HIDDEN;
  return { $secret: name, ...(key !== undefined && { key: withoutSecrets(key) }) };
}
