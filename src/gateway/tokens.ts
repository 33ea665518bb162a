import { timingSafeEqual } from 'node:crypto';

import { openFreshFile, type FreshFile } from '../files/fresh-file.js';
import { parseTokenFile, digestOf, type StoredToken, type Caller } from '../tokens/token-file.js';
import type { GatewayContext } from './gateway-context.js';

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

/**
 * The stored token that this one is, also when it has expired. Compares with every stored token in
 * constant time, so the time of an answer says nothing about them.
 */
export function findToken(tokens: readonly StoredToken[], token: string): StoredToken | undefined {
  const digest = digestOf(token);
  const [found] = tokens.filter((stored) => timingSafeEqual(stored.digest, digest));
  return found;
}

/** The token of `Authorization: Bearer …`; `undefined` for anything else. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return /^Bearer +([\w.~+/-]+=*) *$/i.exec(authorization ?? '')?.[1];
}

/** How a request says whose it is. */
export interface Credential {
  isGiven: (c: GatewayContext) => boolean;
  /** The token that the request proves to have, among the tokens as they are now. It may have expired. */
  find: (c: GatewayContext, tokens: readonly StoredToken[]) => StoredToken | undefined;
}

export const BEARER = byText((c) => bearerToken(c.req.header('authorization')));

/** For a caller that can send no header. */
export const IN_PATH = byText((c) => c.req.param('token'));

function byText(tokenOf: (c: GatewayContext) => string | undefined): Credential {
  return {
    isGiven: (c) => tokenOf(c) !== undefined,
    find(c, tokens) {
      const token = tokenOf(c);
      return token === undefined ? undefined : findToken(tokens, token);
    },
  };
}

/** How runs name who called: by the token that the gateway has checked, never by what the caller says. */
export function identityOf({ name, isLocal }: Caller): string {
  return isLocal === true ? 'local gateway' : `gateway:${name}`;
}
