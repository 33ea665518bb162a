import { randomUUID } from 'node:crypto';
import { isIP } from 'node:net';

import type { HttpBindings } from '@hono/node-server';
import type { MiddlewareHandler } from 'hono';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

import { isLoopback } from '../contract/wire/address.js';
import type { GatewayContext, GatewayEnv } from './gateway-context.js';
import { PROBLEM_TYPE, ProblemError, toProblemDocument, type Problem } from './problem.js';
import { READER } from './pages/page-session.js';
import { BEARER, IN_PATH, type Credential, type TokenStore } from './tokens.js';
import { hasExpired, Scope, type Caller } from '../tokens/token-file.js';

export type Middleware = MiddlewareHandler<GatewayEnv>;

/** One line for each answer: nothing that the caller chose, except the name of its token. */
export interface AnswerLog {
  requestId: string;
  method: string;
  /** Pattern of the path, such as `/v1/runs/{id}`. */
  route: string;
  status: number;
  ms: number;
  caller: string;
  /** Code of the problem. */
  code?: string;
  /** Where an unexpected error came from, without its message, which could hold what the caller sent. */
  error?: string;
}

const KNOWN_METHODS = new Set(['GET', 'HEAD', 'POST', 'OPTIONS', 'PUT', 'PATCH', 'DELETE']);

/** What stands before the server. */
export interface Front {
  /** Where browsers reach the server, when a proxy is between: `https://runs.example.com`. */
  publicOrigin?: string | undefined;
  /** The last address of `X-Forwarded-For` is the caller's: the proxy has added it. */
  trustsProxy?: boolean | undefined;
}

/** Gives every request an id, and every answer a line of the log. */
export function identify(
  log: (answer: AnswerLog) => void,
  { publicOrigin, trustsProxy = false }: Front = {},
): Middleware {
  return async (c, next) => {
    const startedAt = performance.now();
    const requestId = randomUUID();
    c.set('requestId', requestId);
    c.set('caller', NOBODY);
    c.set('route', 'unknown');
    c.set('callerNow', () => Promise.resolve(c.get('caller')));
    c.set('origin', publicOrigin ?? new URL(c.req.url).origin);
    c.set('address', addressOf(c, trustsProxy));
    await next();
    c.header('X-Request-Id', requestId);
    const code = c.res.headers.get(CODE_HEADER);
    if (code !== null) c.res.headers.delete(CODE_HEADER);
    const error = c.get('unexpected');
    log({
      requestId,
      method: KNOWN_METHODS.has(c.req.method) ? c.req.method : 'OTHER',
      route: c.get('route'),
      status: c.res.status,
      ms: Math.round(performance.now() - startedAt),
      caller: c.get('caller').name,
      ...(code === null ? {} : { code }),
      ...(error === undefined ? {} : { error }),
    });
  };
}

function addressOf(c: GatewayContext, trustsProxy: boolean): string {
  const forwarded = c.req.header('x-forwarded-for')?.split(',').at(-1)?.trim() ?? '';
  if (trustsProxy && isIP(forwarded) !== 0) return forwarded;
  // There is none in a call without a port.
  const { incoming }: Partial<HttpBindings> = { ...c.env };
  return incoming?.socket.remoteAddress ?? 'none';
}

const NOBODY: Caller = { name: '-', scopes: [] };

/** Tells the log the code of a problem. It never leaves the gateway. */
const CODE_HEADER = 'X-Problem-Code';

export function answerProblem(c: GatewayContext, problem: Problem): Response {
  const text = JSON.stringify(toProblemDocument(problem, c.get('requestId')));
  return new Response(text, {
    status: problem.status,
    headers: {
      'Content-Type': PROBLEM_TYPE,
      [CODE_HEADER]: problem.code,
      ...problem.headers,
    },
  });
}

/** Headers for a browser that reaches the gateway: nothing is run, framed, guessed or kept. */
export const protectBrowsers: Middleware = async (c, next) => {
  await next();
  const { headers } = c.res;
  headers.set('X-Content-Type-Options', 'nosniff');
  if (!headers.has('Referrer-Policy')) headers.set('Referrer-Policy', 'no-referrer');
  headers.set('Cross-Origin-Resource-Policy', 'same-origin');
  if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store');
  if (!headers.has('Content-Security-Policy')) {
    headers.set('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
  }
};

/** Everybody on this machine may do everything, when there are no tokens. */
export const LOCAL: Caller = { name: 'local', scopes: Object.values(Scope), isLocal: true };

/** Knows the caller by its token. */
export function authenticate(tokens: TokenStore | undefined): Middleware {
  return authenticateBy(BEARER, tokens);
}

/** Knows the caller by the token in its path: for a caller that can send no header. */
export function authenticateByPath(tokens: TokenStore | undefined): Middleware {
  return authenticateBy(IN_PATH, tokens);
}

/** Knows the reader of a page by the cookie. A link of another site may lead here, but nothing else of it. */
export function authenticateReader(tokens: TokenStore | undefined): Middleware {
  return authenticateBy(READER, tokens);
}

function authenticateBy(credential: Credential, tokens: TokenStore | undefined): Middleware {
  return async (c, next) => {
    if (tokens === undefined) {
      refuseWebPages(c, credential === READER && isVisit(c));
      c.set('caller', LOCAL);
    } else {
      if (!credential.isGiven(c)) throw unauthorized('The request has no token.');
      const stored = credential.find(c, await tokens.read());
      if (stored === undefined) throw unauthorized('The gateway does not know this token.');
      if (hasExpired(stored)) throw unauthorized('This token has expired.');
      c.set('caller', stored);
      c.set('callerNow', async () => {
        const now = credential.find(c, await tokens.read());
        return now === undefined || hasExpired(now) ? undefined : now;
      });
    }
    await next();
  };
}

export function unauthorized(detail: string): ProblemError {
  const error = detail.includes('no token') ? '' : ', error="invalid_token"';
  return new ProblemError({
    status: 401,
    code: 'Unauthorized',
    title: 'The token is missing, unknown or expired',
    detail,
    advice: 'Send Authorization: Bearer <token>, with a token of the token file of the gateway.',
    headers: { 'WWW-Authenticate': `Bearer realm="gcore-workflows"${error}` },
  });
}

/**
 * Without tokens, a web page in a browser of this machine could call the gateway: by a foreign origin,
 * or by a name of its own that leads to the loopback address.
 */
function refuseWebPages(c: GatewayContext, mayComeByLink = false): void {
  const site = c.req.header('sec-fetch-site') ?? 'none';
  const origin = c.req.header('origin');
  const { host, hostname } = new URL(c.req.url);
  const isForeign = origin !== undefined && !origin.endsWith(`//${host}`);
  const isOwn = !isForeign && ['none', 'same-origin'].includes(site);
  if (isLoopback(hostname) && (isOwn || mayComeByLink)) return;
  throw new ProblemError({
    status: 403,
    code: 'Forbidden',
    title: 'Without tokens only this machine may call',
    detail: 'The request comes from a web page, or names a host that is not loopback.',
    advice: 'Call the gateway by its loopback address, or start it with --tokens FILE.',
  });
}

/** A person follows a link: the other site sees nothing of the answer. */
function isVisit(c: GatewayContext): boolean {
  const isPage = c.req.header('sec-fetch-mode') === 'navigate';
  return c.req.method === 'GET' && isPage && c.req.header('sec-fetch-dest') === 'document';
}

/** @throws ProblemError (403) */
export function refuseWithoutScope({ scopes }: Caller, scope: Scope): void {
  if (scopes.includes(scope)) return;
  throw new ProblemError({
    status: 403,
    code: 'Forbidden',
    title: 'The token does not allow this',
    detail: `The token lacks the scope "${scope}".`,
    advice: 'Use a token with this scope, or add it to the token file.',
    headers: {
      'WWW-Authenticate': `Bearer realm="gcore-workflows", error="insufficient_scope", scope="${scope}"`,
    },
  });
}

/** Each caller may send so many requests a second, and as many at once. */
export function limitRate(requestsPerSecond: number): Middleware {
  const limiter = new RateLimiterMemory({ points: requestsPerSecond, duration: 1 });
  return async (c, next) => {
    try {
      await limiter.consume(c.get('caller').name);
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      throw new ProblemError({
        status: 429,
        code: 'RateLimited',
        title: 'Too many requests',
        detail: `This token may send ${requestsPerSecond} requests a second.`,
        advice: 'Wait as Retry-After says. To follow a run, use its events or ?wait=30s.',
        headers: { 'Retry-After': String(Math.max(1, Math.ceil(refusal.msBeforeNext / 1000))) },
      });
    }
    await next();
  };
}
