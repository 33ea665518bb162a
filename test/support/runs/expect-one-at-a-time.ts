import { expect } from '@jest/globals';

import type { Taker } from './turn-takers.js';

/** Each turn begins after the one before it has ended. */
export async function expectOneAtATime(takers: readonly Taker[]): Promise<void> {
  const turns = await Promise.all(takers.map(({ taken }) => taken()));
  for (const [index, { from }] of turns.slice(1).entries()) {
    expect(from).toBeGreaterThanOrEqual(turns[index]?.to ?? Infinity);
  }
}
