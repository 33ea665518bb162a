/** The rate at which a process sends requests for one account, and what it has learned about it. */
export interface Pace {
  /** Requests a second. */
  rate: number;
  /** About what the API allows: the growth pauses here. */
  plateau: number;
  /** Answered requests that are still due before the pace may leave the plateau again. */
  debt: number;
  /** Answered requests since the pace left the plateau. */
  probed: number;
  /** Answered requests since the last 429. */
  answered: number;
  /** The time that these would have taken, each at its pace. */
  answeredMs: number;
  /** The rate of the last request that was answered. */
  accepted: number;
  /** When the last 429 slowed the pace down; `undefined` when none has. Earlier requests prove nothing any more. */
  slowedAt: number | undefined;
  /** Nothing goes out before this time: the API has asked for it. */
  pausedUntil: number;
}

/** What became of a request. `sentAt` and `at` are milliseconds of one monotonic clock. */
export type PaceEvent = { sentAt: number; at: number } & (
  | {
      kind: 'answered';
      /** It went out as soon as the pace allowed. Otherwise it proves nothing about the pace. */
      isPaced: boolean;
    }
  | { kind: 'throttled'; retryAfterMs?: number | undefined }
);

type Answered = Extract<PaceEvent, { kind: 'answered' }>;
type Throttled = Extract<PaceEvent, { kind: 'throttled' }>;

export interface PaceLimits {
  /** The configured rate, or the part of it that this process may use. */
  perSecond: number;
  /** It never goes slower; default `SLOWEST`. Less when several processes share the account. */
  slowest?: number;
  /** Longest obedience to a Retry-After: after it one request probes. */
  maxPauseMs: number;
}

/** One request in ten seconds. */
export const SLOWEST = 0.1;
/** A 429 is paid for with this number of answered requests: at most one request in 23 is refused. */
const PRICE = 22;
/** Nobody owes more than this time's requests, or the price of two 429s: the way back must not last for long. */
const MAX_DEBT_SECONDS = 40;
/** No probe so soon after a 429, where the price is paid sooner. */
const MIN_CALM_MS = 20_000;
/** A 429 after no more than this number of answers shows that the pace is far above the limit. */
const FEW = 2;
/** The pace then falls to this share. */
const DROP = 0.5;
/** Just below the rate that was accepted last. */
const SAFE_SHARE = 0.97;
/** The pace begins at this share of the plateau, and comes closer with each answer. */
const START_SHARE = 0.93;
const APPROACH = 0.1;
/** The plateau is not higher than the average since the last 429 by more than this factor. */
const MEAN_FACTOR = 1.16;
/** After this number of answers beyond the plateau, the pace has grown by the factor e; after twice as many, by e⁴. */
const PROBE_LENGTH = 7;

export function startPace({ perSecond }: PaceLimits): Pace {
  return {
    rate: perSecond,
    plateau: perSecond,
    debt: 0,
    probed: 0,
    answered: 0,
    answeredMs: 0,
    accepted: perSecond,
    slowedAt: undefined,
    pausedUntil: -Infinity,
  };
}

/**
 * The pace after a change of the configured rate, or of the slowest one. What it has learned between them
 * stays.
 */
export function followLimit(pace: Pace, from: PaceLimits, to: PaceLimits): Pace {
  const { perSecond, slowest = SLOWEST } = to;
  const fit = (rate: number): number =>
    Math.max(Math.min(rate, perSecond), Math.min(slowest, perSecond));
  const hasLearned = pace.slowedAt !== undefined;
  return {
    ...pace,
    rate: isSlowed(pace, from) ? fit(pace.rate) : perSecond,
    plateau: hasLearned ? fit(pace.plateau) : perSecond,
    accepted: hasLearned ? fit(pace.accepted) : perSecond,
  };
}

/** Whether the API allows less than the configured rate. */
export function isSlowed(pace: Pace, { perSecond }: PaceLimits): boolean {
  return pace.rate < perSecond;
}

/**
 * The pace after an answer. Growth counts answered requests, not seconds: so the share of 429 is the same
 * at any limit. After a 429 the pace stays just below what was accepted last. When the 429 is paid
 * for, it leaves that plateau, slowly at first and then ever faster, until the next 429 or the
 * configured rate.
 */
export function learnPace(pace: Pace, event: PaceEvent, limits: PaceLimits): Pace {
  return event.kind === 'throttled' ? slowDown(pace, event, limits) : grow(pace, event, limits);
}

function slowDown(
  pace: Pace,
  { sentAt, at, retryAfterMs = 0 }: Throttled,
  { perSecond, slowest: floor = SLOWEST, maxPauseMs }: PaceLimits,
): Pace {
  const pausedUntil = Math.max(pace.pausedUntil, at + Math.min(retryAfterMs, maxPauseMs));
  if (isOutdated(pace, sentAt)) {
    return { ...pace, pausedUntil, debt: pace.debt === 0 ? 0 : owe(pace) };
  }
  const slowest = Math.min(floor, perSecond);
  const slowed = { ...pace, answered: 0, answeredMs: 0, probed: 0, slowedAt: at, pausedUntil };
  const isFarAbove = pace.answered === 0 || (pace.answered <= FEW && pace.rate <= pace.plateau);
  if (isFarAbove) {
    const rate = Math.max(pace.rate * DROP, slowest);
    // At the slowest pace the API refuses everything. The way back from there is long enough.
    const debt = rate === slowest ? 0 : Math.min(pace.debt, PRICE);
    return { ...slowed, rate, plateau: rate, accepted: rate, debt };
  }
  const plateau = Math.max(estimate(pace), slowest);
  return {
    ...slowed,
    rate: Math.max(plateau * START_SHARE, slowest),
    plateau,
    debt: owe(pace),
  };
}

/** It went out before the pace was last slowed down. */
function isOutdated({ slowedAt }: Pace, sentAt: number): boolean {
  return slowedAt !== undefined && sentAt < slowedAt;
}

function owe({ debt, plateau }: Pace): number {
  return Math.min(debt + PRICE, Math.max(2 * PRICE, MAX_DEBT_SECONDS * plateau));
}

/** A rate just below what the API allows, at a 429 after some answers. */
function estimate({ rate, plateau, accepted, answered, answeredMs }: Pace): number {
  const mean = (answered / answeredMs) * 1000;
  if (rate <= plateau) return Math.min(rate * START_SHARE, mean);
  // The API may have saved up what was not sent before. Then it accepted for a while more than it allows.
  const most = answered < PRICE ? accepted : Math.min(accepted, mean * MEAN_FACTOR);
  return most * SAFE_SHARE;
}

function grow(pace: Pace, { sentAt, at, isPaced }: Answered, { perSecond }: PaceLimits): Pace {
  const { slowedAt, rate, plateau } = pace;
  if (slowedAt === undefined || !isPaced || isOutdated(pace, sentAt)) return pace;
  const next = {
    ...pace,
    answered: pace.answered + 1,
    answeredMs: pace.answeredMs + 1000 / rate,
    accepted: rate,
    debt: Math.max(pace.debt - 1, 0),
  };
  const isCalm = rate >= plateau || at >= slowedAt + MIN_CALM_MS;
  if (next.debt > 0 || !isCalm) return { ...next, rate: rate + (plateau - rate) * APPROACH };
  const probed = pace.probed + 1;
  const wanted = plateau * Math.exp((probed / PROBE_LENGTH) ** 2);
  return { ...next, probed, rate: Math.min(Math.max(wanted, rate), perSecond) };
}
