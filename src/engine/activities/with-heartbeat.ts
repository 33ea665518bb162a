import { Context } from '@temporalio/activity';

import type { HeartbeatDetails } from '../schema/heartbeat-details.js';
import { attemptOf, beat } from './attempt.js';

/** Used when the workflow sets no heartbeat timeout. */
const DEFAULT_TIMEOUT_MS = 30_000;

/**
 * Heartbeats while `act` runs: the server learns early that a worker died, and the activity that it
 * was cancelled. Three heartbeats fit into the timeout that the workflow sets.
 *
 * @param waiting what `act` waits for, where that is not a call
 */
export async function withHeartbeat<T>(
  act: () => Promise<T>,
  waiting?: () => HeartbeatDetails | undefined,
): Promise<T> {
  const context = Context.current();
  const { heartbeatTimeoutMs = DEFAULT_TIMEOUT_MS } = context.info;
  const attempt = attemptOf(context);
  const timer = setInterval(() => {
    if (waiting !== undefined) attempt.waiting = waiting();
    beat(context);
  }, heartbeatTimeoutMs / 3);
  try {
    return await act();
  } catch (error) {
    // The next attempt goes on from here, not from the last regular heartbeat.
    if (attempt.progress() !== undefined) beat(context);
    throw error;
  } finally {
    clearInterval(timer);
  }
}
