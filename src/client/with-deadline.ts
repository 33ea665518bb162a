import type { Client } from '@temporalio/client';

/** Calls to the Temporal server that must not hang: after this time they fail as DEADLINE_EXCEEDED. */
export function withDeadline<T>(client: Client, ms: number, call: () => Promise<T>): Promise<T> {
  return client.withDeadline(Date.now() + ms, call);
}
