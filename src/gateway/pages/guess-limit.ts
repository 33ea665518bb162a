import { RateLimiterMemory } from 'rate-limiter-flexible';

import type { GatewayContext } from '../gateway-context.js';
import { ProblemError } from '../problems/problem.js';

const GUESSES = 10;
const SECONDS = 60;

/**
 * Wrong tokens of one address. A right one costs nothing, and what one address has used up locks nobody else out, which a
 * limit of all sign-ins together would.
 */
export interface GuessLimit {
  /** @throws ProblemError (429) */
  refuseTooMany: (c: GatewayContext) => Promise<void>;
  noteWrong: (c: GatewayContext) => Promise<void>;
}

export function createGuessLimit(): GuessLimit {
  const limiter = new RateLimiterMemory({ points: GUESSES, duration: SECONDS });
  return {
    async refuseTooMany(c) {
      const used = await limiter.get(c.get('address'));
      if (used !== null && used.remainingPoints <= 0) throw tooMany(used.msBeforeNext);
    },
    async noteWrong(c) {
      await limiter.penalty(c.get('address'));
    },
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
