import { describe, expect, it } from '@jest/globals';

import { createPauseState } from '../../../src/engine/run/controls.js';

describe('the pause of a run', () => {
  it('is told to who listens, once for each pause, until they stop', () => {
    const heard: string[] = [];
    const pause = createPauseState((isPaused) => heard.push(isPaused ? 'paused' : 'goes on'));
    const stop = pause.onPause(() => heard.push('call'));

    pause.set(true);
    pause.set(true);
    pause.set(false);
    stop();
    pause.set(true);

    expect(heard).toEqual(['paused', 'call', 'goes on', 'paused']);
    expect(pause.isPaused()).toBe(true);
  });
});
