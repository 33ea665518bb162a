import type { Client } from '@temporalio/client';

import { askWithFilter, isListed } from './ask-with-filter.js';
import { DEFAULT_LIMIT } from './list-runs.js';
import { createPageMark, type PageMark } from './page-mark.js';
import { toQuery, type RunFilter } from './run-filter.js';
import { summaryOfRaw, type RunSummary } from './run-summary.js';

/** Which runs a page shows. `limit` is the size of the page. */
export interface PageFilter extends RunFilter {
  /** `next` of the page before. */
  page?: string;
}

export interface RunPage {
  /** May be fewer than the limit, also before the last page. */
  runs: RunSummary[];
  /** Missing on the last page. */
  next?: string;
}

/** One page of runs, newest first, with one list call. @throws InvalidInputError */
export function listPage(client: Client, filter: PageFilter): Promise<RunPage> {
  return askWithFilter(filter, (query) => {
    const mark = createPageMark(`${client.options.namespace} ${toQuery(filter, true)}`);
    return ask(client, { filter, query, mark });
  });
}

interface Asking {
  filter: PageFilter;
  query: string;
  mark: PageMark;
}

async function ask(client: Client, { filter, query, mark }: Asking): Promise<RunPage> {
  const { executions, nextPageToken } = await client.workflowService.listWorkflowExecutions({
    namespace: client.options.namespace,
    query,
    pageSize: filter.limit ?? DEFAULT_LIMIT,
    nextPageToken: mark.open(filter.page),
  });
  const runs = executions.flatMap((run) => {
    const summary = summaryOfRaw(run);
    return isListed(filter, summary) ? [summary] : [];
  });
  return { runs, ...(nextPageToken.length === 0 ? {} : { next: mark.seal(nextPageToken) }) };
}
