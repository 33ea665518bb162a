import { getEventListeners } from 'node:events';

import { CancelledFailure } from '@temporalio/common';
import { describe, expect, it } from '@jest/globals';

import { ignoringCancelRequest } from '../../../src/engine/http/deadline.js';

const REQUESTED = new CancelledFailure('CANCELLED');
const SHUTDOWN = new CancelledFailure('WORKER_SHUTDOWN');

describe('A change that is on its way', () => {
  it('goes on when its run asks for its end', async () => {
    const activity = new AbortController();

    const isCut = await ignoringCancelRequest(activity.signal, (signal) => {
      activity.abort(REQUESTED);
      return Promise.resolve(signal.aborted);
    });

    expect(isCut).toBe(false);
  });

  it('is cut short when the worker stops, also before it began', async () => {
    const activity = new AbortController();

    const reason = await ignoringCancelRequest(activity.signal, (signal) => {
      activity.abort(SHUTDOWN);
      return Promise.resolve<unknown>(signal.reason);
    });
    const isCut = await ignoringCancelRequest(activity.signal, (signal) =>
      Promise.resolve(signal.aborted),
    );

    expect(reason).toBe(SHUTDOWN);
    expect(isCut).toBe(true);
  });

  it('leaves no listener behind, however it ends', async () => {
    const { signal } = new AbortController();

    await ignoringCancelRequest(signal, () => Promise.resolve());
    await ignoringCancelRequest(signal, () => Promise.reject(new Error('cut'))).catch(() => null);

    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });
});
