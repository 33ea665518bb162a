import { describe, expect, it } from '@jest/globals';
import { Client } from '@temporalio/client';

import { createGcoreWorkflows } from '../../src/client/index.js';
import { createGateway } from '../../src/gateway/create-gateway.js';
import type { AnswerLog } from '../../src/gateway/middleware.js';
import { problemSchema } from '../../src/gateway/problem.js';
import { BAD_REQUESTS, type BadRequest } from './bad-requests.js';
import { at } from '../support/gateway/gateway-world.js';
import { inScenario } from '../simulation/scenario.js';
function toInit({ method = 'GET', body, headers, bare = false }: BadRequest): RequestInit {
  const standard = { 'Content-Type': 'application/json', 'Idempotency-Key': 'order-1' };
  return {
    method,
    headers: bare ? { ...headers } : { ...standard, ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  };
}

describe('a bad request', () => {
  it(`of ${BAD_REQUESTS.length} kinds is refused with its faults, and none starts a workflow`, () =>
    inScenario({ replays: false }, async ({ client, taskQueue }) => {
      const started: string[] = [];
      const counting = new Client({
        connection: client.connection,
        interceptors: {
          workflow: [
            {
              startWithDetails(input, next) {
                started.push(input.workflowType);
                return next(input);
              },
            },
          ],
        },
      });
      const logged: AnswerLog[] = [];
      const app = createGateway({
        gcore: createGcoreWorkflows({ client: counting, taskQueue }),
        requestsPerSecond: 10_000,
        log: (answer) => logged.push(answer),
      });
      const seen: unknown[] = [];
      for (const bad of BAD_REQUESTS) {
        const answer = await app.request(at(bad.path), toInit(bad));
        const problem = problemSchema.parse(await answer.json());
        const faults = problem.faults?.map(({ pointer, parameter }) => pointer ?? parameter).sort();
        seen.push({
          name: bad.name,
          status: answer.status,
          type: answer.headers.get('content-type'),
          code: problem.code,
          hasAdvice: problem.advice !== '' && problem.detail !== '',
          sameId: problem.requestId === answer.headers.get('x-request-id'),
          faults: bad.faults === undefined ? undefined : faults,
        });
      }

      expect(seen).toEqual(
        BAD_REQUESTS.map(({ name, status, code, faults }) => ({
          name,
          status,
          type: 'application/problem+json',
          code,
          hasAdvice: true,
          sameId: true,
          faults,
        })),
      );
      expect(started).toEqual([]);
      expect(BAD_REQUESTS.length).toBeGreaterThanOrEqual(60);
      expect(logged).toHaveLength(BAD_REQUESTS.length);
      expect(JSON.stringify(logged)).not.toMatch(/canary|no-such-order|order-1|dropTables/);
    }));
});
