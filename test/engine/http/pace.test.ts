import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import {
  followLimit,
  isSlowed,
  learnPace,
  SLOWEST,
  startPace,
  type PaceEvent,
} from '../../../src/engine/http/pace.js';
import { createCubicPacer } from '../../support/http/cubic-pacer.js';
import {
  createLearningPacer,
  simulatePacer,
  simulatePacers,
  type Simulated,
} from '../../support/http/simulate-pacer.js';

const LIMITS = { perSecond: 10, maxPauseMs: 30_000 };
const MINUTE_MS = 60_000;

const WORLDS = [0.2, 0.5, 1, 2, 5].flatMap((perSecond) =>
  [1, 10].flatMap((burst) =>
    [true, false].flatMap((retryAfter) =>
      [30, 300].map((latencyMs) => ({ perSecond, burst, retryAfter, latencyMs })),
    ),
  ),
);

/** Long enough for four hundred requests. */
function lengthOf(perSecond: number): number {
  return Math.max(15 * MINUTE_MS, 400_000 / perSecond);
}

function simulate(world: (typeof WORLDS)[number], pacer = createLearningPacer(LIMITS)): Simulated {
  const ms = lengthOf(world.perSecond);
  return simulatePacer(pacer, { ...world, ms, from: MINUTE_MS });
}

describe('the pace towards an API that allows fewer requests', () => {
  it.each(WORLDS)(
    'at $perSecond a second (burst $burst, Retry-After $retryAfter, $latencyMs ms) uses four fifths of it, with few 429',
    (world) => {
      const { answered, refused, seconds } = simulate(world);

      expect(answered / seconds / world.perSecond).toBeGreaterThan(0.8);
      expect(refused / (answered + refused)).toBeLessThan(0.05);
    },
  );

  it.each(WORLDS.filter(({ perSecond }) => perSecond >= 0.5))(
    'at $perSecond a second (burst $burst, Retry-After $retryAfter, $latencyMs ms) is back soon after the limit',
    (world) => {
      const pacer = createLearningPacer(LIMITS);
      simulate(world, pacer);

      const { fullAfterMs } = simulatePacer(pacer, {
        perSecond: 1_000,
        burst: 1_000,
        retryAfter: false,
        latencyMs: world.latencyMs,
        ms: 10 * MINUTE_MS,
        from: 0,
        startsAt: lengthOf(world.perSecond),
      });

      // One 429 in 23 requests has its price: at one request in two seconds that is 44 s.
      expect(fullAfterMs).toBeLessThan((world.perSecond < 1 ? 2.1 : 1) * MINUTE_MS);
    },
  );

  it.each([0.2, 1, 2, 5])('at %p a second is shared by two processes', (perSecond) => {
    const limits = { ...LIMITS, perSecond: LIMITS.perSecond / 2, slowest: SLOWEST / 2 };
    const world = { perSecond, burst: 10, retryAfter: false, latencyMs: 100, lateMs: 20 };

    const both = simulatePacers([createLearningPacer(limits), createLearningPacer(limits)], {
      ...world,
      ms: Math.max(lengthOf(perSecond), 60 * MINUTE_MS),
      from: MINUTE_MS,
    });

    const answered = both.reduce((sum, each) => sum + each.answered, 0);
    const refused = both.reduce((sum, each) => sum + each.refused, 0);
    expect(answered / (both[0]?.seconds ?? 0) / perSecond).toBeGreaterThan(0.8);
    expect(refused / (answered + refused)).toBeLessThan(0.08);
  });

  it('sends 300 waiting calls within two minutes after the API refused everything', () => {
    const pacer = createLearningPacer(LIMITS);
    const refusing = { perSecond: 1e-9, burst: 1, retryAfter: false, latencyMs: 30 };
    simulatePacer(pacer, { ...refusing, ms: 5 * MINUTE_MS, from: 0 });
    const open = { perSecond: 1_000, burst: 1_000, retryAfter: false, latencyMs: 30 };

    const { answered } = simulatePacer(pacer, {
      ...open,
      ms: 2 * MINUTE_MS,
      from: 0,
      startsAt: 5 * MINUTE_MS,
    });

    expect(answered).toBeGreaterThan(300);
  });

  it('is refused less often than the adaptive mode of the AWS SDK, and gets as much through', () => {
    const totals = (create: () => ReturnType<typeof createLearningPacer>) =>
      WORLDS.map((world) => {
        const { answered, refused, seconds } = simulate(world, create());
        const share = refused / (answered + refused);
        return { share, use: answered / seconds / world.perSecond };
      });
    const worst = (figures: ReturnType<typeof totals>) => ({
      share: Math.max(...figures.map(({ share }) => share)),
      use: Math.min(...figures.map(({ use }) => use)),
    });

    const ours = worst(totals(() => createLearningPacer(LIMITS)));
    const cubic = worst(totals(() => createCubicPacer(LIMITS)));

    expect(ours.share).toBeLessThan(cubic.share / 2);
    expect(ours.use).toBeGreaterThan(cubic.use - 0.1);
  });
});

describe('learnPace', () => {
  const kinds = fc.record({
    kind: fc.constantFrom('answered' as const, 'throttled' as const),
    afterMs: fc.integer({ min: 0, max: 20_000 }),
    tookMs: fc.integer({ min: 0, max: 15_000 }),
    retryAfterMs: fc.option(fc.integer({ min: 1, max: 600_000 }), { nil: undefined }),
    isPaced: fc.boolean(),
  });
  const perSecond = fc.double({ min: 0.02, max: 100, noNaN: true });

  it('stays between one request in ten seconds and the configured rate, and obeys within bounds', () => {
    const property = fc.property(perSecond, fc.array(kinds, { maxLength: 200 }), (rate, steps) => {
      const limits = { ...LIMITS, perSecond: rate };
      let pace = startPace(limits);
      let at = 0;
      for (const { afterMs, tookMs, ...step } of steps) {
        at += afterMs;
        const event: PaceEvent = { ...step, sentAt: at - tookMs, at };
        pace = learnPace(pace, event, limits);

        expect(pace.rate).toBeLessThanOrEqual(rate);
        expect(pace.rate).toBeGreaterThanOrEqual(Math.min(SLOWEST, rate) * 0.9);
        expect(pace.pausedUntil).toBeLessThanOrEqual(at + LIMITS.maxPauseMs);
      }
    });

    fc.assert(property);
  });

  it('learns nothing from answers while the API has refused nothing', () => {
    const start = startPace(LIMITS);

    const pace = learnPace(start, { kind: 'answered', sentAt: 0, at: 10, isPaced: true }, LIMITS);

    expect(pace).toEqual(start);
    expect(isSlowed(pace, LIMITS)).toBe(false);
  });

  it('follows the configured rate, but keeps what it has learned below that', () => {
    const half = { ...LIMITS, perSecond: LIMITS.perSecond / 2 };
    const untold = followLimit(startPace(LIMITS), LIMITS, half);
    const learned = learnPace(untold, { kind: 'throttled', sentAt: 0, at: 100 }, half);

    expect(untold.rate).toBe(half.perSecond);
    expect(followLimit(untold, half, LIMITS)).toEqual(startPace(LIMITS));
    expect(followLimit(learned, half, LIMITS).rate).toBe(learned.rate);
    expect(isSlowed(followLimit(learned, half, LIMITS), LIMITS)).toBe(true);
  });

  it('rises to the slowest pace of a larger share', () => {
    const part = { ...LIMITS, perSecond: LIMITS.perSecond / 20, slowest: SLOWEST / 20 };
    let pace = startPace(part);
    for (let at = 1; at <= 20; at++) {
      pace = learnPace(pace, { kind: 'throttled', sentAt: at * 1000, at: at * 1000 + 1 }, part);
    }

    expect(pace.rate).toBe(SLOWEST / 20);
    expect(followLimit(pace, part, LIMITS).rate).toBe(SLOWEST);
  });

  it('slows down once for requests that were on their way together', () => {
    const throttled = (sentAt: number, at: number): PaceEvent => ({
      kind: 'throttled',
      sentAt,
      at,
    });
    const once = learnPace(startPace(LIMITS), throttled(0, 100), LIMITS);

    const twice = learnPace(once, throttled(50, 150), LIMITS);

    expect(once.rate).toBe(5);
    expect(twice.rate).toBe(5);
  });

  it('does not grow from requests that were fewer than it allows', () => {
    const slowed = learnPace(startPace(LIMITS), { kind: 'throttled', sentAt: 0, at: 1 }, LIMITS);

    const idle = learnPace(slowed, { kind: 'answered', sentAt: 2, at: 3, isPaced: false }, LIMITS);
    const busy = learnPace(slowed, { kind: 'answered', sentAt: 2, at: 3, isPaced: true }, LIMITS);

    expect(idle).toEqual(slowed);
    expect(busy.rate).toBeGreaterThan(slowed.rate);
  });

  it('waits as long as Retry-After says, at most half a minute', () => {
    const event = { kind: 'throttled', sentAt: 0, at: 1_000 } as const;

    const short = learnPace(startPace(LIMITS), { ...event, retryAfterMs: 7_000 }, LIMITS);
    const long = learnPace(startPace(LIMITS), { ...event, retryAfterMs: 600_000 }, LIMITS);

    expect(short.pausedUntil).toBe(8_000);
    expect(long.pausedUntil).toBe(31_000);
  });
});
