import { isGrpcDeadlineError, type WorkflowHandle } from '@temporalio/client';

import { statusQuery } from '../../../src/engine/core/messages.js';
import type { StatusDocument } from '../../../src/engine/schema/status-document.js';
import { until } from '../timing/until.js';

/** The status of a run whose worker must replay a long history first: on a busy machine the server gives up before. */
export async function lateStatusOf(run: WorkflowHandle): Promise<StatusDocument> {
  const answers: StatusDocument[] = [];
  await until('a worker answers', async () => {
    try {
      answers.push(await run.query(statusQuery));
    } catch (error) {
      if (!(error instanceof Error) || !isGrpcDeadlineError(error.cause)) throw error;
    }
    return answers.length > 0;
  });
  const [status] = answers;
  if (status === undefined) throw new Error('there is no answer');
  return status;
}
