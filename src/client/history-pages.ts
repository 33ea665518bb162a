import type { Client } from '@temporalio/client';

import { orUndefinedWhenGone, type HistoryEvent } from './history-events.js';
import { hasTooLongAnswer } from './server-calls.js';

interface HistoryName {
  workflowId: string;
  runId: string;
}

/** The server counts the writes of a history, each of which holds one to three events. */
const WRITES_OF_PAGE = 100;

/** All events, the oldest first; none when the server has deleted the history. Only one page is in memory. */
export async function* eventsOf(
  { workflowService, options: { namespace } }: Client,
  execution: HistoryName,
): AsyncGenerator<HistoryEvent> {
  let nextPageToken: Uint8Array = new Uint8Array();
  let most = WRITES_OF_PAGE;
  do {
    const { page, writes } = await readFitting(most, (maximumPageSize) =>
      workflowService
        .getWorkflowExecutionHistory({ namespace, execution, nextPageToken, maximumPageSize })
        .catch(orUndefinedWhenGone),
    );
    yield* page?.history?.events ?? [];
    nextPageToken = page?.nextPageToken ?? new Uint8Array();
    most = writes;
  } while (nextPageToken.length > 0);
}

/** One page from the end, the newest first: fewer writes where these hold too much for one answer. */
export async function newestEventsOf(
  { workflowService, options: { namespace } }: Client,
  execution: HistoryName,
  most: number,
): Promise<HistoryEvent[]> {
  const { page } = await readFitting(most, (maximumPageSize) =>
    workflowService
      .getWorkflowExecutionHistoryReverse({ namespace, execution, maximumPageSize })
      .catch(orUndefinedWhenGone),
  );
  return page?.history?.events ?? [];
}

/**
 * A connection takes an answer of 4 MiB at most, and two inputs may have as much. One write always fits: Temporal takes
 * none that is longer.
 */
async function readFitting<T>(
  most: number,
  read: (writes: number) => Promise<T>,
): Promise<{ page: T; writes: number }> {
  for (let writes = most; ; writes = Math.ceil(writes / 2)) {
    try {
      return { page: await read(writes), writes };
    } catch (error) {
      if (writes === 1 || !hasTooLongAnswer(error)) throw error;
    }
  }
}
