import type { Fault } from '../../contract/index.js';
import { formatJsonFault, parseJson } from '../../contract/parse-json.js';
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
  /** The file that it was read from. */
  source?: string;
}

/** Items that stand on no line of their own. */
export function unplaced(items: readonly unknown[]): ItemList {
  return { items, faults: [], placeOf: () => undefined };
}

/** Reads a list from a file, or from stdin for `-`. Does not check its items. */
export async function readList(file: string, io: Pick<CliIo, 'readStdin'>): Promise<ItemList> {
  return { ...parseList(file === '-' ? 'stdin' : file, await readText(file, io)), source: file };
}

function parseList(name: string, text: string): ItemList {
  const [first] = text.trimStart();
  if (first === '[' || (first === '{' && isOneObject(text))) {
    const value = parseDocument(name, text);
    return unplaced(Array.isArray(value) ? value : [value]);
  }
  return first === '{' ? readLines(name, text) : noList(name);
}

function noList(name: string): ItemList {
  return { ...unplaced([]), faults: [{ path: name, message: WHAT_A_LIST_IS }] };
}

const FROM_CSV =
  "python3 -c 'import csv,json,sys; [print(json.dumps(row)) for row in csv.DictReader(sys.stdin)]' < list.csv > list.jsonl";
const WHAT_A_LIST_IS = `is no list: it must have one object a line, such as {"name": "a"}, or be a JSON array. A CSV file with a row of names becomes one with: ${FROM_CSV}`;

/** A list whose lines may be bare words too, such as addresses. Empty lines and those that begin with # are left out. */
export async function readWordsOrList(
  file: string,
  io: Pick<CliIo, 'readStdin'>,
  toItem: (word: string) => object,
): Promise<ItemList> {
  const text = await readText(file, io);
  const name = file === '-' ? 'stdin' : file;
  if (/^\s*[[{]/.test(text)) return { ...parseList(name, text), source: file };
  const words = text
    .split('\n')
    .map((line, at) => ({ word: line.trim(), at }))
    .filter(({ word }) => word !== '' && !word.startsWith('#'));
  return {
    items: words.map(({ word }) => toItem(word)),
    faults: [],
    placeOf: (index) => `${name}:${(words[index]?.at ?? 0) + 1}`,
    source: file,
  };
}

/** Over several lines, as an editor writes it: what is inside is indented. */
function isOneObject(text: string): boolean {
  const lines = text.trim().split('\n');
  return lines.length > 1 && lines.filter((line) => line.startsWith('{')).length < 2;
}

/** An empty line is a fault too: the report of a run counts lines. After the last one it counts nothing. */
function readLines(name: string, text: string): ItemList {
  const lines = text.trimEnd().split('\n');
  const items: unknown[] = [];
  const places: string[] = [];
  const faults: Fault[] = [];
  for (const [at, line] of lines.entries()) {
    const path = `${name}:${at + 1}`;
    const json = parseJson(line);
    if (json.ok) {
      items.push(json.value);
      places.push(path);
    } else faults.push({ path, message: faultOf(line, json) });
  }
  return { items, faults, placeOf: (index) => places[index] };
}

function faultOf(line: string, json: Extract<ReturnType<typeof parseJson>, { ok: false }>): string {
  if (line.trim() === '') return 'is empty: remove it';
  if (json.isJson) return formatJsonFault(json);
  return 'is not JSON: each line must be one complete object';
}

/** A list that a worker reads, where the word names one; otherwise it is a path of this machine, or `-`. */
export function toManifest(word: string, sha256?: string): object | undefined {
  if (!/^(file|https|upload):/.test(word)) return undefined;
  return { url: word, ...(sha256 !== undefined && { sha256 }) };
}
