import { setTimeout as delay } from 'node:timers/promises';

import { describe, expect, it } from '@jest/globals';

import { failureIn, inActivity } from '../../support/http/in-activity.js';
import {
  createGuardedApi,
  createOutage,
  NEVER_MS,
  ok,
  pathsIn,
  readTimes,
  refuse,
} from './guarded-api.js';
import { withClockSetBy } from '../../support/timing/set-clock.js';
import { until } from '../../support/timing/until.js';

const IN_REGION_1 = '/cloud/v1/instances/1/1';
const IN_REGION_2 = '/cloud/v1/instances/1/2';

describe('an outage of one region', () => {
  it('stops neither the calls of another region nor those of none', async () => {
    const api = createGuardedApi({ probeMs: NEVER_MS });
    api.answerWith(refuse(503));
    await readTimes(api, 5, pathsIn(1));
    api.answerWith(ok);

    const held = await failureIn(() => api.read(IN_REGION_1));
    await inActivity(() => api.read(IN_REGION_2));
    await inActivity(() => api.read('/cloud/v1/tasks/1'));

    expect(held.message).toContain('the API area cloud in region 1 has not answered since');
    expect(api.breakers.state(IN_REGION_2)).toBe('closed');
  });

  it('is not hidden by another region that answers', async () => {
    const api = createGuardedApi({ probeMs: NEVER_MS });
    for (const path of [...pathsIn(1), ...pathsIn(1)]) {
      api.answerWith(refuse(503));
      await readTimes(api, 1, [path]);
      api.answerWith(ok);
      await readTimes(api, 1, [IN_REGION_2]);
    }

    expect(api.breakers.state(IN_REGION_1)).toBe('open');
  });

  it('does not lengthen the line of another region', async () => {
    const api = createGuardedApi({ probeMs: 50, requestsPerSecond: 3, failures: 1 });
    api.answerWith(refuse(503));
    await readTimes(api, 20, pathsIn(1));

    const failure = await failureIn(() => api.read(IN_REGION_2));

    // Twenty calls stand in the line of the first region, half a second each.
    expect(failure.nextRetryDelay).toBeLessThan(1_000);
  });
});

describe('an outage that nobody asks about any more', () => {
  function listen() {
    const said: string[] = [];
    return {
      said,
      onOpen: () => said.push('open'),
      onClose: () => said.push('closed'),
      onForget: () => said.push('forgotten'),
    };
  }

  it('is forgotten, so that its alert ends', async () => {
    const { said, ...heard } = listen();
    const api = await createOutage({ ...heard, probeMs: NEVER_MS, idleMs: 30 });

    await until('it is forgotten', () => said.includes('forgotten'));

    expect(said).toEqual(['open', 'forgotten']);
    expect(api.breakers.state('/cloud/v1/tasks/1')).toBe('closed');
  });

  it('is known for as long as a call asks from time to time', async () => {
    const { said, ...heard } = listen();
    const api = await createOutage({ ...heard, probeMs: NEVER_MS, idleMs: 500 });
    const begunAt = performance.now();

    while (performance.now() - begunAt < 1_200) {
      await failureIn(() => api.read());
      await delay(10);
    }

    expect(said).toEqual(['open']);
    expect(api.breakers.state('/cloud/v1/tasks/1')).not.toBe('closed');
  });
});

describe('a clock that is set back by a day', () => {
  it('does not delay the next probe', async () => {
    const api = await createOutage({ probeMs: 10 });
    api.answerWith(ok);

    await withClockSetBy(-24 * 3_600_000, () =>
      until('a probe was answered', async () => {
        await readTimes(api, 1);
        return api.breakers.state('cloud') === 'closed';
      }),
    );
  });
});
