import type { z } from 'zod';

import { parseJson } from './parse-json.js';
import { decodeText } from '../engine/core/decode-text.js';
import type { Fault } from '../engine/core/failures.js';
import { MAX_VALUES, toPath } from '../engine/core/faults.js';
import { parseInput, type ParsedInput } from '../engine/schema/parse-input.js';

/** One line of a manifest, without its line break. */
export interface Line {
  /** Number of the line, from 1. */
  number: number;
  /** Offset of its first byte. */
  offset: number;
  /** Bytes including the line break: the next line begins at offset + length. */
  length: number;
  bytes: Uint8Array;
}

/** Thrown for a line without an end: holding it would take all memory. */
export class LineTooLong extends Error {
  override readonly name = 'LineTooLong';
  readonly line: number;

  constructor(line: number) {
    super(`line ${line} is too long`);
    this.line = line;
  }
}

const LINE_FEED = 0x0a;

/** Cuts bytes at line feeds, as they come, and holds at most one line. All throw `LineTooLong`. */
export interface LineCutter {
  /** The lines that end in these bytes. */
  push: (chunk: Uint8Array) => Generator<Line>;
  /** The last one, unless it ended with a line feed. */
  end: () => Generator<Line>;
}

export function createLineCutter(longest: number): LineCutter {
  const at = { number: 1, offset: 0, held: 0 };
  let parts: Uint8Array[] = [];
  const take = (part: Uint8Array): void => {
    parts.push(part);
    at.held += part.length;
    if (at.held > longest) throw new LineTooLong(at.number);
  };
  const toLine = (lineBreak: number): Line => {
    const { number, offset, held } = at;
    const line = { number, offset, length: held + lineBreak, bytes: joined(parts) };
    parts = [];
    Object.assign(at, { number: number + 1, offset: offset + line.length, held: 0 });
    return line;
  };
  return {
    *push(chunk) {
      let start = 0;
      for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
        take(chunk.subarray(start, end));
        yield toLine(1);
        start = end + 1;
      }
      if (start < chunk.length) take(chunk.subarray(start));
    },
    *end() {
      if (at.held > 0) yield toLine(0);
    },
  };
}

/** The same for a reader of lines. */
export async function* splitLines(
  chunks: AsyncIterable<Uint8Array>,
  longest: number,
): AsyncGenerator<Line> {
  const cutter = createLineCutter(longest);
  for await (const chunk of chunks) yield* cutter.push(chunk);
  yield* cutter.end();
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const [only] = parts;
  return parts.length === 1 && only !== undefined ? only : Buffer.concat(parts);
}

/** One item, or its faults by line and path: `line 7, origin_url`. A fault repeats no value. */
export function parseLine<T>(schema: z.ZodType<T>, { number, bytes }: Line): ParsedInput<T> {
  const at = `line ${number}`;
  const json = parseJsonLine(bytes);
  if (!json.ok) return { ok: false, faults: [{ path: `${at}${json.path}`, message: json.fault }] };
  const parsed = parseInput(schema, json.value);
  if (parsed.ok) return parsed;
  const faults = parsed.faults.map(({ path, message }): Fault => ({
    path: path === '(input)' ? at : `${at}, ${path}`,
    message,
  }));
  return { ok: false, faults };
}

function parseJsonLine(
  bytes: Uint8Array,
): { ok: true; value: unknown } | { ok: false; path: string; fault: string } {
  const decoded = decodeText(bytes);
  if (!decoded.ok) return { ok: false, path: '', fault: decoded.fault };
  if (decoded.text.trim() === '') return { ok: false, path: '', fault: 'is empty: remove it' };
  // No schema is asked about more, and parsing them takes ten times as long as counting.
  const json = parseJson(decoded.text, { maxValues: MAX_VALUES });
  if (json.ok) return json;
  if (!json.isJson) {
    return { ok: false, path: '', fault: 'is not JSON: each line must be one whole object' };
  }
  const { path, message } = json.fault;
  return { ok: false, path: path.length === 0 ? '' : `, ${toPath(path)}`, fault: message };
}
