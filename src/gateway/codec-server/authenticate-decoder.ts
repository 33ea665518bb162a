import { isLoopback } from '../../contract/wire/address.js';
import type { GatewayContext } from '../gateway-context.js';
import { LOCAL, refuseWithoutScope, unauthorized, type Middleware } from '../middleware.js';
import { createSession } from '../pages/page-session.js';
import { ProblemError } from '../problem.js';
import { BEARER, type Credential, type TokenStore } from '../tokens.js';
import { hasExpired, Scope, type StoredToken } from '../../tokens/token-file.js';

/** Of somebody who reads the Temporal UI. */
export const SESSION = createSession('gcore-workflows-codec');

/**
 * Who may decode: by a bearer token (the `temporal` CLI), or by the cookie of the sign-in page, which only pages of the
 * Temporal UI may use. The UI may send a bearer token of its own sign-in, which means nothing here.
 */
export function authenticateDecoder(
  tokens: TokenStore | undefined,
  origins: readonly string[],
): Middleware {
  return async (c, next) => {
    const origin = c.req.header('origin');
    const isOfUi = origin !== undefined && origins.includes(origin);
    if (tokens === undefined) {
      refuseOthers(c, isOfUi);
      c.set('caller', LOCAL);
    } else {
      const sent = [BEARER, ...(isOfUi ? [SESSION] : [])].filter(({ isGiven }) => isGiven(c));
      c.set('caller', await callerOf(c, tokens, sent));
    }
    refuseWithoutScope(c.get('caller'), Scope.codec);
    await next();
  };
}

async function callerOf(
  c: GatewayContext,
  tokens: TokenStore,
  sent: readonly Credential[],
): Promise<StoredToken> {
  const known = await tokens.read();
  const found = sent.map(({ find }) => find(c, known));
  const valid = found.find((token) => token !== undefined && !hasExpired(token));
  if (valid !== undefined) return valid;
  throw unauthorized(
    sent.length === 0
      ? 'The request has no token. In a browser, open /sign-in of this server first.'
      : 'The codec server does not know this token, or it has expired.',
  );
}

/** Without tokens only programs of this machine may call, and pages of the Temporal UI. */
function refuseOthers(c: GatewayContext, isOfUi: boolean): void {
  const site = c.req.header('sec-fetch-site') ?? 'none';
  const isProgram = c.req.header('origin') === undefined && site === 'none';
  if (isLoopback(new URL(c.req.url).hostname) && (isOfUi || isProgram)) return;
  throw new ProblemError({
    status: 403,
    code: 'Forbidden',
    title: 'Without tokens only this machine may call',
    detail:
      'The request comes from a page of another origin, or names a host that is not loopback.',
    advice: 'Name the origin of the Temporal UI with --ui-origin, or start with --tokens FILE.',
  });
}
