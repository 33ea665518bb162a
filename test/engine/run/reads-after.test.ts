import { describe, expect, it } from '@jest/globals';

import { createPauseState } from '../../../src/engine/run/controls.js';
import { againAfter, createReadsAfter } from '../../../src/engine/run/reads-after.js';
import type { ShownRead } from '../../../src/engine/run/read-times.js';

const READ = { read: 'getKey', input: { id: 7 } };
/** What a read is, by the time at which it was made. */
function shownAt(readAt: number) {
  return { readAt, result: { id: 7 } };
}

/** What the run knows after a change whose activity has read a key so many milliseconds ago. */
function knownFor(ageMs: number, pause = createPauseState(() => undefined)) {
  const after = createReadsAfter(pause);
  const shown = shownAt(Date.now() - ageMs);
  after.note([READ], [shown], 3);
  return { after, shown };
}

describe('what was read after a change', () => {
  it('spares one read of the same', () => {
    const { after, shown } = knownFor(0);

    expect(after.take({ read: 'getKey', input: { id: 7 } })).toEqual({ shown, asked: 3 });
    expect(after.take(READ)).toBeUndefined();
  });

  it.each([[{ read: 'getKey', input: { id: 8 } }], [{ read: 'getStore', input: { id: 7 } }]])(
    'spares no other read, such as %j',
    (other) => {
      const { after } = knownFor(0);

      expect(after.take(other)).toBeUndefined();
    },
  );

  it('spares none once it is old: the run may have been paused for days', () => {
    const { after } = knownFor(6_000);

    expect(after.take(READ)).toBeUndefined();
  });

  it('spares none after another change', () => {
    const { after } = knownFor(0);
    after.forget();

    expect(after.take(READ)).toBeUndefined();
  });

  it.each(['after', 'before'])('spares none when a pause began %s the change ended', (when) => {
    const pause = createPauseState(() => undefined);
    if (when === 'before') pause.set(true);
    const { after } = knownFor(0, pause);
    if (when === 'after') pause.set(true);
    pause.set(false);

    expect(after.take(READ)).toBeUndefined();
  });

  it('is nothing where the activity has left a read out', () => {
    const after = createReadsAfter(createPauseState(() => undefined));
    after.note([READ], [], 3);

    expect(after.take(READ)).toBeUndefined();
  });
});

/** Reads of a look. */
function readsOf(...ids: readonly number[]): ShownRead[] {
  return ids.map((id) => ({
    name: 'getKey',
    input: { id },
    result: {},
    untilNews: () => Promise.resolve(),
  }));
}

describe('the reads that follow a change', () => {
  it('are those of the look that it rests on, each once', () => {
    expect(againAfter(readsOf(7, 8, 7))).toEqual([READ, { read: 'getKey', input: { id: 8 } }]);
  });

  it('are none where the look made many: the answer of the change would wait for them', () => {
    expect(againAfter(readsOf(1, 2, 3, 4))).toEqual([]);
  });

  it('are none where nobody has looked', () => {
    expect(againAfter()).toEqual([]);
  });
});
