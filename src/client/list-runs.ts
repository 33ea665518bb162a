import type { Client } from '@temporalio/client';
import { NamespaceNotFoundError } from '@temporalio/common';

import { askWithFilter, isListed } from './ask-with-filter.js';
import { GrpcCode, grpcCodeOf } from './grpc-code.js';
import type { RunFilter } from './run-filter.js';
import { summaryOfRaw, type RunSummary } from './run-summary.js';

/** Temporal's largest page. */
const MAX_PAGE = 1000;
export const DEFAULT_LIMIT = 50;

/**
 * The runs of this product that fit, newest first, with one list call a page. The server may show a
 * change a moment later. @throws InvalidInputError
 */
export function listRuns(client: Client, filter: RunFilter): Promise<RunSummary[]> {
  return askWithFilter(filter, (query) => collect(client, filter, query));
}

async function collect(client: Client, filter: RunFilter, query: string): Promise<RunSummary[]> {
  const { limit = DEFAULT_LIMIT } = filter;
  const { namespace } = client.options;
  const runs: RunSummary[] = [];
  let nextPageToken: Uint8Array = new Uint8Array();
  do {
    const page = await client.workflowService
      .listWorkflowExecutions({
        ...{ namespace, query, nextPageToken },
        pageSize: Math.min(limit, MAX_PAGE),
      })
      .catch((error: unknown) => {
        throw asNamespaceFault(error, namespace);
      });
    const found = page.executions.map(summaryOfRaw);
    runs.push(...found.filter((run) => isListed(filter, run)));
    nextPageToken = page.nextPageToken;
  } while (nextPageToken.length > 0 && runs.length < limit);
  return runs.slice(0, limit);
}

/** As the SDK's own calls say it. Nothing else can be missing for a list. */
function asNamespaceFault(error: unknown, namespace: string): unknown {
  return grpcCodeOf(error) === GrpcCode.notFound ? new NamespaceNotFoundError(namespace) : error;
}
