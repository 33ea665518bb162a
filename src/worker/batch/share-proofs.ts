import { Context } from '@temporalio/activity';
import { performance } from 'node:perf_hooks';

import { Standing } from '../../engine/http/send-in-turn.js';

/** So long several starts of one attempt share a proof. */
const SHARED_MS = 100;
/** After a proof, a start goes out within this time, or not. */
const HOLDS_MS = 3_000;

/**
 * A start of a run costs a few calls to the server, and the proof that its batch still wants it one more: starts of one
 * attempt that come together share it. One that has stood still meanwhile is not believed.
 */
export function shareProofs(prove: () => Promise<Standing>): () => Promise<Standing> {
  const proofs = new WeakMap<Context, { askedAt: number; standing: Promise<Standing> }>();
  return async () => {
    const context = Context.current();
    const known = proofs.get(context);
    const isFresh = known !== undefined && performance.now() - known.askedAt <= SHARED_MS;
    const proof = isFresh ? known : { askedAt: performance.now(), standing: prove() };
    proofs.set(context, proof);
    const standing = await proof.standing;
    return performance.now() - proof.askedAt <= HOLDS_MS ? standing : Standing.unproven;
  };
}
