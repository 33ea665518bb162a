import { setTimeout as delay } from 'node:timers/promises';

import { QueryNotRegisteredError, type Client } from '@temporalio/client';
import type { QueryDefinition } from '@temporalio/common';

import { ASK_AGAIN } from '../contract/names.js';

const AGAIN_MS = 500;
const MAX_TRIES = 10;

/** Asks a run, open or not. While another worker takes it over, it is asked again. */
export async function askRun<T>(
  { workflow }: Client,
  workflowId: string,
  query: QueryDefinition<T>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await workflow.getHandle(workflowId).query(query);
    } catch (error) {
      const isTakenOver =
        // The server's word for any query that a worker has failed.
        error instanceof QueryNotRegisteredError && error.message.includes(ASK_AGAIN);
      if (!isTakenOver || tries === MAX_TRIES) throw error;
      await delay(AGAIN_MS);
    }
  }
}
