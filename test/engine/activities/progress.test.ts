import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';

import {
  earlierProgress,
  keepProgress,
  withHeartbeat,
} from '../../../src/engine/activities/attempt.js';
import { contextOfActivity } from '../../../src/engine/http/call-context.js';
import { createActivityEnvironment, inActivity } from '../../support/http/in-activity.js';

const schema = z.object({ done: z.number() });
const WAIT = { waitingFor: 'rate', perSecond: 1, calls: 2 } as const;

/** Runs `act` as an attempt, and returns the details of all its heartbeats. */
async function beatsOf(act: () => Promise<unknown>, heartbeatDetails?: unknown) {
  const beats: unknown[] = [];
  const environment = createActivityEnvironment({ heartbeatDetails });
  environment.on('heartbeat', (details: unknown) => beats.push(details));
  const failing = () =>
    withHeartbeat(async () => {
      await act();
      throw new Error('the attempt ends here');
    });
  await inActivity(failing, environment).catch(() => undefined);
  return beats;
}

describe('the progress of an activity', () => {
  it('is in the last heartbeat of a failed attempt', async () => {
    let done = 1;

    const beats = await beatsOf(() => {
      keepProgress(() => ({ done }));
      done = 7;
      return Promise.resolve();
    });

    expect(beats).toEqual([{ progress: { done: 7 } }]);
  });

  it('stays when an attempt ends before it has read anything', async () => {
    const left = { progress: { done: 7 } };

    expect(await beatsOf(() => Promise.resolve(), left)).toEqual([left]);
  });

  it('is not lost while the call waits for its turn', async () => {
    const beats = await beatsOf(() => Promise.resolve(contextOfActivity().onWait?.(WAIT)), {
      progress: { done: 7 },
    });

    expect(beats[0]).toEqual({ ...WAIT, progress: { done: 7 } });
  });

  it('stays where it was when it becomes too large', async () => {
    let note = 'short';

    const beats = await beatsOf(async () => {
      keepProgress(() => ({ note }));
      contextOfActivity().onWait?.(undefined);
      note = 'x'.repeat(20_000);
      return Promise.resolve();
    });

    expect(beats).toEqual([{ progress: { note: 'short' } }, { progress: { note: 'short' } }]);
  });

  it.each([undefined, null, 'text', WAIT, { progress: { steps: 7 } }, { progress: null }])(
    'is not taken from details such as %j',
    async (heartbeatDetails) => {
      const environment = createActivityEnvironment({ heartbeatDetails });
      const read = () => Promise.resolve(earlierProgress(schema));

      expect(await inActivity(read, environment)).toBeUndefined();
    },
  );
});
