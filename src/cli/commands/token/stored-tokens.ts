import { existsSync, readFileSync } from 'node:fs';

import { ConfigurationError } from '../../../config.js';
import { decodeText } from '../../../engine/core/decode-text.js';
import { parseTokenFile, type StoredToken } from '../../../tokens/token-file.js';

/** The tokens in a file. @throws ConfigurationError with every fault */
export function readTokens(file: string): StoredToken[] {
  if (!existsSync(file)) {
    throw new ConfigurationError([`${file}: does not exist; make it with: token new`]);
  }
  const decoded = decodeText(readFileSync(file));
  if (!decoded.ok) throw new ConfigurationError([`${file}: ${decoded.fault}`]);
  return tokensIn(file, decoded.text);
}

/** @throws ConfigurationError */
export function tokensIn(file: string, text: string): StoredToken[] {
  const parsed = parseTokenFile(text);
  if (!parsed.ok) throw new ConfigurationError(parsed.faults.map((fault) => `${file}: ${fault}`));
  return parsed.tokens;
}

/** What a person may see of a token. */
export function shownToken({ name, scopes, operations, accounts, expiresAt }: StoredToken) {
  const limits = { ...(operations && { operations }), ...(accounts && { accounts }) };
  return { name, scopes, ...limits, expires: expiryOf(expiresAt) };
}

/** A token as the file has it. */
export function toEntry(token: StoredToken) {
  return { ...shownToken(token), sha256: token.digest.toString('hex') };
}

export function expiryOf(expiresAt: number): string {
  return Number.isFinite(expiresAt) ? new Date(expiresAt).toISOString() : 'never';
}
