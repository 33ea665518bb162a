import { createHash, type Hash } from 'node:crypto';

import type { z } from 'zod';

import type { Fault } from '../../contract/failures.js';
import { parseLine } from './parse-line.js';
import { LineTooLong, splitLines, type Line } from './split-lines.js';

/** Some whole lines, to be read again later. */
export interface ManifestRange {
  /** Number of its first line, from 1. */
  line: number;
  /** How many lines. */
  count: number;
  offset: number;
  bytes: number;
  /** Of these bytes: the beginning of their SHA-256 in hex. What has changed since is refused. */
  digest: string;
}

export interface ManifestScan {
  lines: number;
  bytes: number;
  /** Of the whole, in hex. */
  sha256: string;
  /** All lines, in their order, cut to size. */
  ranges: ManifestRange[];
}

export interface ScanLimits {
  /** Of one range. */
  mostItems: number;
  /** Of one range; also the longest line. */
  mostBytes: number;
  /** Of the whole manifest. */
  mostLines: number;
  /** Of the whole manifest. */
  mostTotalBytes: number;
  /** Ranges end after this line too; 0 for none. */
  cutAfter?: number | undefined;
}

export type ScanOutcome =
  { ok: true; scan: ManifestScan } | { ok: false; faults: Fault[]; faultCount: number };

/** So many faults are named; more would hide the first. */
const MOST_FAULTS = 20;
const DIGEST_LENGTH = 16;

/** Reads the whole once, line by line, and holds one line at a time. */
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
  const note = (found: readonly Fault[]): void => {
    faultCount += found.length;
    faults.push(...found.slice(0, Math.max(0, MOST_FAULTS - faults.length)));
  };
  try {
    for await (const line of splitLines(hashed(bytes, { whole, limits }), limits.mostBytes)) {
      lines = line.number;
      if (lines > limits.mostLines) break;
      const parsed = parseLine(schema, line);
      if (!parsed.ok) note(parsed.faults);
      packer.add(line);
    }
  } catch (error) {
    if (!(error instanceof LineTooLong || error instanceof ManifestTooLarge)) throw error;
    note([faultOf(error, limits)]);
    return { ok: false, faults, faultCount };
  }
  if (lines > limits.mostLines) {
    note([{ path: `line ${lines}`, message: `is too many: split it, ${limits.mostLines} a run` }]);
  }
  if (lines === 0) note([{ path: 'manifest', message: 'has no lines' }]);
  if (faultCount > 0) return { ok: false, faults, faultCount };
  const ranges = packer.end();
  const total = ranges.reduce((sum, range) => sum + range.bytes, 0);
  return { ok: true, scan: { lines, bytes: total, sha256: whole.digest('hex'), ranges } };
}

class ManifestTooLarge extends Error {
  override readonly name = 'ManifestTooLarge';
}

function faultOf(error: LineTooLong | ManifestTooLarge, limits: ScanLimits): Fault {
  return error instanceof LineTooLong
    ? { path: `line ${error.line}`, message: `has more than ${limits.mostBytes} bytes` }
    : { path: 'manifest', message: `has more than ${limits.mostTotalBytes} bytes: split it` };
}

async function* hashed(
  bytes: AsyncIterable<Uint8Array>,
  { whole, limits }: { whole: Hash; limits: ScanLimits },
): AsyncGenerator<Uint8Array> {
  let total = 0;
  for await (const chunk of bytes) {
    total += chunk.length;
    if (total > limits.mostTotalBytes) throw new ManifestTooLarge();
    whole.update(chunk);
    yield chunk;
  }
}

interface OpenRange extends Omit<ManifestRange, 'digest'> {
  hash: Hash;
}

/** Puts lines together to ranges that are as large as may be. */
function createPacker({ mostItems, mostBytes, cutAfter }: ScanLimits) {
  const ranges: ManifestRange[] = [];
  let open: OpenRange | undefined;
  const close = (): void => {
    if (open === undefined) return;
    const { hash, ...range } = open;
    ranges.push({ ...range, digest: shortDigest(hash) });
    open = undefined;
  };
  return {
    add({ number, offset, length, bytes }: Line): void {
      const isFull =
        open !== undefined && (open.count >= mostItems || open.bytes + length > mostBytes);
      if (isFull || number - 1 === cutAfter) close();
      open ??= { line: number, count: 0, offset, bytes: 0, hash: createHash('sha256') };
      open.count += 1;
      open.bytes += length;
      open.hash.update(bytes);
      if (length > bytes.length) open.hash.update('\n');
    },
    end: (): ManifestRange[] => {
      close();
      return ranges;
    },
  };
}

export function shortDigest(hash: Hash): string {
  return hash.digest('hex').slice(0, DIGEST_LENGTH);
}
