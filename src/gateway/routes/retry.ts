import { z } from '@hono/zod-openapi';

import type { RetriedRun } from '../../client/index.js';
import { Operation } from '../../contract/index.js';
import { Scope } from '../../tokens/token-file.js';
import { audited } from '../audit.js';
import { findRunNow } from '../find-run.js';
import type { Endpoint, GatewayContext, GatewayParts } from '../gateway-context.js';
import { json, problems, runParameters } from '../openapi/describe.js';
import { readOptionalBody } from '../read-body.js';
import { parseBody, runPath } from '../read-request.js';
import type { RunView } from '../status-board.js';
import { identityOf } from '../tokens.js';
import { within } from '../within.js';

/** It reads the history, and of an import those and the report of each try: few at once. */
const RETRY_WITHIN_MS = 30_000;

const bodySchema = z.strictObject({
  sameLines: z
    .boolean()
    .optional()
    .describe('for a list whose manifest has no sha256: each line still is the item that it was'),
  classes: z
    .array(z.string())
    .min(1)
    .max(100)
    .optional()
    .describe('for a batch: only the items that failed so, as a request of their own'),
});

const retriedSchema = z.object({
  workflowId: z.string().describe('of the failed run; for failed items, of a request of their own'),
  runId: z.string(),
  operation: z.enum(Operation),
  lines: z.string().optional().describe('which lines are tried again'),
});

/** A run that failed starts again: it spends money as a start does, so it needs the same scope. */
export function retryEndpoint(parts: GatewayParts): Endpoint {
  return {
    scope: Scope.run,
    route: {
      method: 'post',
      path: '/v1/runs/{id}/retry',
      operationId: 'retry',
      tags: ['Start'],
      summary: 'Start a run again that failed, was cancelled or was ended from outside',
      description:
        'With its own input and id: it finds what the first try has left. Of an import whose videos failed, only those, as a request of their own.',
      request: {
        ...runParameters,
        body: { content: { 'application/json': { schema: bodySchema } } },
      },
      responses: {
        202: {
          ...json('The run', retriedSchema),
          headers: { Location: { description: 'the run', schema: { type: 'string' } } },
        },
        ...problems(400, 404, 409, 413, 415, 503),
      },
    },
    handle: async (c) => {
      const options = parseBody(bodySchema, await readOptionalBody(c));
      const retried = await retry(parts, c, { run: await findRunNow(parts, c), ...options });
      return c.json(retried, 202, { Location: runPath(retried.workflowId) });
    },
  };
}

interface Again extends z.infer<typeof bodySchema> {
  run: RunView;
}

/** Starts a run again for the caller. @throws RetryRefusedError, RunEndedError, InvalidInputError, NoAnswerError */
export async function retry(
  { gcore, board, audit }: GatewayParts,
  c: GatewayContext,
  { run, sameLines, classes }: Again,
): Promise<RetriedRun> {
  const { workflowId } = run;
  const acting = gcore.as(identityOf(c.get('caller')));
  const options = {
    ...(sameLines !== undefined && { sameLines }),
    ...(classes !== undefined && { classes }),
  };
  try {
    return await audited(audit, { c, action: 'retry', workflowId }, () =>
      c.get('makeLarge')(() => within(gcore, RETRY_WITHIN_MS, () => acting.retry(run, options))),
    );
  } finally {
    board.forget(workflowId);
  }
}
