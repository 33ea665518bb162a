import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';

import { MAX_KV_LINE_BYTES } from '../../contract/operations/modify-kv-store.js';
import {
  createLineCutter,
  LineTooLong,
  parseLine,
  type Line,
} from '../../contract/manifest-lines.js';
import { UPLOADED_LISTS, type ListOperation } from '../../contract/uploads.js';
import { PIECE_BYTES } from '../../contract/wire/uploads.js';
import type { Fault } from '../../engine/core/failures.js';
import { MAX_FAULTS } from '../../engine/core/faults.js';
import { InvalidInputError } from '../errors.js';

/** A whole list without a fault. */
export interface ReadList {
  sha256: string;
  lines: number;
  bytes: number;
  /** Each compressed by itself. */
  pieces: readonly Uint8Array[];
}

/** A level more costs twice the time for a tenth less. */
const LEVEL = { level: constants.Z_BEST_SPEED };

/** What is read, and by whom it is held. */
interface Reading {
  operation: ListOperation;
  /** JSON Lines in UTF-8. */
  chunks: AsyncIterable<Uint8Array>;
  /** Told how many bytes more are held; may throw. */
  hold: (bytes: number) => void;
  /** Of the whole list. */
  mostBytes: number;
}

/**
 * Reads a list to its end and checks each line: nothing of a list with a fault is kept anywhere. Holds it compressed.
 * @throws InvalidInputError with the faults by line
 */
export async function readList({ operation, chunks, hold, mostBytes }: Reading): Promise<ReadList> {
  const whole = createHash('sha256');
  const pieces: Uint8Array[] = [];
  const checking: Checking = { operation, mostBytes, lines: 0, bytes: 0, faults: [] };
  for await (const piece of cut(checked(checking, chunks))) {
    whole.update(piece);
    // Looked up each time: in virtual time it is another one.
    const compressed = await promisify(gzip)(piece, LEVEL);
    hold(compressed.length);
    pieces.push(compressed);
  }
  const { lines, bytes } = checking;
  return { sha256: whole.digest('hex'), lines, bytes, pieces };
}

interface Checking {
  operation: ListOperation;
  mostBytes: number;
  /** Checked so far. */
  lines: number;
  bytes: number;
  faults: Fault[];
}

/** The same bytes, whose lines it checks on their way. After the first fault it gives nothing more, and throws at the end. */
async function* checked(
  checking: Checking,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const { faults } = checking;
  // No item of any list is longer than those of a store.
  const cutter = createLineCutter(MAX_KV_LINE_BYTES);
  try {
    for await (const chunk of chunks) {
      if (!goesOn(checking, cutter.push(chunk))) break;
      if (faults.length === 0) yield chunk;
    }
    if (checking.faults.length < MAX_FAULTS) goesOn(checking, cutter.end());
  } catch (error) {
    if (!(error instanceof LineTooLong)) throw error;
    const message = `has more than ${MAX_KV_LINE_BYTES} bytes`;
    faults.push({ path: `line ${error.line}`, message });
  }
  if (checking.lines === 0 && faults.length === 0) {
    faults.push({ path: '(input)', message: 'has no lines' });
  }
  if (faults.length > 0) throw new InvalidInputError(faults.slice(0, MAX_FAULTS));
}

/** Checks these lines. False when no more need be read. */
function goesOn(checking: Checking, lines: Iterable<Line>): boolean {
  const { operation, faults } = checking;
  const { mostLines, line: schema } = UPLOADED_LISTS[operation];
  for (const line of lines) {
    checking.lines = line.number;
    checking.bytes += line.length;
    const isOver = checking.lines > mostLines || checking.bytes > checking.mostBytes;
    if (isOver) faults.push(...sizeFaults(checking, mostLines));
    const parsed = parseLine<unknown>(schema, line);
    if (!parsed.ok) faults.push(...parsed.faults);
    if (faults.length >= MAX_FAULTS || isOver) return false;
  }
  return true;
}

function sizeFaults({ lines, bytes, mostBytes }: Checking, mostLines: number): Fault[] {
  const path = `line ${lines}`;
  return [
    ...(lines > mostLines
      ? [{ path, message: `is above the limit of ${mostLines} lines: split the list` }]
      : []),
    ...(bytes > mostBytes
      ? [{ path, message: `is above the limit of ${mostBytes} bytes: split the list` }]
      : []),
  ];
}

/**
 * Cuts bytes to pieces of one size; the last has what is left. All of them are in one buffer, because a new one for each
 * is garbage that stays for long: a piece counts until the next one is asked for.
 */
async function* cut(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const held = Buffer.alloc(PIECE_BYTES);
  let length = 0;
  for await (const chunk of chunks) {
    for (let from = 0; from < chunk.length;) {
      const part = chunk.subarray(from, from + PIECE_BYTES - length);
      held.set(part, length);
      length += part.length;
      from += part.length;
      if (length < PIECE_BYTES) continue;
      yield held;
      length = 0;
    }
  }
  if (length > 0) yield held.subarray(0, length);
}
