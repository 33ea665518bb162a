import { describe, expect, it } from '@jest/globals';

import { createAdmission } from '../../../src/engine/http/admission.js';

const PROBE_MS = 5_000;
/** A probe interval with its longest jitter. */
const INTERVAL_MS = PROBE_MS * 1.2;

function createLine() {
  const clock = { now: 0 };
  const admission = createAdmission({ probeMs: PROBE_MS, now: () => clock.now });
  /** Asks, and fails at once when it may go. */
  const ask = (name: string, isFresh = false): boolean => {
    const isAdmitted = admission.admits({ name, isFresh });
    if (isAdmitted) admission.ended();
    return isAdmitted;
  };
  return { admission, clock, ask };
}

describe('an open breaker', () => {
  it('lets a call out when a probe interval is over, and not before', () => {
    const { clock, ask } = createLine();

    expect(ask('a')).toBe(false);
    clock.now = PROBE_MS - 1;
    expect(ask('a')).toBe(false);
    clock.now = INTERVAL_MS;
    expect(ask('a')).toBe(true);
    expect(ask('a')).toBe(false);
  });

  it('lets nobody out while a probe is under way', () => {
    const { admission, clock, ask } = createLine();
    clock.now = INTERVAL_MS;

    expect(admission.admits({ name: 'a', isFresh: false })).toBe(true);
    expect(admission.isProbing()).toBe(true);
    clock.now = 10 * INTERVAL_MS;
    expect(ask('b')).toBe(false);
  });

  it('gives every name its turn, although one always asks first', () => {
    const { clock, ask } = createLine();
    const names = ['eager', 'a', 'b', 'c'];
    const admitted = new Map<string, number>();
    for (let round = 0; round < 40; round++) {
      clock.now += INTERVAL_MS;
      for (const name of names) if (ask(name)) admitted.set(name, (admitted.get(name) ?? 0) + 1);
    }

    for (const name of names) expect(admitted.get(name)).toBeGreaterThanOrEqual(5);
  });

  it('does not wait for a name that does not come back', () => {
    const { clock, ask } = createLine();
    clock.now = INTERVAL_MS;
    expect(ask('a')).toBe(true);
    expect(ask('gone')).toBe(false);
    clock.now = 5 * INTERVAL_MS;

    expect(ask('a')).toBe(true);
  });

  it('lets three fresh calls out at once, and after them only probes', () => {
    const { clock, ask } = createLine();

    const admitted = Array.from({ length: 10 }, (_, index) => ask(`new-${index}`, true));

    expect(admitted.filter(Boolean)).toHaveLength(3);
    clock.now = INTERVAL_MS;
    expect(ask('another', true)).toBe(true);
    expect(ask('one more', true)).toBe(false);
  });
});
