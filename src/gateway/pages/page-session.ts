import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { RateLimiterMemory } from 'rate-limiter-flexible';

import { hasExpired, type StoredToken, type Scope } from '../../tokens/token-file.js';
import type { GatewayContext } from '../gateway-context.js';
import { networkOf } from '../network-of.js';
import { ProblemError } from '../problem.js';
import { readBytes } from '../read-body.js';
import { findToken, type Credential, type TokenStore } from '../tokens.js';

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

function isFormSecret(c: GatewayContext, given: string): boolean {
  return isSame(given, formSecret(c));
}

/** Compares in constant time. */
function isSame(one: string, other: string): boolean {
  const [first, second] = [one, other].map((text) => createHash('sha256').update(text).digest());
  return first !== undefined && second !== undefined && timingSafeEqual(first, second);
}

/** A stranger may send one. */
const MAX_FORM_BYTES = 8_192;

/** The fields of a form of this gateway. @throws ProblemError (403) for a form of another site */
export async function readForm(c: GatewayContext): Promise<Record<string, string>> {
  const fields = await readFields(c);
  if (!isFormSecret(c, fields['secret'] ?? '')) throw foreignForm(c);
  return fields;
}

/** Before anybody is signed in, only the browser says where a form comes from. @throws ProblemError (403) */
export async function readFirstForm(c: GatewayContext): Promise<Record<string, string>> {
  return readFields(c);
}

async function readFields(c: GatewayContext): Promise<Record<string, string>> {
  refuseForeign(c);
  const text = new TextDecoder().decode(await readBytes(c, MAX_FORM_BYTES));
  return Object.fromEntries(new URLSearchParams(text));
}

/** Every browser of today sends the first header with a form; the second is for one that does not. */
function refuseForeign(c: GatewayContext): void {
  const site = c.req.header('sec-fetch-site') ?? 'same-origin';
  const origin = c.req.header('origin');
  const isOwn = origin === undefined || origin === c.get('origin');
  if (!isOwn || !['same-origin', 'none'].includes(site)) throw foreignForm(c);
}

function foreignForm(c: GatewayContext): ProblemError {
  return new ProblemError({
    status: 403,
    code: 'ForeignForm',
    title: 'This form is not from this gateway',
    detail: 'The form comes from another page, or from another session. Nothing was changed.',
    advice: `Open the page again at ${c.get('origin')} and use its buttons. Behind a proxy, an operator names its address with --public-url.`,
  });
}

const GUESSES = 10;
const SECONDS = 60;

/** The stored token of a text that somebody signs in with; `undefined` for a wrong one. @throws ProblemError (429) */
export type CheckSignIn = (c: GatewayContext, text: string) => Promise<StoredToken | undefined>;

/**
 * Takes tokens with this scope, and counts the wrong ones of each address. A right one costs nothing, and what one
 * address has used up locks nobody else out, which a limit of all sign-ins together would.
 */
export function createSignInCheck(tokens: TokenStore, scope: Scope): CheckSignIn {
  const limiter = new RateLimiterMemory({ points: GUESSES, duration: SECONDS });
  return async (c, text) => {
    const from = networkOf(c.get('address'));
    const used = await limiter.get(from);
    if (used !== null && used.remainingPoints <= 0) throw tooMany(used.msBeforeNext);
    const stored = findToken(await tokens.read(), text.trim());
    if (stored !== undefined && !hasExpired(stored) && stored.scopes.includes(scope)) return stored;
    await limiter.penalty(from);
    return undefined;
  };
}

function tooMany(waitMs: number): ProblemError {
  return new ProblemError({
    status: 429,
    code: 'RateLimited',
    title: 'Too many wrong tokens',
    detail: 'This address has sent too many wrong tokens.',
    advice: 'Wait as Retry-After says. "gcore-workflows token list" shows which tokens there are.',
    headers: { 'Retry-After': String(Math.max(1, Math.ceil(waitMs / 1_000))) },
  });
}
