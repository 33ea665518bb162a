import { describe, expect, it } from '@jest/globals';
import { CancelledFailure } from '@temporalio/common';

import { beforeSending } from '../../../src/engine/activities/before-sending.js';
import {
  createActivityEnvironment,
  failureIn,
  inActivity,
  thrownBy,
} from '../../support/http/in-activity.js';

/** A read that its caller gives up when the activity is cancelled. */
function cutShort(reason: 'CANCELLED' | 'WORKER_SHUTDOWN') {
  const environment = createActivityEnvironment();
  const read = (): Promise<never> => {
    environment.cancel(reason);
    return Promise.reject(new CancelledFailure(reason));
  };
  return { environment, act: () => beforeSending(read) };
}

describe('what a change needs before it is sent', () => {
  it('is handed on', async () => {
    const items = await inActivity(() => beforeSending(() => Promise.resolve(['a'])));

    expect(items).toEqual(['a']);
  });

  it('fails as not sent when its run asks for its end meanwhile', async () => {
    const { environment, act } = cutShort('CANCELLED');

    const failure = await failureIn(act, environment);

    expect(failure.type).toBe('ServiceUnavailable');
    expect(failure.message).toContain('was not sent: its run has taken it back');
  });

  it('fails as not sent when its worker stops: its run need not look for what it has made', async () => {
    const { environment, act } = cutShort('WORKER_SHUTDOWN');

    const failure = await failureIn(act, environment);

    expect(failure.type).toBe('ServiceUnavailable');
    expect(failure.message).toContain('was not sent: its worker stops');
  });

  it('fails with its own fault otherwise', async () => {
    const fault = new TypeError('no such line');

    const error = await thrownBy(() =>
      inActivity(() => beforeSending(() => Promise.reject(fault))),
    );

    expect(error).toBe(fault);
  });
});
