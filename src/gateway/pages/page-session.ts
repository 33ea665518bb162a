import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

import { deleteCookie, getCookie, setCookie } from 'hono/cookie';

import type { GatewayContext } from '../gateway-context.js';
import type { Credential } from '../tokens/credential.js';
import type { StoredToken } from '../../tokens/token-file.js';

const LONGEST_SECONDS = 12 * 3_600;

/**
 * A signed-in reader. The cookie is `name.expiry.nonce.HMAC` under a key that follows from the stored token: it is no
 * token, it is worth nothing at a server of another kind, and it ends with its time or with the token. Every gateway
 * with the same token file knows it, without a memory of its own.
 */
export interface Session extends Credential {
  text: (c: GatewayContext) => string | undefined;
  begin: (c: GatewayContext, token: StoredToken) => void;
  end: (c: GatewayContext) => void;
}

/** @param name of the cookie. All ports of a host share their cookies, so each kind of server has a name of its own. */
export function createSession(name: string): Session {
  const text = (c: GatewayContext) =>
    isEncrypted(c) ? getCookie(c, name, 'host') : getCookie(c, name);
  return {
    text,
    isGiven: (c) => text(c) !== undefined,
    find: (c, tokens) => findBySession(tokens, text(c) ?? '', name),

    // The browser keeps it for at most 12 hours, sends it to no other site, and shows it to no script.
    begin(c, token) {
      const cookie = { ...attributes(c), httpOnly: true, sameSite: 'Strict' } as const;
      const lastMs = Math.min(Date.now() + LONGEST_SECONDS * 1_000, token.expiresAt);
      const value = sessionText(token, Math.floor(lastMs / 1_000), name);
      setCookie(c, name, value, { ...cookie, maxAge: LONGEST_SECONDS });
    },

    end(c) {
      deleteCookie(c, name, attributes(c));
    },
  };
}

function sessionText(token: StoredToken, expires: number, server: string): string {
  const claim = `${token.name}.${expires}.${randomBytes(16).toString('base64url')}`;
  return `${claim}.${macOf(token, claim, server)}`;
}

/** The key differs from the stored digest, so neither says anything about the other's use. */
function macOf({ digest }: StoredToken, claim: string, server: string): string {
  const key = createHmac('sha256', digest).update(`session of ${server}`).digest();
  return createHmac('sha256', key).update(claim).digest('base64url');
}

const SESSION_TEXT = /^(([\w.-]{1,64})\.(\d{1,12})\.[\w-]{22})\.([\w-]{43})$/;

function findBySession(
  tokens: readonly StoredToken[],
  text: string,
  server: string,
): StoredToken | undefined {
  const [, claim = '', name, expires, mac = ''] = SESSION_TEXT.exec(text) ?? [];
  const token = tokens.find((stored) => stored.name === name);
  if (token === undefined || Number(expires) * 1_000 <= Date.now()) return undefined;
  return isSame(mac, macOf(token, claim, server)) ? token : undefined;
}

export const READER = createSession('gcore-workflows');

function attributes(c: GatewayContext) {
  return isEncrypted(c)
    ? ({ path: '/', secure: true, prefix: 'host' } as const)
    : ({ path: '/' } as const);
}

/** TLS ends at a proxy before the gateway, so only its settings say what the browser sees. */
function isEncrypted(c: GatewayContext): boolean {
  return c.get('origin').startsWith('https:');
}

/** Without tokens everybody on this machine may act, but no page of another site knows this. */
const LOCAL_SECRET = randomBytes(32).toString('base64url');

/** Stands in each form: a page of another site cannot know it. */
export function formSecret(c: GatewayContext): string {
  return createHash('sha256')
    .update(`form ${READER.text(c) ?? LOCAL_SECRET}`)
    .digest('base64url');
}

export function isFormSecret(c: GatewayContext, given: string): boolean {
  return isSame(given, formSecret(c));
}

/** Compares in constant time. */
function isSame(one: string, other: string): boolean {
  const [first, second] = [one, other].map((text) => createHash('sha256').update(text).digest());
  return first !== undefined && second !== undefined && timingSafeEqual(first, second);
}
