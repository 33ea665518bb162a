import type { Client } from '@temporalio/client';

/** Calls to the Temporal server that must not hang: they end as DEADLINE_EXCEEDED at the latest then. */
export function bounded<T>(client: Client, ms: number, call: () => Promise<T>): Promise<T> {
  return client.withDeadline(Date.now() + ms, call);
}
