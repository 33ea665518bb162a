import { workflowInfo } from '@temporalio/workflow';

import { pollDelay, type PollState, type PollPolicy } from '../core/run-policy.js';

/** A history takes 51,200 events and 50 MiB, so a kilobyte fills as much of it as an event does. */
const BYTES_PER_EVENT = 1_000;

/**
 * Returns a function that tells by how many events the history has grown since this call. A kilobyte counts as an event,
 * because the input of a look is recorded with each look and may be a list of a megabyte.
 */
export function measureGrowth(): () => number {
  const { historyLength, historySize } = workflowInfo();
  return () => {
    const now = workflowInfo();
    const bytes = now.historySize - historySize;
    return Math.max(now.historyLength - historyLength, Math.round(bytes / BYTES_PER_EVENT));
  };
}

/** Enough for most looks: with 2 %, a look of 17 events makes 7,500 events in 90 days. */
const MIN_SHARE = 0.02;
/** A look of more than 1,700 events comes after twenty times the time waited so far. */
const MAX_SHARE = 20;
/** 90 days are e^12 minutes: with this, their looks make 5,000 to 9,000 events, whatever one costs. */
const EVENTS_PER_E_FOLD = 560;

/**
 * Each pause is at least this share of the time waited, whatever other bounds there are: the number of looks
 * then grows with the logarithm of time, and no wait can fill a history.
 *
 * @param events what one look adds to the history, together with what goes on beside it
 */
export function leastShare(events: number): number {
  return Math.min(Math.max(MIN_SHARE, Math.expm1(events / EVENTS_PER_E_FOLD)), MAX_SHARE);
}

/** Milliseconds until the next look at what the policy times. `events`: see `leastShare`. */
export function growingDelay(state: PollState & { events: number }, poll: PollPolicy): number {
  const share = leastShare(state.events);
  return Math.max(pollDelay(state, poll), Math.round(state.elapsedMs * share));
}

const PROBE_MS = 60_000;

/** Milliseconds until a blocked run tries again. `events`: see `leastShare`. */
export function probeDelay(
  { elapsedMs, random, events }: Omit<PollState, 'type'> & { events: number },
  probeMs = PROBE_MS,
): number {
  // Up to a fifth earlier or later, so that runs that were blocked together do not probe together.
  const jitter = 0.8 + random * 0.4;
  return Math.round(Math.max(probeMs, elapsedMs * leastShare(events)) * jitter);
}
