import { setTimeout as delay } from 'node:timers/promises';

import { describe, expect, it } from '@jest/globals';
import { CancelledFailure } from '@temporalio/common';

import {
  createGate,
  createGuardedApi,
  createOutage,
  NEVER_MS,
  readTimes,
  refuse,
} from './guarded-api.js';
import {
  createActivityEnvironment,
  failureIn,
  inActivity,
  thrownBy,
} from '../../support/http/in-activity.js';
import { json, untilAborted } from '../../support/http/scripted-api.js';
import { until } from '../../support/timing/until.js';

describe('a probe', () => {
  it('leaves the breaker open when it is cancelled', async () => {
    const api = await createOutage({ probeMs: 1 });
    const environment = createActivityEnvironment();
    api.answerWith((request) => {
      queueMicrotask(() => {
        environment.cancel();
      });
      return untilAborted(request);
    });
    await delay(20);

    const error = await thrownBy(() => inActivity(() => api.read(), environment));

    expect(error).toBeInstanceOf(CancelledFailure);
    expect(api.breakers.state('cloud')).toBe('open');
  });
});

describe('a call that began before an outage', () => {
  it('neither reopens the breaker nor disturbs a probe when it fails later', async () => {
    const api = createGuardedApi({ probeMs: 1 });
    const gate = createGate();
    const slow = createGate();
    api.answerWith(slow.answer);
    const old = Promise.all(Array.from({ length: 5 }, () => failureIn(() => api.read())));
    await until('the old calls were sent', () => api.sent.length === 5);
    api.answerWith(refuse(503));
    await readTimes(api, 5);
    api.answerWith(gate.answer);
    await delay(20);
    const probe = inActivity(() => api.read());
    await until('the probe was sent', () => api.sent.length === 11);

    slow.release(() => json({}, 504));
    await old;

    expect(api.breakers.state('cloud')).toBe('probing');
    gate.release(() => json({ tasks: [] }));
    await probe;
    expect(api.breakers.state('cloud')).toBe('closed');
  });

  it('does not close the breaker when it is answered later', async () => {
    const api = createGuardedApi({ probeMs: NEVER_MS });
    const slow = createGate();
    api.answerWith(slow.answer);
    const old = inActivity(() => api.read());
    await until('the old call was sent', () => api.sent.length === 1);
    api.answerWith(refuse(503));
    await readTimes(api, 5);

    slow.release(() => json({ tasks: [] }));
    await old;

    expect(api.breakers.state('cloud')).toBe('open');
  });
});
