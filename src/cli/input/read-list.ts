import type { z } from 'zod';

import { parseInput, type Fault, type ParsedInput } from '../../contract/index.js';
import { formatJsonFault, parseJson } from '../../contract/parse-json.js';
import { firstFaults } from '../../engine/core/faults.js';
import { CliError, ExitCode } from '../cli-error.js';
import type { CliIo } from '../cli-io.js';
import { parseDocument, readText } from './read-input.js';

/** A list of a file: JSON Lines, a JSON array, or one object. */
export interface ItemList {
  /** Those that are JSON, in their order. */
  items: readonly unknown[];
  /** Of the lines that are not. */
  faults: readonly Fault[];
  /** Where an item stands, such as `videos.jsonl:6`; `undefined` in an array. */
  placeOf: (index: number) => string | undefined;
}

/** Items that stand on no line of their own. */
export function unplaced(items: readonly unknown[]): ItemList {
  return { items, faults: [], placeOf: () => undefined };
}

/** Reads a list from a file, or from stdin for `-`. Does not check its items. */
export async function readList(file: string, io: Pick<CliIo, 'readStdin'>): Promise<ItemList> {
  return parseList(file === '-' ? 'stdin' : file, await readText(file, io));
}

function parseList(name: string, text: string): ItemList {
  const [first] = text.trimStart();
  if (first === '[' || isOneObject(text)) {
    const value = parseDocument(name, text);
    return unplaced(Array.isArray(value) ? value : [value]);
  }
  return readLines(name, text);
}

/** A list whose lines may be bare words too, such as addresses. Empty lines and those that begin with # are left out. */
export async function readWordsOrList(
  file: string,
  io: Pick<CliIo, 'readStdin'>,
  toItem: (word: string) => object,
): Promise<ItemList> {
  const text = await readText(file, io);
  const name = file === '-' ? 'stdin' : file;
  if (/^\s*[[{]/.test(text)) return parseList(name, text);
  const words = text
    .split('\n')
    .map((line, at) => ({ word: line.trim(), at }))
    .filter(({ word }) => word !== '' && !word.startsWith('#'));
  return {
    items: words.map(({ word }) => toItem(word)),
    faults: [],
    placeOf: (index) => `${name}:${(words[index]?.at ?? 0) + 1}`,
  };
}

/** Over several lines, as an editor writes it: what is inside is indented. */
function isOneObject(text: string): boolean {
  const lines = text.trim().split('\n');
  return lines.length > 1 && lines.filter((line) => line.startsWith('{')).length < 2;
}

/** An empty line is a fault too: the report of a run counts lines. */
function readLines(name: string, text: string): ItemList {
  const lines = text.replace(/\r?\n$/, '').split('\n');
  const items: unknown[] = [];
  const places: string[] = [];
  const faults: Fault[] = [];
  for (const [at, line] of lines.entries()) {
    const path = `${name}:${at + 1}`;
    const json = parseJson(line);
    if (json.ok) {
      items.push(json.value);
      places.push(path);
    } else {
      const message = json.isJson
        ? formatJsonFault(json)
        : 'is not JSON: each line must be one complete object';
      faults.push({ path, message });
    }
  }
  return { items, faults, placeOf: (index) => places[index] };
}

const NO_LIST = unplaced([]);

interface Listed<T> {
  schema: z.ZodType<T>;
  /** The field of the input that has the list. */
  field: string;
  /** Left out where the list comes by reference. */
  list: ItemList | undefined;
  /** The other fields of the input. */
  input: object;
  /** What is wrong with an input of the right form. */
  faultsOf?: (input: T) => readonly Fault[];
}

/**
 * Checks an input with a list from a file, before any connection. Names the lines of all faults, also beside one that
 * is no JSON.
 */
export function checkListed<T>({ schema, field, list, input, faultsOf }: Listed<T>): T {
  const { items, faults: unread, placeOf } = list ?? NO_LIST;
  const formed = parseInput(schema, list === undefined ? input : { ...input, [field]: items });
  const odd = formed.ok ? (faultsOf?.(formed.value) ?? []) : [];
  const parsed: ParsedInput<T> = odd.length === 0 ? formed : { ok: false, faults: [...odd] };
  if (parsed.ok && unread.length === 0) return parsed.value;
  // A list without one readable line has no other fault.
  const isUnread = items.length === 0 && unread.length > 0;
  const judged =
    parsed.ok || isUnread ? [] : parsed.faults.map((fault) => atItsLine(fault, field, placeOf));
  const all = [...unread, ...judged];
  throw new CliError({
    type: 'InvalidInput',
    message: 'The input has faults.',
    advice:
      'Nothing was sent. Correct what is named. A list is JSON Lines (one object a line) or a JSON array.',
    exitCode: ExitCode.badInput,
    faults: firstFaults(all),
  });
}

/** `videos[5].origin_url` is `videos.jsonl:6`, and its message begins with the field. */
function atItsLine(fault: Fault, field: string, placeOf: ItemList['placeOf']): Fault {
  const [whole, list, index, rest = ''] = /^(\w+)\[(\d+)\](?:\.?(.+))?$/s.exec(fault.path) ?? [];
  const place = whole !== undefined && list === field ? placeOf(Number(index)) : undefined;
  if (place === undefined) return fault;
  return { path: place, message: rest === '' ? fault.message : `${rest} ${fault.message}` };
}
