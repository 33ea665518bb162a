import { describe, expect, it } from '@jest/globals';
import { Hono } from 'hono';

import {
  admit,
  CallerClass,
  limitBodies,
  createAdmission,
  type Admission,
} from '../../src/gateway/admission.js';
import type { GatewayEnv } from '../../src/gateway/gateway-context.js';
import { answerProblem, identify } from '../../src/gateway/middleware.js';
import { toProblem } from '../../src/gateway/to-problem.js';
import { readBytes } from '../../src/gateway/read-body.js';
import { createGate } from '../support/timing/gate.js';
import { until } from '../support/timing/until.js';

const LIMITS = {
  seats: { stranger: 16, caller: 4, operator: 2 },
  bodyBytes: 1_000,
  unreadBytes: 1_000,
};
const seatOf = (callerClass: CallerClass, name: string) => ({ callerClass, name });
const ci = seatOf(CallerClass.caller, 'ci');
const release = seatOf(CallerClass.caller, 'release');
const onCall = seatOf(CallerClass.operator, 'on-call');
const stranger = (address: string) => seatOf(CallerClass.stranger, address);
const BUSY = expect.objectContaining({ problem: expect.objectContaining({ status: 503 }) });

describe('the seats of a gateway', () => {
  it('are for each class of callers by itself', () => {
    const { sit } = createAdmission(LIMITS);
    for (let at = 0; at < 16; at += 1) sit(stranger(`192.0.2.${at}`));

    expect(() => sit(stranger('192.0.2.99'))).toThrow(BUSY);
    expect(() => sit(ci)).not.toThrow();
    expect(() => sit(onCall)).not.toThrow();
  });

  it('are not all for one token, or for one address of a stranger', () => {
    const { sit } = createAdmission(LIMITS);
    for (const seat of [ci, ci, stranger('192.0.2.1'), stranger('192.0.2.1')]) sit(seat);

    expect(() => sit(ci)).toThrow(BUSY);
    expect(() => sit(release)).not.toThrow();
    expect(() => sit(stranger('192.0.2.1'))).toThrow(BUSY);
    expect(() => sit(stranger('192.0.2.2'))).not.toThrow();
  });

  it('are given back once', () => {
    const { sit } = createAdmission(LIMITS);
    const leave = sit(onCall);

    leave();
    leave();
    sit(onCall);

    expect(() => sit(onCall)).toThrow(BUSY);
  });

  it('are for nobody who does not read what it has asked for', () => {
    const { sit } = createAdmission(LIMITS);
    const answer = { writableLength: 501 };
    const leave = sit(ci, answer);

    expect(() => sit(ci)).toThrow(BUSY);
    const other = sit(release, { writableLength: 500 });
    expect(() => sit(seatOf(CallerClass.caller, 'a third'))).toThrow(BUSY);
    other();
    answer.writableLength = 0;
    expect(() => sit(ci)).not.toThrow();
    leave();
  });
});

describe('the line of large answers', () => {
  it('is not all for one token, however many it asks for', async () => {
    const { makeLarge } = createAdmission(LIMITS);
    const gate = createGate();
    const wait = () => gate.opened.then(() => 'of ci');
    const own = Array.from({ length: 20 }, () => makeLarge(ci, wait));

    const first = await Promise.race([
      makeLarge(release, () => Promise.resolve('of release')),
      new Promise((resolve) => setImmediate(resolve, 'nothing')),
    ]);
    gate.open();

    expect(first).toBe('of release');
    expect(await Promise.all(own)).toHaveLength(20);
  });
});

/** Answers when its body has come and the gate is open. */
function slowApp(admission: Admission, opened: Promise<unknown>) {
  const app = new Hono<GatewayEnv>();
  app.onError((error, c) => answerProblem(c, toProblem(error)));
  app.use(
    identify(() => undefined),
    limitBodies(admission),
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
    const first = send(100);
    await until('the first one is there', () => waiting() === 1);

    const second = await send(100);
    gate.open();
    await first;
    const third = await send(100);

    expect([second.status, second.headers.get('retry-after')]).toEqual([503, '1']);
    expect(third.status).toBe(200);
  });

  it('are not looked through all at once, when large ones come together', async () => {
    let turn = 0;
    const tick = (): void => {
      turn += 1;
      next = setImmediate(tick);
    };
    let next = setImmediate(tick);
    const turns: number[] = [];
    const app = new Hono<GatewayEnv>();
    app.use(
      identify(() => undefined),
      limitBodies(createAdmission({ ...LIMITS, bodyBytes: 10_000_000 })),
    );
    app.post('/', async (c) => {
      await readBytes(c);
      turns.push(turn);
      return c.json({});
    });
    const body = 'x'.repeat(100_000);

    const send = async () => (await app.request('/', { method: 'POST', body })).status;
    const statuses = await Promise.all(Array.from({ length: 5 }, send));
    clearImmediate(next);

    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(new Set(turns).size).toBe(5);
  });

  it('are not all of one token, nor of one class of callers', () => {
    const { addBytes } = createAdmission(LIMITS);
    addBytes(ci, 500);

    expect(() => {
      addBytes(ci, 1);
    }).toThrow(BUSY);
    addBytes(release, 500);
    const third = seatOf(CallerClass.caller, 'nightly');
    expect(() => {
      addBytes(third, 1);
    }).toThrow(BUSY);
    expect(() => {
      addBytes(onCall, 500);
      addBytes(stranger('192.0.2.1'), 100);
    }).not.toThrow();
    addBytes(ci, -500);
    expect(() => {
      addBytes(third, 500);
    }).not.toThrow();
  });
});
