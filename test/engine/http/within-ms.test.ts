import { describe, expect, it } from '@jest/globals';

import { withinMs, contextOfActivity, timeLeft } from '../../../src/engine/http/call-context.js';
import { OutOfTime } from '../../../src/engine/http/deadline.js';
import { createActivityEnvironment, inActivity, thrownBy } from '../../support/http/in-activity.js';

describe('the calls of a part that has to end at once', () => {
  it('have its time, and those after it that of the activity', async () => {
    const { inPart, after } = await inActivity(
      async () => ({
        inPart: await withinMs(500, () => Promise.resolve(timeLeft(contextOfActivity()))),
        after: timeLeft(contextOfActivity()),
      }),
      createActivityEnvironment({ startToCloseTimeoutMs: 60_000 }),
    );

    expect(inPart).toBeLessThanOrEqual(500);
    expect(after).toBeGreaterThan(50_000);
  });

  it('are given up at its end', async () => {
    let cancelled: AbortSignal | undefined;

    const error = await thrownBy(() =>
      inActivity(() =>
        withinMs(5, () => {
          ({ cancelled } = contextOfActivity());
          return new Promise(() => undefined);
        }),
      ),
    );

    expect(error).toBeInstanceOf(OutOfTime);
    expect(cancelled?.aborted).toBe(true);
  });

  it('are given up with the activity', async () => {
    const environment = createActivityEnvironment();

    const error = await thrownBy(() =>
      inActivity(
        () =>
          withinMs(60_000, () => {
            environment.cancel('CANCELLED');
            return new Promise(() => undefined);
          }),
        environment,
      ),
    );

    expect(String(error)).toContain('CANCELLED');
  });
});
