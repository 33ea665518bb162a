import { z } from '@hono/zod-openapi';

import { InvalidInputError } from '../../client/index.js';
import { Operation } from '../../contract/index.js';
import { BATCHED_OPERATIONS, batchFieldsSchema } from '../../contract/operations/run-batch.js';
import { Scope } from '../../tokens/token-file.js';
import { refuseOther } from '../find-run.js';
import type { Endpoint, GatewayContext, GatewayParts } from '../gateway-context.js';
import { json, problems } from '../openapi/describe.js';
import { readJsonBody } from '../read-body.js';
import { parseIdempotencyKey, parseOperationInput } from '../read-request.js';
import { keySchema, startedSchema, startQuerySchema, startRun } from './start.js';

/** The path names the operation. */
const bodySchema = z.union([
  batchFieldsSchema.omit({ operation: true }),
  z.array(z.record(z.string(), z.unknown())).describe('the items alone'),
]);

/** The same as `/v1/runs/runBatch`, in the form that a list has. */
export function batchesEndpoint(parts: GatewayParts): Endpoint {
  return {
    scope: Scope.run,
    route: {
      method: 'post',
      path: '/v1/batches/{operation}',
      operationId: 'batch',
      tags: ['Start'],
      summary: 'Run the operation for each item of a list, as one request',
      description:
        'The body is the input of runBatch without its operation, or the array of items alone. Safe to repeat with the same Idempotency-Key.',
      request: {
        params: z.object({ operation: z.enum(BATCHED_OPERATIONS) }),
        query: startQuerySchema,
        headers: keySchema,
        body: { required: true, content: { 'application/json': { schema: bodySchema } } },
      },
      responses: {
        202: {
          ...json('The run of the batch', startedSchema),
          headers: { Location: { description: 'the run', schema: { type: 'string' } } },
        },
        ...problems(400, 403, 404, 409, 413, 415, 503),
      },
    },
    handle: (c) => startBatch(parts, c),
  };
}

async function startBatch(parts: GatewayParts, c: GatewayContext): Promise<Response> {
  const named = c.req.param('operation');
  const operation = BATCHED_OPERATIONS.find((name) => name === named);
  if (operation === undefined) return c.notFound();
  refuseOther(c.get('caller'), { operation: Operation.runBatch });
  refuseOther(c.get('caller'), { operation });
  const key = parseIdempotencyKey(c.req.header('idempotency-key'));
  const body = await readJsonBody(c);
  const given = Array.isArray(body) ? { items: body } : body;
  if (!(given instanceof Object)) throw new InvalidInputError(NO_BATCH);
  const input = parseOperationInput(Operation.runBatch, {
    ...Object.fromEntries(Object.entries(given)),
    operation,
  });
  return startRun(parts, c, { operation: Operation.runBatch, input, key });
}

const NO_BATCH = [{ path: '(input)', message: 'must be a list of items, or an object with items' }];
