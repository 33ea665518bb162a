import { z } from '@hono/zod-openapi';

import { OPERATIONS } from '../../contract/operations/index.js';
import { requestIdFrom } from '../../client/operations.js';
import { Operation, type Operations, type Urgency } from '../../contract/index.js';
import { DEFAULT_ACCOUNT } from '../../engine/core/names.js';
import { workflowIdFor } from '../../contract/wire/names.js';
import { identityOf } from '../tokens.js';
import { audited } from '../audit.js';
import type { Endpoint, GatewayContext, GatewayParts } from '../gateway-context.js';
import { inputBody, json, problems } from '../openapi/describe.js';
import {
  idempotencyKeySchema,
  parseIdempotencyKey,
  parseOperationInput,
  readQuery,
  runPath,
} from '../read-request.js';
import { readJsonBody } from '../read-body.js';
import { within } from '../within.js';
import { refuseHidden, refuseOther, refuseOtherInput } from '../find-run.js';
import { Scope } from '../../tokens/token-file.js';

/** A start waits for the server, and with `protectIp` for an earlier run that ends. */
const START_WITHIN_MS = 30_000;
/** Of that, for the end of that run: who waited longer would hear that the Temporal server is away. */
const END_WITHIN_MS = 20_000;

export const startQuerySchema = z.strictObject({
  onConflict: z
    .enum(['refuse', 'join'])
    .optional()
    .describe('join: take the run that the request has, whatever its input'),
  urgency: z
    .enum(['incident', 'normal', 'bulk'] as const satisfies readonly Urgency[])
    .optional()
    .describe('which calls go first when many runs wait; the default depends on the operation'),
});

export const startedSchema = z.object({
  workflowId: z.string(),
  runId: z.string().describe('of its first history: later runs may have the Workflow Id too'),
  outcome: z.enum(['started', 'joined', 'succeeded-before']),
  succeededAt: z.string().optional().describe('ISO 8601'),
});

/** One route for each operation: each has its own input. */
export function startEndpoints(parts: GatewayParts): Endpoint[] {
  return Object.values(Operation).map((operation) => ({
    scope: Scope.run,
    route: {
      method: 'post',
      path: `/v1/runs/${operation}`,
      operationId: `start-${operation}`,
      tags: ['Start'],
      summary: `Start ${operation}, or join the run of this request`,
      description:
        'Safe to repeat: the same Idempotency-Key and body give the same run. The same key with another body is refused with 409.',
      request: {
        query: startQuerySchema,
        ...(needsKey(operation) ? { headers: keySchema } : {}),
        body: inputBody(operation),
      },
      responses: {
        202: {
          ...json('The run', startedSchema),
          headers: { Location: { description: 'the run', schema: { type: 'string' } } },
        },
        ...problems(400, 403, 409, 413, 415, 503),
      },
    },
    handle: (c) => start(parts, c, operation),
  }));
}

export const keySchema = z.object({
  'Idempotency-Key': idempotencyKeySchema.describe(
    'your name of this request, such as an order number; it becomes part of the Workflow Id',
  ),
});

/** Requests of the other operations are named by their input: an alert repeats without a key. */
function needsKey(operation: Operation): boolean {
  return OPERATIONS[operation].requestId === 'from caller';
}

async function start(
  parts: GatewayParts,
  c: GatewayContext,
  operation: Operation,
): Promise<Response> {
  refuseOther(c.get('caller'), { operation });
  const key = needsKey(operation) ? parseIdempotencyKey(c.req.header('idempotency-key')) : '';
  const input = parseOperationInput(operation, await readJsonBody(c));
  return startRun(parts, c, { operation, input, key });
}

interface Asked<O extends Operation> {
  operation: O;
  input: Operations[O]['input'];
  /** Of a request that its input does not name. */
  key: string;
}

/** Starts or joins the run of a request, whose operation the caller may use. */
export async function startRun<O extends Operation>(
  parts: GatewayParts,
  c: GatewayContext,
  { operation, input, key }: Asked<O>,
): Promise<Response> {
  const { gcore, board, audit } = parts;
  const { onConflict = 'refuse', urgency = OPERATIONS[operation].urgency } = readQuery(
    c,
    startQuerySchema,
  );
  const { account = DEFAULT_ACCOUNT } = input;
  refuseOtherInput(c.get('caller'), input);
  const requestId = requestIdFrom(operation, input) ?? key;
  const acting = gcore.as(identityOf(c.get('caller')));
  const workflowId = workflowIdFor(operation, account, requestId);
  const run = await audited(audit, { c, action: 'start', workflowId }, async () => {
    if (onConflict === 'join') await refuseHidden(parts, c, workflowId);
    const waits = { endWithinMs: END_WITHIN_MS, readLarge: c.get('makeLarge') };
    const asked = { requestId, input, onConflict, urgency, ...waits };
    const taken = await within(gcore, START_WITHIN_MS, () => acting.start(operation, asked));
    // It may be one that has begun after the look.
    if (onConflict === 'join' && taken.outcome !== 'started')
      await refuseHidden(parts, c, workflowId);
    return taken;
  });
  // Of an earlier run of the request it may know the end.
  board.forget(run.workflowId);
  return c.json(run, 202, { Location: runPath(run.workflowId) });
}
