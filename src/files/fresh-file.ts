import { readFile, stat } from 'node:fs/promises';

import { decodeText } from '../engine/core/decode-text.js';

/** What a file holds. The faults name places, never values. */
export type ParsedFile<T> = { ok: true; value: T } | { ok: false; faults: string[] };

export interface FreshFileOptions<T> {
  file: string;
  /** @param before what the last good file held; missing at the start. */
  parse: (text: string, before?: T) => ParsedFile<T>;
  /** Told about a file that cannot be used. What was read before stays valid. */
  onFault: (fault: string) => void;
  /** Told about a new content. */
  onChange?: (value: T) => void;
  /** How long a reading is trusted; 1 second by default. */
  freshMs?: number;
}

export interface FreshFile<T> {
  /** What the file holds now. */
  read: () => Promise<T>;
  /** What the file held when somebody looked last. Begins to look again when that was a while ago. */
  last: () => T;
  /** The same as `read`, however short ago somebody looked. */
  look: () => Promise<T>;
}

const FRESH_MS = 1_000;

/** Thrown when a program starts with a file that it cannot use. */
export class FileFaultError extends Error {
  override readonly name = 'FileFaultError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('; '));
    this.faults = faults;
  }
}

/**
 * Opens a file that is read again when it changes, looked at once a second at most while it is in use.
 * A file that becomes unreadable, half-written or wrong changes nothing: the last good one counts, and the fault is told
 * once.
 * @throws FileFaultError
 */
export async function openFreshFile<T>(options: FreshFileOptions<T>): Promise<FreshFile<T>> {
  const { file, parse, freshMs = FRESH_MS } = options;
  const version = await versionOf(file).catch(() => '');
  const known: Known<T> = { version, value: await load(file, parse), told: undefined };
  let lookedAt = performance.now();
  let looking: Promise<void> | undefined;
  const startLooking = (): Promise<void> => {
    lookedAt = performance.now();
    looking ??= lookAgain(options, known).finally(() => {
      looking = undefined;
    });
    return looking;
  };
  const isOld = (): boolean => performance.now() - lookedAt >= freshMs;
  return {
    async read() {
      await (isOld() ? startLooking() : looking);
      return known.value;
    },
    last() {
      // It never rejects.
      if (isOld()) void startLooking();
      return known.value;
    },
    async look() {
      await startLooking();
      return known.value;
    },
  };
}

interface Known<T> {
  version: string;
  value: T;
  /** The fault that was told last. */
  told: string | undefined;
}

async function lookAgain<T>(
  { file, parse, onFault, onChange }: FreshFileOptions<T>,
  known: Known<T>,
): Promise<void> {
  try {
    const version = await versionOf(file);
    if (version === known.version) return;
    known.value = await load(file, (text) => parse(text, known.value));
    known.version = version;
    known.told = undefined;
    onChange?.(known.value);
  } catch (error) {
    const fault = error instanceof FileFaultError ? error.message : 'cannot be read';
    // It is looked at again and again, and may stay so for days.
    if (fault !== known.told) onFault(fault);
    known.told = fault;
  }
}

/** Changes with every way of writing a file: in place, by renaming, by another link. */
async function versionOf(file: string): Promise<string> {
  const { mtimeMs, ctimeMs, size, ino } = await stat(file);
  return [mtimeMs, ctimeMs, size, ino].join(' ');
}

async function load<T>(file: string, parse: (text: string) => ParsedFile<T>): Promise<T> {
  let bytes: Buffer;
  try {
    bytes = await readFile(file);
  } catch (error) {
    throw new FileFaultError([`cannot be read (${String(Reflect.get(Object(error), 'code'))})`]);
  }
  const decoded = decodeText(bytes);
  if (!decoded.ok) throw new FileFaultError([decoded.fault]);
  const parsed = parse(decoded.text);
  if (!parsed.ok) throw new FileFaultError(parsed.faults);
  return parsed.value;
}
