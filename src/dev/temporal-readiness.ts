import { setTimeout as delay } from 'node:timers/promises';

import { Connection } from '@temporalio/client';

const ATTEMPT_TIMEOUT_MS = 2_000;
const PAUSE_MS = 25;

export interface ReadinessOptions {
  address: string;
  namespace: string;
  timeoutMs: number;
  hasExited: () => boolean;
}

/** Waits until the server answers and knows the namespace. */
export async function waitUntilReady(options: ReadinessOptions): Promise<void> {
  const deadline = Date.now() + options.timeoutMs;
  let lastError: unknown;
  while (Date.now() < deadline) {
    if (options.hasExited()) {
      throw new Error('The Temporal server ended before it was ready');
    }
    try {
      await ask(options);
      return;
    } catch (error) {
      lastError = error;
      await delay(PAUSE_MS);
    }
  }
  const seconds = options.timeoutMs / 1000;
  throw new Error(`The Temporal server was not ready within ${seconds} s: ${String(lastError)}`, {
    cause: lastError,
  });
}

async function ask({ address, namespace }: ReadinessOptions): Promise<void> {
  // A new connection without the client's retries: a connection and the retries back off after each
  // failure, but the server is ready within a second.
  const connection = Connection.lazy({ address, interceptors: [] });
  try {
    await connection.withDeadline(Date.now() + ATTEMPT_TIMEOUT_MS, async () => {
      await connection.workflowService.describeNamespace({ namespace });
    });
  } finally {
    await connection.close();
  }
}
