import { describe, expect, it } from '@jest/globals';

import { createFreezeWatch } from '../../../src/engine/http/freeze-watch.js';

const HOUR_MS = 3_600_000;

/** A process with two clocks, which a test moves by hand. */
function createProcess() {
  const now = { monotonic: 0, timeOfDay: Date.parse('2026-11-25T01:00:00Z') };
  const watch = createFreezeWatch(
    () => now.monotonic,
    () => now.timeOfDay,
  );
  return {
    /** Milliseconds pass while the process runs; returns whether it was suspected at any look. */
    run(ms: number): boolean {
      let suspected = false;
      for (let passed = 0; passed < ms; passed += 1_000) {
        now.monotonic += 1_000;
        now.timeOfDay += 1_000;
        suspected = watch.hasJustWoken() || suspected;
      }
      return suspected;
    },
    stand(ms: { monotonic?: number; timeOfDay?: number }): void {
      now.monotonic += ms.monotonic ?? 0;
      now.timeOfDay += ms.timeOfDay ?? 0;
    },
    hasJustWoken: () => watch.hasJustWoken(),
  };
}

describe('a process that has stood still', () => {
  it.each([
    ['was stopped', { monotonic: 10_000, timeOfDay: 10_000 }],
    ['was stopped while its clock was set back', { monotonic: 10_000, timeOfDay: -HOUR_MS }],
    ['slept with its machine', { timeOfDay: 10_000 }],
  ])('is suspected for five seconds when it %s', (_title, stood) => {
    const freezing = createProcess();
    freezing.stand(stood);

    expect(freezing.hasJustWoken()).toBe(true);
    freezing.run(4_000);
    expect(freezing.hasJustWoken()).toBe(true);
    freezing.run(1_000);
    expect(freezing.hasJustWoken()).toBe(false);
  });

  it('is not suspected when it was busy for less than ten seconds', () => {
    const busy = createProcess();
    busy.stand({ monotonic: 9_000, timeOfDay: 9_000 });

    expect(busy.hasJustWoken()).toBe(false);
  });
});

describe('a clock that is set', () => {
  it('forward and back again holds changes up for five seconds, not for the length of the jump', () => {
    const process = createProcess();
    process.stand({ timeOfDay: HOUR_MS });
    process.run(30_000);
    process.stand({ timeOfDay: -HOUR_MS });

    expect(process.run(2 * HOUR_MS)).toBe(false);
  });

  it('back within the five seconds does not lengthen them', () => {
    const process = createProcess();
    process.stand({ timeOfDay: HOUR_MS });
    process.run(1_000);
    process.stand({ timeOfDay: -HOUR_MS });
    process.run(4_000);

    expect(process.run(2 * HOUR_MS)).toBe(false);
  });
});
