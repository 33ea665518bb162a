import { z } from '@hono/zod-openapi';

import { faultsOf, planOfFaults } from '../../client/index.js';
import { Operation, type Plan } from '../../contract/index.js';
import type { Endpoint, GatewayContext, GatewayParts } from '../gateway-context.js';
import { Component, inputBody, json, problems, reference } from '../openapi/describe.js';
import {
  parseOperationInput,
  idempotencyKeySchema,
  parseIdempotencyKey,
  runPath,
} from '../read-request.js';
import { readJsonBody } from '../read-body.js';
import { within } from '../within.js';
import { refuseOther, refuseOtherInput } from '../find-run.js';
import { Scope } from '../../tokens/token-file.js';

/** A plan takes seconds. One that waits for a worker is read later. */
const PLAN_WITHIN_MS = 8_000;
/** So much later nobody waits at the server: the end of that wait is no error of the plan. */
const SPARE_MS = 1_000;

/** Plans: what a run would do. */
export function planEndpoints(parts: GatewayParts): Endpoint[] {
  return Object.values(Operation).map((operation) => ({
    scope: Scope.run,
    route: {
      method: 'post',
      path: `/v1/plans/${operation}`,
      operationId: `plan-${operation}`,
      tags: ['Plan'],
      summary: `Say what ${operation} would do; changes nothing`,
      description:
        'A plan that is not ready names what a run would fail on. With Idempotency-Key the plan finds what earlier tries of this request made.',
      request: {
        headers: z.object({ 'Idempotency-Key': idempotencyKeySchema.optional() }),
        body: inputBody(operation),
      },
      responses: {
        200: json('The plan', reference(Component.plan)),
        202: {
          ...json('The plan goes on', z.object({ workflowId: z.string() })),
          headers: { Location: { description: 'its result', schema: { type: 'string' } } },
        },
        ...problems(400, 403, 413, 415, 503),
      },
    },
    handle: (c) => plan(parts, c, operation),
  }));
}

async function plan(
  parts: GatewayParts,
  c: GatewayContext,
  operation: Operation,
): Promise<Response> {
  refuseOther(c.get('caller'), { operation });
  const begun = await begin(parts, c, operation);
  if ('ready' in begun) return c.json(begun, 200);
  // The rest is a wait for a worker.
  c.get('endTurn')();
  const { workflowId } = begun;
  const made = await Promise.race([
    parts.gcore
      .endingWithin(PLAN_WITHIN_MS + SPARE_MS, () => parts.gcore.planOf(workflowId))
      .catch((error: unknown) => refusedPlan(operation, error)),
    later(PLAN_WITHIN_MS),
  ]);
  if (made !== undefined) return c.json(made, 200);
  return c.json({ workflowId }, 202, { Location: `${runPath(workflowId)}/result` });
}

/** A function of its own: what waits for a plan would hold its input, as values ten times the bytes of the body. */
async function begin(
  { gcore }: GatewayParts,
  c: GatewayContext,
  operation: Operation,
): Promise<{ workflowId: string } | Plan> {
  const key = c.req.header('idempotency-key');
  const body = await readJsonBody(c);
  const named = key === undefined ? {} : { requestId: parseIdempotencyKey(key) };
  const input = parseOperationInput(operation, body);
  refuseOtherInput(c.get('caller'), input);
  const request = { ...named, input };
  return within(gcore, PLAN_WITHIN_MS, () => gcore.startPlan(operation, request)).catch(
    (error: unknown) => refusedPlan(operation, error),
  );
}

/** Of faults that the body alone does not show. */
function refusedPlan(operation: Operation, error: unknown): Plan {
  const faults = faultsOf(error);
  if (faults === undefined) throw error;
  return planOfFaults(operation, faults);
}

function later(ms: number): Promise<undefined> {
  return new Promise((resolve) => {
    setTimeout(() => {
      resolve(undefined);
    }, ms).unref();
  });
}
