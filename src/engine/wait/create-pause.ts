import { sleep } from '@temporalio/workflow';

import type { TurnTaken } from '../core/messages.js';
import { isoOf } from '../core/times.js';
import { typicalDuration, type PollPolicy } from '../core/run-policy.js';
import type { Waiting } from '../schema/status-document.js';
import type { Run } from '../run/run-types.js';
import { growingDelay, measureGrowth } from '../run/growing-delay.js';

/** What is waited for, and how often to look. */
export interface Pace {
  name: string;
  /** A task type, or another entry of the policy's table; left out where no duration is usual. */
  type?: string;
  /** When the wait began; now when left out. */
  since?: number;
  /** When the wait ends, whatever the looks see: the next look comes at this time at the latest. */
  until?: number | undefined;
  /** The last look has seen what may go on after `until`. */
  mayLast?: () => boolean;
  /** When the caller gives up; see `refuseLate`. */
  giveUpAt?: number | undefined;
  /** Replaces the pace of the run. */
  poll?: PollPolicy;
  /** A watcher looks too, more often than this. */
  watched?: boolean;
  /** Why no watcher looks, although the run asks for one. */
  unwatched?: string | undefined;
  /** The run continues in a new history when this one is long, so a look may cost many events. */
  continues?: boolean;
}

/** What the last look has seen: in words, or the run that has the turn. */
type LastSeen = string | Pick<TurnTaken, 'holder' | 'since'>;

/** @param minMs how long the API asked to wait. */
export type Pause = (state?: LastSeen, minMs?: number) => Promise<void>;

/**
 * Makes the pause between two looks. Each call sleeps until the next look is due. The status says
 * meanwhile what the run waits for, since when, what is usual, when it looks again and when it gives
 * up.
 */
export function createPause(run: Run, pace: Pace): Pause {
  const next = createPace(run, pace);
  return async (state, minMs) => {
    const delay = next(state, minMs);
    await sleep(delay, {
      summary: `${pace.name}${state === undefined ? '' : ` (now: ${describeSeen(state)})`}: next look`,
    });
  };
}

/** The time until the next look is due, in milliseconds. The status says what the run waits for. */
export function createPace(run: Run, pace: Pace): (state?: LastSeen, minMs?: number) => number {
  const { name, type = '', since = Date.now(), giveUpAt, watched = false, unwatched } = pace;
  const eventsOfLook = createCount(pace);
  const until = pace.until ?? giveUpAt ?? Infinity;
  const poll = pace.poll ?? run.prepared.policy.poll;
  const { usualMs } = typicalDuration(type, run.prepared.policy.poll);
  const typicalSeconds = Math.ceil(usualMs / 1000);
  const isUsual = type !== '' && usualMs > 0;
  const { until: endsBy = 0, mayLast } = pace;
  return (state, minMs = 0) => {
    const now = Date.now();
    const elapsedMs = now - since;
    const look = { type, elapsedMs, random: Math.random(), events: eventsOfLook() };
    const paced = growingDelay(look, poll);
    const delay = Math.max(until > now ? Math.min(paced, until - now) : paced, minMs);
    run.ledger.setWaiting({
      for: name,
      ...toShown(state),
      since: isoOf(since),
      ...(isUsual && endsBy === 0 && { typicalSeconds }),
      ...(endsBy > now && mayLast?.() !== true && { endsBy: isoOf(endsBy) }),
      ...(watched ? { watched } : { nextCheckAt: isoOf(now + delay) }),
      ...(unwatched === undefined ? {} : { unwatched }),
      ...(giveUpAt === undefined ? {} : { deadline: isoOf(giveUpAt) }),
    });
    return delay;
  };
}

function toShown(seen: LastSeen | undefined): Pick<Waiting, 'state' | 'holder'> {
  if (seen === undefined) return {};
  const state = describeSeen(seen);
  return typeof seen === 'string' ? { state } : { state, holder: seen.holder };
}

function describeSeen(seen: LastSeen): string {
  return typeof seen === 'string' ? seen : `held by ${seen.holder} since ${seen.since}`;
}

/** Counts the events since the pause before. */
function createCount({ continues = false }: Pace): () => number {
  let growth: (() => number) | undefined;
  return () => {
    const events = growth?.() ?? 0;
    growth = measureGrowth();
    return continues ? 0 : events;
  };
}
