import type { StoredToken } from './token-file.js';

export function hasExpired({ expiresAt }: Pick<StoredToken, 'expiresAt'>): boolean {
  return expiresAt <= Date.now();
}
