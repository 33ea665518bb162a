import { setTimeout as delay } from 'node:timers/promises';

import { QueryNotRegisteredError, type Client } from '@temporalio/client';
import type { QueryDefinition } from '@temporalio/common';

import { ASK_AGAIN } from '../engine/core/names.js';

const AGAIN_MS = 500;
const MAX_TRIES = 10;

/** Queries a run, open or closed. Repeats the query while another worker takes the run over. */
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
        // The server reports every query that fails in a worker as this error.
        error instanceof QueryNotRegisteredError && error.message.includes(ASK_AGAIN);
      if (!isTakenOver || tries === MAX_TRIES) throw error;
      await delay(AGAIN_MS);
    }
  }
}
