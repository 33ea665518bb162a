import { createHash } from 'node:crypto';

import type { z } from 'zod';

import { digestOfManifest, manifestName, type Manifest } from '../../contract/manifest.js';
import { uploadOfUrl } from '../../contract/wire/uploads.js';
import { fromRanges } from '../../engine/core/number-ranges.js';
import type { ParsedInput } from '../../engine/schema/parse-input.js';
import { invalidInput } from '../../engine/activities/run-of-activity.js';
import { unreadableFailure } from './manifest-failure.js';
import { openFile } from './open-file.js';
import { openHttps, type HttpsOptions } from './open-https.js';
import type { OpenManifest, OpenOptions } from './open-manifest.js';
import { openUpload, type UploadSource } from './open-upload.js';
import { parseLine, splitLines } from '../../contract/manifest-lines.js';
import {
  scanManifest,
  shortDigest,
  type ManifestRange,
  type ManifestScan,
  type ScanLimits,
} from './scan-manifest.js';

export interface ManifestReaderOptions {
  /** Directory that files are read from; without it none are read. */
  root?: string | undefined;
  /** Hosts that may be read from, with a port where it is not 443; default none. */
  hosts?: readonly string[] | undefined;
  /** Where uploaded lists are; without it none are read. */
  uploads?: UploadSource;
  fetch?: typeof globalThis.fetch;
  /** Time until an answer over https begins; default 15 s. */
  headersMs?: number;
  /** Time for a whole read over https; default ten minutes. */
  totalMs?: number;
}

/** Reads lists of items by reference. Throws only `ApplicationFailure`, or the abort of `signal`. */
export interface ManifestReader {
  /**
   * Reads the whole manifest once: checks each line and cuts the lines into ranges. Holds one line at
   * a time.
   * Fails as `InvalidInput` with the faults by line, `ManifestUnreadable` or `ServiceUnavailable`.
   */
  scan<T>(manifest: Manifest, scan: ScanRequest<T>): Promise<ManifestScan>;
  /**
   * Reads one range of a scan again: its items with the numbers of their lines, in order. Fails as
   * `ManifestUnreadable` when these lines have changed, or as `ServiceUnavailable`.
   */
  read<T>(manifest: Manifest, range: RangeRequest<T>): Promise<ManifestItem<T>[]>;
}

export interface ScanRequest<T> {
  /** Schema of one line. */
  schema: z.ZodType<T>;
  limits: Omit<ScanLimits, 'maxTotalBytes'> & { maxTotalBytes?: number };
  signal: AbortSignal;
}

export interface ManifestItem<T> {
  /** Number of its line, from 1. */
  line: number;
  value: T;
}

export interface RangeRequest<T> {
  schema: z.ZodType<T>;
  range: ManifestRange;
  signal: AbortSignal;
}

const HEADERS_MS = 15_000;
const TOTAL_MS = 600_000;
const MAX_TOTAL_BYTES = 1024 ** 3;

export function createManifestReader(options: ManifestReaderOptions): ManifestReader {
  const open = createOpen(options);
  return {
    async scan(manifest, { schema, limits, signal }) {
      const opened = await open(manifest.url, { signal });
      try {
        const bounds = { maxTotalBytes: MAX_TOTAL_BYTES, ...limits };
        const outcome = await scanManifest(opened.bytes, schema, bounds);
        if (!outcome.ok) throw invalidInput(outcome.faults, outcome.faultCount);
        checkDigest(manifest, outcome.scan);
        return outcome.scan;
      } finally {
        await opened.close();
      }
    },

    async read(manifest, { schema, range, signal }) {
      const { offset, bytes: length } = range;
      const opened = await open(manifest.url, { slice: { offset, length }, signal });
      try {
        return await readRange(opened, { manifest, schema, range });
      } finally {
        await opened.close();
      }
    },
  };
}

type Open = (url: string, options: OpenOptions) => Promise<OpenManifest>;

function createOpen(options: ManifestReaderOptions): Open {
  const { root, hosts = [], uploads, fetch = globalThis.fetch } = options;
  const { headersMs = HEADERS_MS, totalMs = TOTAL_MS } = options;
  const https: HttpsOptions = { hosts, fetch, headersMs, totalMs };
  return (url, opening) => {
    const uploaded = uploadOfUrl(url);
    if (uploaded !== undefined && uploads !== undefined) {
      return openUpload(uploads, uploaded, opening);
    }
    if (!url.startsWith('file:')) return openHttps(https, url, opening);
    if (root !== undefined) return openFile(root, url, opening);
    throw unreadableFailure(
      `The manifest ${manifestName(url)} is a file, but the worker reads no files: GCORE_MANIFEST_ROOT is not set`,
    );
  };
}

function checkDigest(manifest: Manifest, scan: ManifestScan): void {
  const wanted = digestOfManifest(manifest);
  if (wanted === undefined || wanted === scan.sha256) return;
  const message = `does not match ${manifestName(manifest.url)}, whose SHA-256 is ${scan.sha256}`;
  throw invalidInput([{ path: 'manifest.sha256', message }]);
}

async function readRange<T>(
  opened: OpenManifest,
  { manifest, schema, range }: { manifest: Manifest } & Omit<RangeRequest<T>, 'signal'>,
): Promise<ManifestItem<T>[]> {
  const hash = createHash('sha256');
  const only = range.only === undefined ? undefined : new Set(fromRanges(range.only));
  const parsed: { line: number; item: ParsedInput<T> }[] = [];
  for await (const line of splitLines(hashing(opened.bytes, hash), range.bytes)) {
    const number = range.line + line.number - 1;
    if (!(only?.has(number) ?? true)) continue;
    parsed.push({ line: number, item: parseLine(schema, { ...line, number }) });
  }
  // This check comes before any fault: the author cannot correct lines that have changed since.
  if (parsed.length !== range.count || shortDigest(hash) !== range.digest) {
    const lines = `Lines of the manifest ${manifestName(manifest.url)} from ${range.line} on`;
    throw unreadableFailure(`${lines} have changed since the run began`);
  }
  const faults = parsed.flatMap(({ item }) => (item.ok ? [] : item.faults));
  if (faults.length > 0) throw invalidInput(faults);
  return parsed.flatMap(({ line, item }) => (item.ok ? [{ line, value: item.value }] : []));
}

async function* hashing(
  bytes: AsyncIterable<Uint8Array>,
  hash: ReturnType<typeof createHash>,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    hash.update(chunk);
    yield chunk;
  }
}
