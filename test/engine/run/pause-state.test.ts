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

  it('holds the run for as long as something takes, and says nothing about it', async () => {
    const heard: string[] = [];
    const pause = createPauseState(() => heard.push('shown'));
    pause.onPause(() => heard.push('call'));

    await pause.during(() => {
      heard.push(pause.isPaused() ? 'paused' : 'goes on');
      return Promise.resolve();
    });
    const failing = pause.during(() => Promise.reject(new Error('refused')));

    await expect(failing).rejects.toThrow('refused');
    expect(heard).toEqual(['call', 'paused', 'call']);
    expect(pause.isPaused()).toBe(false);
  });
});
