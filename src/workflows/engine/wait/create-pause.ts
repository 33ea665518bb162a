import { sleep } from '@temporalio/workflow';

import { isoOf } from '../../../contract/iso-of.js';
import { pollDelay, typicalDuration } from '../../../contract/poll-delay.js';
import type { PollPolicy } from '../../../contract/run-policy.js';
import type { Run } from '../run/run-types.js';

/** What is waited for, and how often to look. */
export interface Pace {
  name: string;
  /** A task type, or another entry of the policy's table; left out where no duration is usual. */
  type?: string;
  /** When the wait began; now when left out. */
  since?: number;
  /** The next look comes at this time at the latest. */
  until?: number | undefined;
  /** When the caller gives up; see `refuseLate`. */
  giveUpAt?: number | undefined;
  /** Replaces the pace of the run. */
  poll?: PollPolicy;
  /** A watcher looks too, more often than this. */
  watched?: boolean;
}

/** @param minMs how long the API asked to wait. */
export type Pause = (state?: string, minMs?: number) => Promise<void>;

/**
 * Each pause is at least this share of the time waited, whatever the policy's upper bound: the
 * number of looks then grows with the logarithm of time, and no wait can fill a history.
 */
const MIN_SHARE_OF_ELAPSED = 0.02;

/**
 * Makes the pause between two looks. Each call sleeps until the next look is due. The status says
 * meanwhile what the run waits for, since when, what is usual, when it looks again and when it gives
 * up.
 */
export function createPause(run: Run, pace: Pace): Pause {
  const { name, type = '', since = Date.now(), giveUpAt, watched = false } = pace;
  const until = pace.until ?? giveUpAt ?? Infinity;
  const poll = pace.poll ?? run.prepared.policy.poll;
  const typicalSeconds = Math.ceil(typicalDuration(type, run.prepared.policy.poll).usualMs / 1000);
  return async (state, minMs = 0) => {
    const now = Date.now();
    const elapsedMs = now - since;
    const planned = pollDelay({ type, elapsedMs, random: Math.random() }, poll);
    const paced = Math.max(planned, Math.round(elapsedMs * MIN_SHARE_OF_ELAPSED));
    const delay = Math.max(until > now ? Math.min(paced, until - now) : paced, minMs);
    run.ledger.setWaiting({
      for: name,
      ...(state === undefined ? {} : { state }),
      since: isoOf(since),
      ...(type === '' ? {} : { typicalSeconds }),
      ...(watched ? { watched } : { nextCheckAt: isoOf(now + delay) }),
      ...(giveUpAt === undefined ? {} : { deadline: isoOf(giveUpAt) }),
    });
    await sleep(delay, {
      summary: `${name}${state === undefined ? '' : ` (now: ${state})`}: next look`,
    });
  };
}
