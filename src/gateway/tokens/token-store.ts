import { readFile, stat } from 'node:fs/promises';

import { parseTokenFile, type StoredToken } from './token-file.js';

export interface TokenStore {
  /** The tokens of the file as it is now. */
  read: () => Promise<readonly StoredToken[]>;
}

export interface TokenStoreOptions {
  file: string;
  /** Told about a file that cannot be used. The tokens before it stay valid. */
  onFault: (fault: string) => void;
  /** How long the gateway trusts what it has read; 1 second by default. */
  freshMs?: number;
}

const FRESH_MS = 1_000;

/** Thrown when the gateway starts with a file that it cannot use. */
export class TokenFileError extends Error {
  override readonly name = 'TokenFileError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('; '));
    this.faults = faults;
  }
}

/**
 * Opens the token file. It is read again when it changes, looked at once a second at most while there
 * are requests. A file that becomes unreadable or wrong changes nothing: the last good one counts.
 * @throws TokenFileError
 */
export async function openTokenStore(options: TokenStoreOptions): Promise<TokenStore> {
  const { file, onFault, freshMs = FRESH_MS } = options;
  let version = await versionOf(file).catch(() => '');
  let tokens = await load(file);
  let lookedAt = performance.now();
  let looking: Promise<void> | undefined;

  const look = async (): Promise<void> => {
    try {
      const now = await versionOf(file);
      if (now === version) return;
      // Also after a fault: it is told once.
      version = now;
      tokens = await load(file);
    } catch (error) {
      onFault(error instanceof TokenFileError ? error.message : 'cannot be read');
    }
  };
  return {
    async read() {
      if (performance.now() - lookedAt >= freshMs) {
        lookedAt = performance.now();
        looking = look().finally(() => {
          looking = undefined;
        });
      }
      await looking;
      return tokens;
    },
  };
}

/** Changes with every way of writing a file: in place, by renaming, by another link. */
async function versionOf(file: string): Promise<string> {
  const { mtimeMs, ctimeMs, size, ino } = await stat(file);
  return [mtimeMs, ctimeMs, size, ino].join(' ');
}

async function load(file: string): Promise<readonly StoredToken[]> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw new TokenFileError([`cannot be read (${String(Reflect.get(Object(error), 'code'))})`]);
  }
  const parsed = parseTokenFile(text);
  if (!parsed.ok) throw new TokenFileError(parsed.faults);
  return parsed.tokens;
}
