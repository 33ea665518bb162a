import type { Finding } from './world/records.js';
import type { Focus } from './world/swarm.js';

/** A fault of the product that the search has found, and that nobody has mended yet. */
export interface KnownFinding {
  /** What is wrong, in one sentence. */
  because: string;
  /** One that shows it, in a search with this focus. */
  seed: number;
  focus?: Focus;
  invariant: string;
  /** What the judge says of it. */
  says: RegExp;
}

/**
 * The search goes on beside these: what fits one of them is counted, and anything else fails. Who mends one of them moves its
 * seed to `failed-seeds.ts`, and the same seeds show at once whether it is mended.
 */
export const KNOWN_FINDINGS: readonly KnownFinding[] = [];

export function knownFinding({ invariant, says }: Finding): KnownFinding | undefined {
  return KNOWN_FINDINGS.find((known) => known.invariant === invariant && known.says.test(says));
}
