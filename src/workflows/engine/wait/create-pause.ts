import { sleep } from '@temporalio/workflow';

import { isoOf } from '../../../contract/iso-of.js';
import { pollDelay, typicalDuration } from '../../../contract/poll-delay.js';
import type { PollPolicy } from '../../../contract/run-policy.js';
import type { Run } from '../run/run-types.js';

export interface Pace {
  name: string;
  /** A task type, or another entry of the policy's table; none where nobody can say what is usual. */
  type?: string;
  /** When the wait began, if not now. */
  since?: number;
  /** A look comes then at the latest, if nothing else does. */
  until?: number | undefined;
  /** The caller gives up then; see `refuseLate`. */
  giveUpAt?: number | undefined;
  /** Another pace than the run's. */
  poll?: PollPolicy;
  /** A worker looks too, more often than this. */
  watched?: boolean;
}

/** @param leastMs the API asked to wait so long. */
export type Pause = (state?: string, leastMs?: number) => Promise<void>;

/**
 * Each pause is at least this share of the time waited, whatever the policy's upper bound: the
 * number of looks then grows with the logarithm of time, and no wait can fill a history.
 */
const LEAST_SHARE = 0.02;

/**
 * A paced, explained pause between looks at something: each call sleeps until the next look is
 * due and says meanwhile what is waited for, since when, what is usual, when it looks again and
 * when it gives up.
 */
export function createPause(run: Run, pace: Pace): Pause {
  const { name, type = '', since = Date.now(), giveUpAt, watched = false } = pace;
  const until = pace.until ?? giveUpAt ?? Infinity;
  const poll = pace.poll ?? run.prepared.policy.poll;
  const typicalSeconds = Math.ceil(typicalDuration(type, run.prepared.policy.poll).usualMs / 1000);
  return async (state, leastMs = 0) => {
    const now = Date.now();
    const elapsedMs = now - since;
    const planned = pollDelay({ type, elapsedMs, random: Math.random() }, poll);
    const paced = Math.max(planned, Math.round(elapsedMs * LEAST_SHARE));
    const delay = Math.max(until > now ? Math.min(paced, until - now) : paced, leastMs);
    run.ledger.setWaiting({
      for: name,
      ...(state === undefined ? {} : { state }),
      since: isoOf(since),
      ...(type === '' ? {} : { typicalSeconds }),
      ...(watched ? { watched } : { nextCheckAt: isoOf(now + delay) }),
      ...(giveUpAt === undefined ? {} : { deadline: isoOf(giveUpAt) }),
    });
    await sleep(delay, { summary: `${name}${state === undefined ? '' : ` ${state}`}: next look` });
  };
}
