import { openFreshFile, type FreshFile } from '../../files/fresh-file.js';
import { parseTokenFile, type StoredToken } from '../../tokens/token-file.js';

/** The tokens of the file as it is now. */
export type TokenStore = Pick<FreshFile<readonly StoredToken[]>, 'read'>;

export interface TokenStoreOptions {
  file: string;
  /** Told about a file that cannot be used. The tokens before it stay valid. */
  onFault: (fault: string) => void;
  /** How long the gateway trusts what it has read; 1 second by default. */
  freshMs?: number;
}

/**
 * Opens the token file, which is read again when it changes.
 * @throws FileFaultError
 */
export function openTokenStore(options: TokenStoreOptions): Promise<TokenStore> {
  return openFreshFile<readonly StoredToken[]>({
    ...options,
    parse: (text) => {
      const parsed = parseTokenFile(text);
      return parsed.ok ? { ok: true, value: parsed.tokens } : parsed;
    },
  });
}
