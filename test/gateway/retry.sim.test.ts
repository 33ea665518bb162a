import { describe, expect, it } from '@jest/globals';

import type { GcoreWorkflows } from '../../src/client/index.js';
import { runPath } from '../../src/gateway/read-request.js';
import {
  at,
  bodyOf,
  gatewayOf,
  gcoreOf,
  post,
  tokensOf,
} from '../support/gateway/gateway-world.js';
import { CREATE_PATH, provisionInput } from '../support/inputs/provision-input.js';
import { inScenario, type Scenario } from '../simulation/scenario.js';
import { createGate } from '../support/timing/gate.js';
import { until } from '../support/timing/until.js';
import { manyVideos, video } from '../support/worlds/videos.js';

const REFUSED = { kind: 'status', status: 400, body: { message: 'The name is reserved' } } as const;

async function failedRun(scenario: Scenario): Promise<string> {
  const { simulator, start } = scenario;
  simulator.faults.add({ match: { method: 'POST', path: CREATE_PATH }, action: REFUSED });
  const run = await start('provisionInstance', provisionInput());
  await run.result().catch((error: unknown) => error);
  return run.workflowId;
}

const VIDEOS = [...manyVideos(2), video('bad', 'broken')];

const retryOf = (workflowId: string) => at(`${runPath(workflowId)}/retry`);

describe('POST /v1/runs/{id}/retry', () => {
  it('starts a failed run again, once, and names who asked', () =>
    inScenario({}, async (scenario) => {
      const gcore = gcoreOf(scenario);
      const app = gatewayOf(scenario);
      const workflowId = await failedRun(scenario);

      const retried = await app.request(retryOf(workflowId), { method: 'POST' });
      await gcore.result('provisionInstance', workflowId);
      const again = await app.request(retryOf(workflowId), { method: 'POST' });
      const { startedBy } = await gcore.history(workflowId, 1);

      expect([retried.status, again.status]).toEqual([202, 409]);
      expect(retried.headers.get('location')).toBe(runPath(workflowId));
      const runId = expect.any(String);
      expect(await bodyOf(retried)).toEqual({ workflowId, runId, operation: 'provisionInstance' });
      expect(await bodyOf(again)).toMatchObject({ code: 'RetryRefused', workflowId });
      expect(startedBy).toEqual({ by: 'local gateway', as: 'retry' });
      expect(scenario.simulator.inventory().instances).toHaveLength(1);
    }));

  it('imports what has failed as a request of its own', () =>
    inScenario({ manifests: { 'may.jsonl': VIDEOS } }, async (scenario) => {
      const app = gatewayOf(scenario);
      const manifest = { url: 'file:may.jsonl' };
      const run = await scenario.start('importVideos', { manifest });
      await run.result().catch((error: unknown) => error);

      const unsure = await app.request(retryOf(run.workflowId), post({}));
      const retried = await app.request(retryOf(run.workflowId), post({ sameLines: true }));
      const workflowId = `${run.workflowId}.retry-1`;
      await scenario.client.workflow
        .getHandle(workflowId)
        .result()
        .catch((error: unknown) => error);

      expect(unsure.status).toBe(409);
      expect(await bodyOf(retried)).toMatchObject({ workflowId, lines: '3' });
    }));

  it('needs the scope of a start, and refuses what it does not know', () =>
    inScenario({}, async (scenario) => {
      const scopes = ['read', 'operate'] as const;
      const tokens = tokensOf({
        operator: { name: 'operator', scopes },
        starter: { name: 'starter', scopes: ['run'] },
        other: { name: 'other', scopes: ['run'], operations: ['listSshKeys'] },
      });
      const app = gatewayOf(scenario, { tokens });
      const workflowId = await failedRun(scenario);
      const ask = async (token: string, body: object) =>
        (await app.request(retryOf(workflowId), post(body, { Authorization: `Bearer ${token}` })))
          .status;

      expect(await ask('operator', {})).toBe(403);
      expect(await ask('other', {})).toBe(404);
      expect(await ask('starter', { lines: '3' })).toBe(400);
      expect(scenario.simulator.inventory().instances).toHaveLength(0);
    }));

  it('reads the histories of few runs at once, however many are asked for', () =>
    inScenario({}, async (scenario) => {
      const gcore = gcoreOf(scenario);
      const gate = createGate();
      let reading = 0;
      const noting = (acting: GcoreWorkflows): GcoreWorkflows => ({
        ...acting,
        as: (identity) => noting(acting.as(identity)),
        async retry(...asked) {
          reading += 1;
          await gate.opened;
          return acting.retry(...asked);
        },
      });
      const app = gatewayOf(scenario, { gcore: noting(gcore) });
      const workflowId = await failedRun(scenario);
      const ask = async () => (await app.request(retryOf(workflowId), { method: 'POST' })).status;

      const asked = Array.from({ length: 12 }, ask);
      await until('some read', () => Promise.resolve(reading > 0));
      const atOnce = reading;
      gate.open();
      const statuses = await Promise.all(asked);
      await gcore.result('provisionInstance', workflowId);

      expect(atOnce).toBeLessThanOrEqual(8);
      expect(statuses.filter((status) => status === 202)).toHaveLength(1);
      expect(reading).toBe(12);
    }));
});
