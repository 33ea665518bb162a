import { z } from 'zod';

import type { Fault } from '../engine/core/failures.js';
import {
  firstFaults,
  faultsBelow,
  idFaults,
  inputSizeFaults,
  countValues,
  MAX_FAULTS,
  toPath,
  toPointer,
  unjudgedFault,
} from '../engine/core/faults.js';
import { BATCH_OF, GROUP, isLabelValue, type Labels } from '../engine/core/labels.js';
import { DEFAULT_ACCOUNT } from '../engine/core/names.js';
import { fromRanges } from '../engine/core/number-ranges.js';
import { jsonByteLength } from '../engine/core/text.js';
import { parseInput, type ParsedInput } from '../engine/schema/parse-input.js';
import { itemIdSchema, nameOf } from './batch-names.js';
import { clearSecretsIn } from './clear-values.js';
import { OPERATIONS, operationSchemas, type Operations } from './operations/index.js';
import { partNameFaults } from './part-names.js';
import type { RunBatchInput } from './operations/types.js';
import type { BatchedOperation, BatchTerms } from './wire/batch.js';
import { itemWorkflowId } from './wire/batch.js';

/** An item as the run of its operation takes it. */
export interface BatchItem<O extends BatchedOperation = BatchedOperation> {
  input: Operations[O]['input'];
  /** Its request id. */
  id: string;
}

/** @param requestId of the batch */
export function batchTerms(input: RunBatchInput, requestId: string): BatchTerms {
  const { operation, account = DEFAULT_ACCOUNT, defaults, onBlocked, key } = input;
  const { idPrefix: prefix = requestId } = input;
  const labels = labelsOf(input, prefix);
  return {
    operation,
    account,
    prefix,
    ...(key !== undefined && { key }),
    ...(key === undefined && OPERATIONS[operation].repeat === 'once' && { makes: true }),
    ...(defaults && { defaults }),
    ...(labels && { labels }),
    ...(onBlocked === 'fail' && { onBlocked }),
  };
}

/** A batch and its runs are found together, unless its id cannot be a label. */
function labelsOf({ labels }: RunBatchInput, prefix: string): Labels | undefined {
  if (labels?.[GROUP] !== undefined || !isLabelValue(prefix)) return labels;
  return { [GROUP]: prefix, ...labels };
}

/** What a run is found by: a batch has a group, which its input need not name, and says what its items are. */
export function labelsOfRun(
  input: Operations[keyof Operations]['input'],
  requestId: string,
): Labels | undefined {
  return 'operation' in input ? labelsOfBatch(batchTerms(input, requestId)) : input.labels;
}

export function labelsOfBatch({ labels, operation }: BatchTerms): Labels {
  return { ...labels, [BATCH_OF]: operation };
}

const ownSchema = z.looseObject({ requestId: itemIdSchema.optional() });

/** One item with the defaults of its batch, or every fault of it by path. */
export function parseItem(terms: BatchTerms, given: unknown): ParsedInput<BatchItem> {
  const odd = inputSizeFaults(given);
  if (odd.length > 0) return { ok: false, faults: odd };
  const own = parseInput(ownSchema, given);
  if (!own.ok) return own;
  const { requestId, ...fields } = own.value;
  const input = withTerms(terms, fields);
  const parsed = parseAs(terms.operation, input);
  const faults = [
    ...termFaults(terms, fields),
    ...(requestId === undefined ? [] : idFaults('requestId', requestId)),
    ...(parsed.ok ? [] : parsed.faults),
  ];
  if (!parsed.ok || faults.length > 0) return { ok: false, faults: firstFaults(faults) };
  const name =
    requestId === undefined
      ? nameOf(terms, parsed.value)
      : ({ ok: true, value: requestId } as const);
  if (!name.ok) return name;
  const ofParts = partNameFaults(terms.operation, 'requestId', name.value);
  if (ofParts.length > 0) return { ok: false, faults: ofParts };
  return { ok: true, value: { input: parsed.value, id: name.value } };
}

function parseAs<O extends BatchedOperation>(
  operation: O,
  input: unknown,
): ParsedInput<Operations[O]['input']> {
  return parseInput<Operations[O]['input']>(operationSchemas[operation].input, input);
}

function withTerms(
  { account, defaults = {}, labels, onBlocked }: BatchTerms,
  fields: Readonly<Record<string, unknown>>,
): unknown {
  const common = { account, ...(labels && { labels }), ...(onBlocked && { onBlocked }) };
  return merged(merged(common, defaults), fields);
}

/** The second wins. Lists are replaced as a whole. */
function merged(
  first: Readonly<Record<string, unknown>>,
  second: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const both = Object.entries(second).map(([name, value]): [string, unknown] => {
    const before = Object.hasOwn(first, name) ? first[name] : undefined;
    return [name, isPlain(before) && isPlain(value) ? merged(before, value) : value];
  });
  return { ...first, ...Object.fromEntries(both) };
}

/** The same for one input, whatever it is: the schema judges it. */
export function withDefaults(defaults: Readonly<Record<string, unknown>>, input: unknown): unknown {
  return isPlain(input) ? merged(defaults, input) : input;
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return value instanceof Object && !Array.isArray(value);
}

/** What an item must leave to its batch. */
function termFaults(
  { account, defaults }: BatchTerms,
  fields: Readonly<Record<string, unknown>>,
): Fault[] {
  const { account: own = account, planOnly } = { ...defaults, ...fields };
  return [
    ...(own === account
      ? []
      : [{ path: 'account', message: `must be that of the batch, "${account}", or be left out` }]),
    ...(planOnly === undefined
      ? []
      : [{ path: 'planOnly', message: 'belongs to the batch: plan the batch instead' }]),
  ];
}

/** Finds the items that are the same request, or change the same thing. One for the items of one batch. */
export function createTwinFinder(terms: BatchTerms) {
  const seen = new Map<string, number>();
  return (line: number, { id, input }: BatchItem): Fault[] => {
    const workflowId = itemWorkflowId(terms, { id });
    const names = [workflowId, ...new Set(subjectsOf(terms.operation, input))];
    const first = names.find((name) => seen.has(name));
    for (const name of names) if (!seen.has(name)) seen.set(name, line);
    if (first === undefined) return [];
    const message =
      first === workflowId
        ? `is the same request as item ${seen.get(first)}: both are ${workflowId}. Give each a "requestId" if you mean two`
        : `changes ${first}, as item ${seen.get(first)} does: one batch changes each thing once`;
    return [{ path: '(input)', message }];
  };
}

function subjectsOf<O extends BatchedOperation>(
  operation: O,
  input: Operations[O]['input'],
): readonly string[] {
  return OPERATIONS[operation].subjects(input);
}

/** Every fault of the items in an input. @param base what the items are called in a path */
export function inlineFaults(
  terms: BatchTerms,
  { items = [], lines }: { items?: readonly unknown[] | undefined; lines?: string | undefined },
): Fault[] {
  const tooLarge = repeatedFaults(terms, items.length);
  if (tooLarge.length > 0) return tooLarge;
  const ofItems = listFaults(terms, items);
  const beyond = items.length > 0 && lines !== undefined ? lastOf(lines) > items.length : false;
  const message = `names a line after the last one, which is ${items.length}`;
  return firstFaults([...ofItems, ...(beyond ? [{ path: 'lines', message }] : [])]);
}

/**
 * The same, however long the list is. What comes after enough faults is not judged: a fault of the defaults is one of
 * each item, and judging thousands of them takes a minute.
 */
export function listFaults(terms: BatchTerms, items: readonly unknown[]): Fault[] {
  const twins = createTwinFinder(terms);
  const faults: Fault[] = defaultFaults(terms);
  for (const [at, item] of items.entries()) {
    if (faults.length >= MAX_FAULTS) return [...faults, unjudgedFault(items.length - at, 'item')];
    const parsed = parseItem(terms, item);
    const found = parsed.ok ? twins(at + 1, parsed.value) : parsed.faults;
    faults.push(...faultsBelow(`items[${at}]`, found));
  }
  return faults;
}

const DEFAULT_RULE =
  'may not stand in clear in the defaults: the history of the batch would hold it. Name a secret of the worker, { "$secret": "name" }, where the operation takes one';

/**
 * The history of the batch has the defaults, whatever its items have themselves, and the items of a list by reference are
 * judged when it is too late. What an operation takes in clear, clear-secrets judges.
 */
function defaultFaults({ operation, defaults = {} }: BatchTerms): Fault[] {
  const found = clearSecretsIn(defaults);
  if (found.length === 0) return [];
  const refused = refusedPaths(operationSchemas[operation].input, defaults);
  return found.flatMap((path) => {
    const isRefused = refused.some((one) => isWithin(one, path) || isWithin(path, one));
    return isRefused ? [{ path: toPath(['defaults', ...path]), message: DEFAULT_RULE }] : [];
  });
}

/** Where a value is not as the schema wants it. A fault of the whole says nothing of its parts. */
function refusedPaths(schema: z.ZodType, value: unknown): PropertyKey[][] {
  const issues = schema.safeParse(value).error?.issues ?? [];
  return issues
    .flatMap((issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => [...issue.path, key])
        : [issue.path],
    )
    .filter((path) => path.length > 0);
}

function isWithin(path: readonly PropertyKey[], whole: readonly PropertyKey[]): boolean {
  return whole.every((segment, at) => path[at] === segment);
}

/** Each item is checked together with the defaults: a small request must not cost seconds. */
const MAX_REPEATED_BYTES = 4 * 1024 ** 2;
const MAX_REPEATED_VALUES = 100_000;

function repeatedFaults({ defaults }: BatchTerms, items: number): Fault[] {
  if (defaults === undefined) return [];
  const most = Math.floor(
    Math.min(
      MAX_REPEATED_BYTES / jsonByteLength(defaults),
      MAX_REPEATED_VALUES / Math.max(1, countValues(defaults)),
    ),
  );
  if (items <= most) return [];
  const message = `are too large for ${items} items in the request, at most ${most}: use a manifest, or smaller defaults`;
  return [{ path: 'defaults', message }];
}

function lastOf(lines: string): number {
  return Math.max(...fromRanges(lines));
}

/** One line of a manifest. It is parsed to its item. */
export function itemSchema(terms: BatchTerms): z.ZodType<BatchItem> {
  return z.unknown().transform((given, context) => {
    const parsed = parseItem(terms, given);
    if (parsed.ok) return parsed.value;
    for (const { path, message } of parsed.faults) {
      context.addIssue({ code: 'custom', path: toSegments(path), message });
    }
    return z.NEVER;
  });
}

function toSegments(path: string): (string | number)[] {
  return toPointer(path)
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((token) => (/^\d+$/.test(token) ? Number(token) : token));
}

/** Every fault of the items in the input of a batch, whose request id is not known yet; other inputs have no items. */
export function itemFaults(input: Operations[keyof Operations]['input']): Fault[] {
  return 'operation' in input ? inlineFaults(batchTerms(input, ''), input) : [];
}
