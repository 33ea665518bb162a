import { describe, expect, it } from '@jest/globals';
import { Hono } from 'hono';

import {
  admit,
  CallerClass,
  countBodies,
  createAdmission,
  type Admission,
} from '../../src/gateway/admission.js';
import type { GatewayEnv } from '../../src/gateway/gateway-context.js';
import { answerProblem, identify } from '../../src/gateway/middleware.js';
import { toProblem } from '../../src/gateway/to-problem.js';
import { readBytes } from '../../src/gateway/read-body.js';
import { createGate } from '../support/timing/gate.js';
import { until } from '../support/timing/until.js';

const LIMITS = { seats: { stranger: 2, caller: 4, operator: 2 }, bodyBytes: 1_000 };
const BUSY = expect.objectContaining({ problem: expect.objectContaining({ status: 503 }) });

describe('the seats of a gateway', () => {
  it('are for each class of callers by itself', () => {
    const { sit } = createAdmission(LIMITS);
    sit(CallerClass.stranger, '-');
    sit(CallerClass.stranger, '-');

    expect(() => sit(CallerClass.stranger, '-')).toThrow(BUSY);
    expect(() => sit(CallerClass.caller, 'ci')).not.toThrow();
    expect(() => sit(CallerClass.operator, 'on-call')).not.toThrow();
  });

  it('are not all for one token', () => {
    const { sit } = createAdmission(LIMITS);
    sit(CallerClass.caller, 'ci');
    sit(CallerClass.caller, 'ci');

    expect(() => sit(CallerClass.caller, 'ci')).toThrow(BUSY);
    expect(() => sit(CallerClass.caller, 'another')).not.toThrow();
  });

  it('are given back once', () => {
    const { sit } = createAdmission(LIMITS);
    const leave = sit(CallerClass.stranger, '-');
    sit(CallerClass.stranger, '-');

    leave();
    leave();
    sit(CallerClass.stranger, '-');

    expect(() => sit(CallerClass.stranger, '-')).toThrow(BUSY);
  });
});

/** Answers when its body has come and the gate is open. */
function slowApp(admission: Admission, opened: Promise<unknown>) {
  const app = new Hono<GatewayEnv>();
  app.onError((error, c) => answerProblem(c, toProblem(error)));
  app.use(
    identify(() => undefined),
    countBodies(admission),
    admit(admission),
  );
  let waiting = 0;
  app.post('/', async (c) => {
    await readBytes(c);
    waiting += 1;
    await opened;
    return c.json({});
  });
  return { app, waiting: () => waiting };
}

describe('the bodies that a gateway holds', () => {
  it('have a most, and count no more when their requests are answered', async () => {
    const gate = createGate();
    const { app, waiting } = slowApp(createAdmission(LIMITS), gate.opened);
    const send = (bytes: number) => app.request('/', { method: 'POST', body: 'x'.repeat(bytes) });
    const first = send(600);
    await until('the first one is there', () => waiting() === 1);

    const second = await send(600);
    gate.open();
    await first;
    const third = await send(600);

    expect([second.status, second.headers.get('retry-after')]).toEqual([503, '1']);
    expect(third.status).toBe(200);
  });
});
