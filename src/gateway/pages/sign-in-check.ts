import { RateLimiterMemory } from 'rate-limiter-flexible';

import { hasExpired, type Scope, type StoredToken } from '../../tokens/token-file.js';
import type { GatewayContext } from '../gateway-context.js';
import { ProblemError } from '../problems/problem.js';
import { findToken } from '../tokens/find-token.js';
import type { TokenStore } from '../tokens/token-store.js';

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
    const used = await limiter.get(c.get('address'));
    if (used !== null && used.remainingPoints <= 0) throw tooMany(used.msBeforeNext);
    const stored = findToken(await tokens.read(), text.trim());
    if (stored !== undefined && !hasExpired(stored) && stored.scopes.includes(scope)) return stored;
    await limiter.penalty(c.get('address'));
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
