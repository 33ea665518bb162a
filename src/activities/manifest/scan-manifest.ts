import { createHash, type Hash } from 'node:crypto';

import type { z } from 'zod';

import type { Fault } from '../../engine/core/failures.js';
import { MAX_FAULTS, unjudgedFault } from '../../engine/core/faults.js';
import { toRanges } from '../../engine/core/number-ranges.js';
import { parseLine, LineTooLong, splitLines, type Line } from '../../contract/manifest-lines.js';

/** Whole lines that can be read again later. */
export interface ManifestRange {
  /** Number of its first line, from 1. */
  line: number;
  /** Number of lines that are taken. */
  count: number;
  /** Lines that are taken, when not all: numbers and ranges, such as `3 17 20-25`. */
  only?: string;
  offset: number;
  bytes: number;
  /** Beginning of the SHA-256 of these bytes, in hex: a read refuses lines that have changed since. */
  digest: string;
}

export interface ManifestScan {
  lines: number;
  bytes: number;
  /** SHA-256 of the whole manifest, in hex. */
  sha256: string;
  /** All lines in order, cut to size. */
  ranges: ManifestRange[];
}

export interface ScanLimits {
  /** Maximum items per range. */
  maxItems: number;
  /** Maximum bytes per range, and the longest line. */
  maxBytes: number;
  /** Maximum lines of the whole manifest. */
  maxLines: number;
  /** Maximum bytes of the whole manifest. */
  maxTotalBytes: number;
  /** A range also ends after this number of items of the manifest. */
  cutAfter?: number | undefined;
  /** Numbers of the lines to take; all lines are read and checked. */
  only?: ReadonlySet<number> | undefined;
}

export type ScanOutcome =
  { ok: true; scan: ManifestScan } | { ok: false; faults: Fault[]; faultCount: number };

/** After so many no line is judged: each line of a batch has the faults of its defaults once more. */
const MAX_COUNTED = 1_000;
const DIGEST_LENGTH = 16;

/** Reads the whole manifest once, and holds one line at a time. */
export async function scanManifest<T>(
  bytes: AsyncIterable<Uint8Array>,
  schema: z.ZodType<T>,
  limits: ScanLimits,
): Promise<ScanOutcome> {
  const whole = createHash('sha256');
  const packer = createPacker(limits);
  const faults: Fault[] = [];
  let faultCount = 0;
  let lines = 0;
  let judged = 0;
  let end = 0;
  const note = (found: readonly Fault[]): void => {
    faultCount += found.length;
    faults.push(...found.slice(0, Math.max(0, MAX_FAULTS - faults.length)));
  };
  try {
    for await (const line of splitLines(hashed(bytes, { whole, limits }), limits.maxBytes)) {
      lines = line.number;
      end = line.offset + line.length;
      if (lines > limits.maxLines) break;
      if (faultCount >= MAX_COUNTED) continue;
      const parsed = parseLine(schema, line);
      if (!parsed.ok) note(parsed.faults);
      judged = lines;
      packer.add(line);
    }
  } catch (error) {
    if (!(error instanceof LineTooLong || error instanceof ManifestTooLarge)) throw error;
    note([faultOf(error, limits)]);
    return { ok: false, faults, faultCount };
  }
  note(checkLines(lines, limits));
  const unjudged = Math.min(lines, limits.maxLines) - judged;
  if (unjudged > 0) faults.push(unjudgedFault(unjudged, 'line'));
  if (faultCount > 0) return { ok: false, faults, faultCount };
  const ranges = packer.end();
  return { ok: true, scan: { lines, bytes: end, sha256: whole.digest('hex'), ranges } };
}

/** Faults of the number of lines. */
function checkLines(lines: number, { maxLines, only = new Set() }: ScanLimits): Fault[] {
  const beyond = [...only].find((number) => number > lines);
  const tooMany = `is above the limit of ${maxLines} lines per run: split the manifest`;
  return [
    ...(lines > maxLines ? [{ path: `line ${lines}`, message: tooMany }] : []),
    ...(lines === 0 ? [{ path: 'manifest', message: 'has no lines' }] : []),
    ...(beyond === undefined
      ? []
      : [{ path: 'lines', message: `names line ${beyond}, but the last line is ${lines}` }]),
  ];
}

class ManifestTooLarge extends Error {
  override readonly name = 'ManifestTooLarge';
}

function faultOf(error: LineTooLong | ManifestTooLarge, limits: ScanLimits): Fault {
  return error instanceof LineTooLong
    ? { path: `line ${error.line}`, message: `has more than ${limits.maxBytes} bytes` }
    : { path: 'manifest', message: `has more than ${limits.maxTotalBytes} bytes: split it` };
}

async function* hashed(
  bytes: AsyncIterable<Uint8Array>,
  { whole, limits }: { whole: Hash; limits: ScanLimits },
): AsyncGenerator<Uint8Array> {
  let total = 0;
  for await (const chunk of bytes) {
    total += chunk.length;
    if (total > limits.maxTotalBytes) throw new ManifestTooLarge();
    whole.update(chunk);
    yield chunk;
  }
}

interface OpenRange extends Omit<ManifestRange, 'digest' | 'only'> {
  hash: Hash;
  taken: number[];
  /** Bytes of the lines that are taken. */
  weight: number;
  /** State after the last line that is taken, when not all are. */
  end?: { bytes: number; hash: Hash };
}

/** Packs lines into ranges as large as the limits allow. */
function createPacker({ maxItems, maxBytes, cutAfter, only }: ScanLimits) {
  const ranges: ManifestRange[] = [];
  let open: OpenRange | undefined;
  let items = 0;
  const close = (): void => {
    if (open !== undefined) ranges.push(toRange(open));
    open = undefined;
  };
  const take = ({ number, offset, length }: Line): void => {
    const isFull =
      open !== undefined && (open.count >= maxItems || open.weight + length > maxBytes);
    if (isFull || items === cutAfter) close();
    const hash = createHash('sha256');
    open ??= { line: number, count: 0, offset, bytes: 0, weight: 0, taken: [], hash };
    open.count += 1;
    open.weight += length;
    open.taken.push(number);
    items += 1;
  };
  return {
    add(line: Line): void {
      const isTaken = only?.has(line.number) ?? true;
      if (isTaken) take(line);
      if (open === undefined) return;
      // A range is read again with the lines in between, so they belong to the digest.
      open.bytes += line.length;
      open.hash.update(line.bytes);
      if (line.length > line.bytes.length) open.hash.update('\n');
      if (only !== undefined && isTaken) open.end = { bytes: open.bytes, hash: open.hash.copy() };
    },
    end: (): ManifestRange[] => {
      close();
      return ranges;
    },
  };
}

function toRange({ taken, weight, end, ...range }: OpenRange): ManifestRange {
  const { line, count, offset } = range;
  const { bytes, hash } = end ?? range;
  const only = weight === bytes ? {} : { only: toRanges(taken) };
  return { line, count, offset, bytes, ...only, digest: shortDigest(hash) };
}

export function shortDigest(hash: Hash): string {
  return hash.digest('hex').slice(0, DIGEST_LENGTH);
}
