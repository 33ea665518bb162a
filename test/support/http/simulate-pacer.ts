import {
  learnPace,
  startPace,
  type PaceEvent,
  type PaceLimits,
} from '../../../src/engine/http/pace.js';
import { seededFraction } from '../../../src/simulator/state/seeded-fraction.js';
import { createRateLimiter, type RateLimiter } from '../../../src/simulator/faults/rate-limiter.js';

/** Decides how fast requests go out. All times are milliseconds of a simulated clock. */
export interface Pacer {
  /** Requests a second. */
  rate(): number;
  pausedUntil(): number;
  learn(event: PaceEvent): void;
}

export interface PacedWorld {
  /** What the API allows. */
  perSecond: number;
  burst: number;
  retryAfter: boolean;
  /** From a request to its answer. */
  latencyMs: number;
  /** Timers are late by up to this time; default 0. */
  lateMs?: number;
  /** Length of the simulation. */
  ms: number;
  /** Requests are counted from here. */
  from: number;
  /** Where the clock stands at the begin; default 0. */
  startsAt?: number;
}

export interface Simulated {
  /** Counted requests that the API took, and those that it refused with 429. */
  answered: number;
  refused: number;
  seconds: number;
  /** When the pace was full for the first time. */
  fullAfterMs: number;
}

/** The configured rate of all these simulations. */
const FULL = 10;

export function createLearningPacer(limits: PaceLimits): Pacer {
  let pace = startPace(limits);
  return {
    rate: () => pace.rate,
    pausedUntil: () => pace.pausedUntil,
    learn: (event) => {
      pace = learnPace(pace, event, limits);
    },
  };
}

/** Requests without end, as fast as the pacer lets them go, against a token bucket. */
export function simulatePacer(pacer: Pacer, world: PacedWorld): Simulated {
  const [figures] = simulatePacers([pacer], world);
  if (figures === undefined) throw new Error('no pacer');
  return figures;
}

/** Several processes that share the token bucket of one account. */
export function simulatePacers(pacers: readonly Pacer[], world: PacedWorld): Simulated[] {
  const { ms, startsAt = 0 } = world;
  const clock = { now: startsAt };
  let drawn = 0;
  const random = (): number => seededFraction(1, drawn++);
  const limiter = createRateLimiter({ kind: 'rate-limit', ...world }, () => clock.now);
  const senders = pacers.map((pacer) => createSender(pacer, world, { limiter, random }));
  while (clock.now < startsAt + ms) {
    const [first] = senders
      .map((sender) => ({ sender, at: sender.nextAt(clock.now) }))
      .sort((a, b) => a.at - b.at);
    if (first === undefined) break;
    clock.now = first.at;
    first.sender.act(clock.now);
  }
  return senders.map(({ figures }) => figures);
}

function createSender(
  pacer: Pacer,
  world: PacedWorld,
  { limiter, random }: { limiter: RateLimiter; random: () => number },
) {
  const { ms, from, startsAt = 0, latencyMs, lateMs = 0 } = world;
  const figures = { answered: 0, refused: 0, seconds: (ms - from) / 1_000, fullAfterMs: Infinity };
  const onTheWay: PaceEvent[] = [];
  let lastAt = -Infinity;
  let late = 0;
  const sendsAt = (now: number): number =>
    Math.max(lastAt + 1_000 / pacer.rate() + late, pacer.pausedUntil(), now);

  const send = (now: number): PaceEvent => {
    lastAt = now;
    late = random() * lateMs;
    // A timer may be early by a fraction of a millisecond.
    const waitMs = limiter.take();
    const isRefused = waitMs > 0.001;
    if (now >= startsAt + from) figures[isRefused ? 'refused' : 'answered'] += 1;
    const sent = { sentAt: now, at: now + latencyMs };
    const retryAfterMs = world.retryAfter ? Math.ceil(waitMs / 1_000) * 1_000 : undefined;
    return isRefused
      ? { kind: 'throttled', ...sent, retryAfterMs }
      : { kind: 'answered', ...sent, isPaced: true };
  };

  return {
    figures,
    /** When it sends, or hears an answer. */
    nextAt: (now: number): number => Math.min(onTheWay[0]?.at ?? Infinity, sendsAt(now)),
    act(now: number): void {
      if (pacer.rate() >= FULL) figures.fullAfterMs = Math.min(figures.fullAfterMs, now - startsAt);
      const answer = onTheWay[0];
      if (answer === undefined || answer.at > now) {
        onTheWay.push(send(now));
        return;
      }
      onTheWay.shift();
      pacer.learn(answer);
    },
  };
}
