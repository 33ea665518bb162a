import { Context } from '@temporalio/activity';

/** Used when the workflow sets no heartbeat timeout. */
const DEFAULT_TIMEOUT_MS = 30_000;

/**
 * Heartbeats while `act` runs: the server learns early that a worker died, and the activity that it
 * was cancelled. Three heartbeats fit into the timeout that the workflow sets.
 */
export async function withHeartbeat<T>(act: () => Promise<T>): Promise<T> {
  const context = Context.current();
  const { heartbeatTimeoutMs = DEFAULT_TIMEOUT_MS } = context.info;
  const timer = setInterval(() => {
    context.heartbeat();
  }, heartbeatTimeoutMs / 3);
  try {
    return await act();
  } finally {
    clearInterval(timer);
  }
}
