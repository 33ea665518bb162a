import { jsonByteLength, cutText, plural } from './text.js';
import type { Fault } from './failures.js';
import type { PlanFinding } from '../schema/documents.js';

/** More faults help nobody, and the failure must fit into a history. */
export const MAX_FAULTS = 20;
export const MAX_FAULT_BYTES = 500;

/**
 * The first faults with short texts, and one that counts the rest.
 *
 * @param count number of all faults, when `faults` has only some.
 */
export function firstFaults(faults: readonly Fault[], count = countFaults(faults)): Fault[] {
  const first = faults
    .filter((fault) => fault.count === undefined)
    .slice(0, MAX_FAULTS)
    .map(({ path, message }) => ({
      path: cutText(path, MAX_FAULT_BYTES),
      message: cutText(message, MAX_FAULT_BYTES),
    }));
  // What nobody has judged.
  const notes = faults.filter((fault) => fault.count === 0);
  const rest = count - first.length;
  if (rest <= 0) return [...first, ...notes];
  const message = rest === 1 ? 'one more fault' : `${rest.toLocaleString('en')} more faults`;
  return [...first, { path: '…', message, count: rest }, ...notes];
}

/** Says of the rest of a list that nobody has judged it: it may have no fault. */
export function unjudgedFault(count: number, noun: string): Fault {
  return { path: '…', message: `${plural(count, noun)} after these were not judged`, count: 0 };
}

/** How many faults these are, with those that are only counted. */
export function countFaults(faults: readonly Fault[]): number {
  return faults.reduce((sum, { count = 1 }) => sum + count, 0);
}

/** One line per fault, for a person. */
export function formatFaults(faults: readonly Fault[]): string {
  return faults.map((fault) => `  ${fault.path}: ${fault.message}`).join('\n');
}

/** The path of a whole input. */
const WHOLE = '(input)';

/** A name that reads as itself between two dots. Others are quoted, as JSON. */
const PLAIN = /^[^.[\]"\\\p{Cc}\p{Cs}]+$/u;

/** `['instance', 'interfaces', 0, 'type']` → `instance.interfaces[0].type`; `['tags', 'a.b']` → `tags["a.b"]` */
export function toPath(segments: readonly PropertyKey[]): string {
  return segments.reduce(pathBelow, '') || WHOLE;
}

/** Of a longer name a fault shows no more. Thousands of faults may repeat the one above them. */
const MAX_NAME_LENGTH = MAX_FAULT_BYTES;

/** @param path empty for the whole input */
export function pathBelow(path: string, segment: PropertyKey): string {
  if (typeof segment === 'number') return `${path}[${segment}]`;
  const name = shortName(String(segment));
  if (!PLAIN.test(name) || name === WHOLE) return `${path}[${JSON.stringify(name)}]`;
  return path === '' ? name : `${path}.${name}`;
}

function shortName(name: string): string {
  if (name.length <= MAX_NAME_LENGTH) return name;
  return `${name.slice(0, MAX_NAME_LENGTH).toWellFormed()}…`;
}

/** The faults of a part of an input, with their paths in the whole. */
export function faultsBelow(base: string, faults: readonly Fault[]): Fault[] {
  return faults.map((fault) => {
    const { path, count } = fault;
    if (count !== undefined) return fault;
    if (path === WHOLE) return { ...fault, path: base };
    return { ...fault, path: path.startsWith('[') ? `${base}${path}` : `${base}.${path}` };
  });
}

/** A name, an index, or a quoted name. */
const TOKEN = /\.?([^.[]+)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/y;

/** The JSON Pointer (RFC 6901) of a path. What is no path, such as one that was cut, is kept as the last name. */
export function toPointer(path: string): string {
  const tokens: string[] = [];
  for (let at = 0; at < path.length && path !== WHOLE;) {
    TOKEN.lastIndex = at;
    const [whole, name, index, quoted] = TOKEN.exec(path) ?? [];
    const rest = path.slice(at);
    tokens.push(name ?? index ?? (quoted === undefined ? rest : unquoted(quoted)));
    at += (whole ?? rest).length;
  }
  return tokens.map((token) => `/${token.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

function unquoted(text: string): string {
  try {
    return String(JSON.parse(text));
  } catch {
    return text;
  }
}

/** A fault of the input, as a finding of a plan. The client and the worker show it alike. */
export function faultFinding({ path, message }: Fault): PlanFinding & { severity: 'fault' } {
  return { severity: 'fault', path, message, advice: 'Correct this field of the input.' };
}

/** Half a pair: JSON can write it as `\ud800`, but UTF-8 cannot, so no API call could carry it. */
const HALF_OF_A_PAIR = /\p{Surrogate}/u;

/**
 * What is wrong with one text: where half of a surrogate pair is; `undefined` for well-formed Unicode. Free of
 * zod, and repeats nothing of the text.
 */
export function textFault(text: string): string | undefined {
  if (text.isWellFormed()) return undefined;
  const at = text.search(HALF_OF_A_PAIR) + 1;
  return `has half of a surrogate pair at character ${at}, which is no Unicode: correct the program that wrote it`;
}

/**
 * Texts and names of fields, at any depth, that are no Unicode or could not be kept: by path, at most 20 of them.
 */
export function textFaults(value: unknown): Fault[] {
  const faults: Fault[] = [];
  const note = (path: () => readonly (string | number)[], fault: string): void => {
    if (faults.length < MAX_FAULTS) faults.push({ path: toPath(path()), message: fault });
  };
  // A stack of its own: a function that calls itself would run out of it.
  const open: Place[] = [{ value, above: undefined, segment: '' }];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { value: found } = place;
    const here = place;
    if (typeof found === 'string') {
      const fault = textFault(found);
      if (fault !== undefined) note(() => segmentsOf(here), fault);
    } else if (typeof found === 'object' && found !== null) {
      const isList = Array.isArray(found);
      for (const [name, inner] of Object.entries(found).reverse()) {
        const fault = isList ? undefined : nameFault(name);
        // A path that repeats the name would not be Unicode either.
        if (fault !== undefined) note(() => segmentsOf(here), fault);
        open.push({ value: inner, above: place, segment: isList ? Number(name) : name });
      }
    }
  }
  return faults;
}

function nameFault(name: string): string | undefined {
  // zod leaves it out of a record without a word: the prototype of an object has that name.
  if (name === '__proto__') return 'has the name __proto__, which nothing can be called';
  const fault = textFault(name);
  return fault === undefined ? undefined : `has a name that ${fault}`;
}

interface Place {
  value: unknown;
  above: Place | undefined;
  segment: string | number;
}

function segmentsOf(place: Place): readonly (string | number)[] {
  const segments: (string | number)[] = [];
  for (let at = place; at.above !== undefined; at = at.above) {
    const { segment } = at;
    segments.unshift(typeof segment === 'string' ? segment.toWellFormed() : segment);
  }
  return segments;
}

/** Temporal accepts payloads of 2 MiB. */
const MAX_INPUT_BYTES = 2_000_000;
/** Far more than any body of the API has, and far less than JSON can write. */
const MAX_DEPTH = 100;
/** Items of lists and members of objects, all of them: 6,500 items of a push. */
export const MAX_VALUES = 40_000;

/** The fault of an input that is too large for a history. The server would refuse it too. */
export function inputSizeFaults(input: unknown): Fault[] {
  const odd = shapeFaults(input);
  if (odd.length > 0 || input === undefined) return odd;
  const bytes = jsonByteLength(input);
  if (bytes <= MAX_INPUT_BYTES) return [];
  const message = `has ${bytes} bytes as JSON, but a run can take ${MAX_INPUT_BYTES}`;
  return [{ path: '(input)', message }];
}

/**
 * The fault of an input that no schema should be asked about: zod and JSON would run out of stack, and zod takes
 * seconds for a million wrong items. Goes level by level: a function that calls itself would run out of stack too.
 */
export function shapeFaults(input: unknown, maxValues = MAX_VALUES): Fault[] {
  let level = [input];
  let values = 0;
  for (let depth = 0; depth <= MAX_DEPTH; depth++) {
    const below: unknown[] = [];
    for (const value of level) {
      if (!(value instanceof Object)) continue;
      const inner: unknown[] = Object.values(value);
      values += inner.length;
      if (values > maxValues) return [{ path: '(input)', message: tooManyValues(maxValues) }];
      for (const one of inner) below.push(one);
    }
    if (below.length === 0) return [];
    level = below;
  }
  return [{ path: '(input)', message: `is nested more than ${MAX_DEPTH} levels deep` }];
}

/** Members of objects and items of lists, at any depth, of an input in which `shapeFaults` finds none. */
export function countValues(input: unknown): number {
  if (!(input instanceof Object)) return 0;
  const inner: unknown[] = Object.values(input);
  return inner.reduce<number>((sum, value) => sum + countValues(value), inner.length);
}

export function tooManyValues(maxValues: number): string {
  return `has more than ${maxValues} values: write a long list to a file, and name it as the manifest`;
}

/** As a class of a regular expression, in the notation that all readers of the API document know. */
export const REFUSED_IN_IDS = String.raw`\x00-\x1f\x7f-\x9f"\\`;
const REFUSED = new RegExp(`[${REFUSED_IN_IDS}]`);

/**
 * Half a surrogate pair in an id becomes U+FFFD, so two ids would be one. Queries of the Temporal server find no id with
 * a quotation mark or a backslash: a run would not hear of an earlier one that was cut short. Control characters break
 * them, and the tags of the API.
 */
export function idFaults(path: string, id: string): Fault[] {
  const message = REFUSED.test(id)
    ? 'must not contain control characters, such as line breaks or NUL, quotation marks or backslashes'
    : textFault(id);
  return message === undefined ? [] : [{ path, message }];
}
