import type { Client } from '@temporalio/client';

import { reportQuery } from '../contract/wire/messages.js';
import { statusQuery } from '../engine/core/messages.js';
import { importReportSchema, type ImportReport } from '../contract/operations/import-videos.js';
import { statusDocumentSchema } from '../contract/documents.js';
import type { StatusDocument, UnservedAccount } from '../engine/schema/status-document.js';
import { askRun } from './ask-run.js';
import { cutShortOf, cutShortStatus } from './cut-short-status.js';
import { orRunError } from './to-run-error.js';
import { findUnservedAccount } from './unserved-account.js';
import { withDeliveries } from './with-deliveries.js';

export interface Queries {
  /**
   * The status document of a run, open or closed. Needs a worker. It also says when no worker serves the
   * account of the run. One that was terminated or timed out is `failed`. @throws RunNotFoundError
   */
  status(workflowId: string): Promise<StatusDocument>;
  /**
   * The outcome of every line of an import so far, even when the run failed or was cancelled. Needs a
   * worker. @throws RunNotFoundError
   */
  report(workflowId: string): Promise<ImportReport>;
}

/** What a run cannot know of itself. */
interface SeenFromOutside {
  unserved?: UnservedAccount | undefined;
  cutShort?: { at: string };
}

/** Queries, which a worker answers for open and closed runs. */
export function createQueries({
  client,
  unservedAfterMs,
}: {
  client: Client;
  unservedAfterMs: number;
}): Queries {
  const seenFromOutside = async (workflowId: string): Promise<SeenFromOutside> => {
    const describe = () => client.workflow.getHandle(workflowId).describe();
    const run = await describe();
    const cutShort = cutShortOf(run);
    if (cutShort === undefined) {
      return { unserved: await findUnservedAccount(client, run, unservedAfterMs) };
    }
    // A new run of this id may have answered instead.
    return (await describe()).runId === run.runId ? { cutShort } : {};
  };
  return {
    async status(workflowId) {
      const [answer, { unserved, cutShort }] = await Promise.all([
        orRunError(workflowId, askRun(client, workflowId, statusQuery)),
        // Some servers do not let every client describe queues. The status itself is more important.
        seenFromOutside(workflowId).catch((): SeenFromOutside => ({})),
      ]);
      const said = statusDocumentSchema.parse(answer);
      const known = cutShort === undefined ? said : cutShortStatus(said, cutShort);
      const status = await withDeliveries(client, workflowId, known);
      return unserved === undefined ? status : { ...status, unserved };
    },
    async report(workflowId) {
      const answer = askRun(client, workflowId, reportQuery);
      return importReportSchema.parse(await orRunError(workflowId, answer));
    },
  };
}
