import type { Client } from '@temporalio/client';

import { reportQuery, statusQuery } from '../contract/messages.js';
import { importReportSchema, type ImportReport } from '../contract/operations/import-videos.js';
import {
  statusDocumentSchema,
  type StatusDocument,
  type UnservedAccount,
} from '../contract/status-document.js';
import { askRun } from './ask-run.js';
import { orRunError } from './to-run-error.js';
import { findUnservedAccount } from './unserved-account.js';
import { withDeliveries } from './with-deliveries.js';

interface Queries {
  status(workflowId: string): Promise<StatusDocument>;
  report(workflowId: string): Promise<ImportReport>;
}

/** Queries, which a worker answers for open and closed runs. */
export function createQueries({
  client,
  unservedAfterMs,
}: {
  client: Client;
  unservedAfterMs: number;
}): Queries {
  const unservedOf = async (workflowId: string): Promise<UnservedAccount | undefined> => {
    const run = await client.workflow.getHandle(workflowId).describe();
    return findUnservedAccount(client, run, unservedAfterMs);
  };
  return {
    async status(workflowId) {
      const [answer, unserved] = await Promise.all([
        orRunError(workflowId, askRun(client, workflowId, statusQuery)),
        // Some servers do not let every client describe queues. The status itself is more important.
        unservedOf(workflowId).catch(() => undefined),
      ]);
      const known = statusDocumentSchema.parse(answer);
      const status = await withDeliveries(client, workflowId, known);
      return unserved === undefined ? status : { ...status, unserved };
    },
    async report(workflowId) {
      const answer = askRun(client, workflowId, reportQuery);
      return importReportSchema.parse(await orRunError(workflowId, answer));
    },
  };
}
