import { describe, expect, it } from '@jest/globals';
import { Hono } from 'hono';

import {
  admit,
  CallerClass,
  createAdmission,
  GATEWAY_LIMITS,
  paceBodies,
  type Admission,
  type Seat,
} from '../../src/gateway/admission.js';
import type { GatewayEnv } from '../../src/gateway/gateway-context.js';
import { answerProblem, identify } from '../../src/gateway/middleware.js';
import { toProblem } from '../../src/gateway/to-problem.js';
import { readBytes } from '../../src/gateway/read-body.js';
import { createGate } from '../support/timing/gate.js';
import { until } from '../support/timing/until.js';

const MIB = 1_024 ** 2;
const LIMITS = { ...GATEWAY_LIMITS, seats: 16 };
const seatOf = (callerClass: CallerClass, name: string) => ({ callerClass, name });
const ci = seatOf(CallerClass.caller, 'ci');
const release = seatOf(CallerClass.caller, 'release');
const onCall = seatOf(CallerClass.operator, 'on-call');
const stranger = (address: string) => seatOf(CallerClass.stranger, address);
const BUSY = expect.objectContaining({ problem: expect.objectContaining({ status: 503 }) });

describe('the seats of a gateway', () => {
  it('are for strangers by themselves', () => {
    const { sit } = createAdmission(LIMITS);
    for (let at = 0; at < 16; at += 1) sit(stranger(`192.0.2.${at}`));

    expect(() => sit(stranger('192.0.2.99'))).toThrow(BUSY);
    expect(() => sit(ci)).not.toThrow();
    expect(() => sit(onCall)).not.toThrow();
  });

  it('are not all for one address of a stranger', () => {
    const { sit } = createAdmission(LIMITS);
    sit(stranger('192.0.2.1'));
    sit(stranger('192.0.2.1'));

    expect(() => sit(stranger('192.0.2.1'))).toThrow(BUSY);
    expect(() => sit(stranger('192.0.2.2'))).not.toThrow();
  });

  it('are given back once', () => {
    const { sit } = createAdmission(LIMITS);
    const { leave } = sit(stranger('192.0.2.1'));
    sit(stranger('192.0.2.1'));

    leave();
    leave();
    sit(stranger('192.0.2.1'));

    expect(() => sit(stranger('192.0.2.1'))).toThrow(BUSY);
  });

  it('of tokens are as many as there is memory for, and half of them for one', () => {
    const { sit } = createAdmission(GATEWAY_LIMITS);
    let seats = 0;
    expect(() => {
      for (; seats < 10_000; seats += 1) sit(onCall);
    }).toThrow(BUSY);

    expect(seats).toBe(Math.floor(GATEWAY_LIMITS.memory.tokens / 2 / 20_480));
    expect(() => sit(ci)).not.toThrow();
  });
});

describe('a body in small pieces', () => {
  it('is counted a few times, however many open answers there are', () => {
    const { sit } = createAdmission(LIMITS);
    let looks = 0;
    const answer = {
      get writableLength() {
        looks += 1;
        return 0;
      },
    };
    sit(ci, answer);
    const { hold } = sit(ci);
    looks = 0;
    for (let bytes = 0; bytes < MIB; bytes += 64) hold(64);

    expect(looks).toBe(128);
    expect(() => {
      for (let bytes = 0; bytes < 64 * MIB; bytes += 64) hold(64);
    }).toThrow(BUSY);
  });
});

/** What this one may hold beside its seat, to a megabyte. */
function mostHeld(admission: Admission, seat: Seat): number {
  const { hold, leave } = admission.sit(seat);
  let most = 0;
  try {
    for (; ; most += 1) hold(MIB);
  } catch {
    return most;
  } finally {
    leave();
  }
}

describe('what a gateway holds for its callers', () => {
  const TOKENS = GATEWAY_LIMITS.memory.tokens / MIB;

  it('is one sum: lists, bodies and answers that nobody has read yet', () => {
    const admission = createAdmission(GATEWAY_LIMITS);
    const before = mostHeld(admission, onCall);
    const answer = { writableLength: 30 * MIB };
    const { leave } = admission.sit(onCall, answer);

    expect(before).toBe(TOKENS / 2 - 1);
    expect(mostHeld(admission, onCall)).toBe(TOKENS / 2 - 31);
    answer.writableLength = 60 * MIB;
    expect(() => admission.sit(onCall)).toThrow(BUSY);
    leave();
    expect(mostHeld(admission, onCall)).toBe(before);
  });

  it('leaves room for the next one, however many tokens take all that they may', () => {
    const admission = createAdmission(GATEWAY_LIMITS);
    const shares = Array.from({ length: 4 }, (_, at) => {
      const seat = seatOf(CallerClass.operator, `token ${at}`);
      const share = mostHeld(admission, seat);
      admission.sit(seat).hold(share * MIB);
      return share;
    });

    expect(shares).toEqual([41, 21, 10, 5]);
    expect(mostHeld(admission, onCall)).toBeGreaterThan(1);
  });

  it('has a rest for those who may operate', () => {
    const admission = createAdmission(GATEWAY_LIMITS);
    for (let at = 0; at < 100; at += 1) {
      const seat = seatOf(CallerClass.caller, `token ${at}`);
      const share = mostHeld(admission, seat);
      if (share > 0) admission.sit(seat).hold(share * MIB);
    }

    expect(mostHeld(admission, seatOf(CallerClass.caller, 'the last'))).toBe(0);
    expect(mostHeld(admission, onCall)).toBeGreaterThan(2);
  });

  it('is nothing of strangers, and theirs nothing of it', () => {
    const admission = createAdmission(GATEWAY_LIMITS);
    admission.sit(stranger('192.0.2.1')).hold(5 * MIB);
    admission.sit(stranger('192.0.2.2')).hold(3 * MIB);

    expect(() => {
      admission.sit(stranger('192.0.2.3')).hold(3 * MIB);
    }).toThrow(BUSY);
    expect(mostHeld(admission, onCall)).toBe(TOKENS / 2 - 1);
  });
});

describe('the line of large answers', () => {
  it('is not all for one token, however many it asks for', async () => {
    const { sit } = createAdmission(GATEWAY_LIMITS);
    const gate = createGate();
    const wait = () => gate.opened.then(() => 'of ci');
    const own = Array.from({ length: 20 }, () => sit(ci).makeLarge(wait));

    const first = await Promise.race([
      sit(release).makeLarge(() => Promise.resolve('of release')),
      new Promise((resolve) => setImmediate(resolve, 'nothing')),
    ]);
    gate.open();

    expect(first).toBe('of release');
    expect(await Promise.all(own)).toHaveLength(20);
  });

  it('makes nothing for a token that has not read those before', async () => {
    const { sit } = createAdmission(GATEWAY_LIMITS);
    const answer = { writableLength: 0 };
    const { makeLarge } = sit(ci, answer);
    answer.writableLength = 60 * MIB;

    await expect(makeLarge(() => Promise.resolve('made'))).rejects.toEqual(BUSY);
  });
});

describe('a request that has gone', () => {
  it('holds nothing, also when its turn comes later', async () => {
    const admission = createAdmission(GATEWAY_LIMITS);
    const { makeLarge, hold, leave } = admission.sit(onCall);
    leave();

    await makeLarge(() => Promise.resolve('for others'));
    hold(10 * MIB);

    expect(mostHeld(admission, onCall)).toBe(GATEWAY_LIMITS.memory.tokens / MIB / 2 - 1);
  });
});

/** Answers when its body has come and the gate is open. */
function slowApp(admission: Admission, opened: Promise<unknown>) {
  const app = new Hono<GatewayEnv>();
  app.onError((error, c) => answerProblem(c, toProblem(error)));
  app.use(
    identify(() => undefined),
    paceBodies(),
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

/** A seat, and a body. */
const SMALL = { ...LIMITS, memory: { ...LIMITS.memory, strangers: 100_000 } };

describe('the bodies that a gateway holds', () => {
  it('have a most, and count no more when their requests are answered', async () => {
    const gate = createGate();
    const { app, waiting } = slowApp(createAdmission(SMALL), gate.opened);
    const send = (bytes: number) => app.request('/', { method: 'POST', body: 'x'.repeat(bytes) });
    const first = send(10_000);
    await until('the first one is there', () => waiting() === 1);

    const second = await send(10_000);
    gate.open();
    await first;
    const third = await send(10_000);

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
      paceBodies(),
      admit(createAdmission(GATEWAY_LIMITS)),
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
});
