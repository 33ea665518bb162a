import { Context } from '@temporalio/activity';

import type { Stamped } from '../core/product.js';
import type { Group } from './activity-groups.js';
import { attemptOf } from './attempt.js';

/**
 * The reads as a worker registers them: each answer says when its first request went out. The run hears of an
 * answer only with its next workflow task, which may come hours later, after a deployment.
 */
export function stampReads<G extends Group>(reads: G): StampedReads<G>;
export function stampReads(reads: Group): Group {
  return Object.fromEntries(
    Object.entries(reads).map(([name, read]) => [
      name,
      async (input: never): Promise<Stamped<unknown>> => {
        const result = await read(input);
        return { result, readAt: attemptOf(Context.current()).sentAt ?? null };
      },
    ]),
  );
}

export type StampedReads<G> = {
  [K in keyof G]: G[K] extends (input: infer I) => Promise<infer R>
    ? (input: I) => Promise<Stamped<R>>
    : never;
};
