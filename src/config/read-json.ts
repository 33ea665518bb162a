import { readFileSync } from 'node:fs';

import { parseTree, type Node, type ParseError } from 'jsonc-parser';

import type { Fault } from '../contract/failures.js';
import { toPath } from '../contract/parse-input.js';
import { errorCode } from './error-code.js';

export type ReadJson = { ok: true; json: unknown; text: string } | { ok: false; faults: Fault[] };

/**
 * Reads a file of settings. A name that one object has twice is a fault: `JSON.parse` would leave the first one
 * out without a word. No fault shows a value.
 */
export function readJson(path: string): ReadJson {
  let text: string;
  try {
    text = readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    return refused(`cannot be read (${errorCode(error)})`);
  }
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { disallowComments: true });
  const [first] = errors;
  if (first !== undefined || tree === undefined) {
    return refused(`is not JSON: ${placeOf(text, first?.offset ?? 0)}`);
  }
  const faults = repeatedNames(tree, []);
  return faults.length > 0 ? { ok: false, faults } : { ok: true, json: JSON.parse(text), text };
}

function refused(message: string): ReadJson {
  return { ok: false, faults: [{ path: '', message }] };
}

function placeOf(text: string, offset: number): string {
  const lines = text.slice(0, offset).split('\n');
  return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
}

function repeatedNames({ type, children = [] }: Node, path: (string | number)[]): Fault[] {
  if (type === 'array') {
    return children.flatMap((child, at) => repeatedNames(child, [...path, at]));
  }
  const seen = new Set<string>();
  return children.flatMap(({ children: pair = [] }) => {
    const [name, value] = pair;
    const own = [...path, String(name?.value)];
    const isRepeated = seen.has(String(name?.value));
    seen.add(String(name?.value));
    return [
      ...(isRepeated ? [{ path: toPath(own), message: 'is there twice' }] : []),
      ...(value === undefined ? [] : repeatedNames(value, own)),
    ];
  });
}

/** `NAME: path: message`, or without a path where the fault is about the whole file. */
export function formatFault(variable: string, { path, message }: Fault): string {
  return path === '' ? `${variable}: ${message}` : `${variable}: ${path}: ${message}`;
}
