import { describe, expect, it } from '@jest/globals';

import { createGateway } from '../../src/gateway/create-gateway.js';
import {
  at,
  bodyOf,
  gatewayOf,
  gcoreOf,
  readEvents,
  startedPath,
} from '../support/gateway/gateway-world.js';
import { inScenario } from '../simulation/scenario.js';
import { until } from '../support/timing/until.js';
import { holdTaskReads } from '../support/worlds/hold-task-reads.js';
const isWaiting = (text: string): boolean => /"phase":"waiting".*\n\n$/s.test(text);
const lastIdOf = (text: string): string => [...text.matchAll(/^id: (.*)$/gm)].at(-1)?.[1] ?? '';
const namesOf = (text: string): string[] =>
  [...text.matchAll(/^event: (.*)$/gm)].map(([, name = '']) => name);

describe('GET /v1/runs/{id}/events', () => {
  it('gives each document once, resumes at another gateway, and ends with the run', () =>
    inScenario({}, async (scenario) => {
      const [one, other] = [gatewayOf(scenario), gatewayOf(scenario)];
      const release = holdTaskReads(scenario.simulator);
      const path = await startedPath(scenario);

      const first = await one.request(`${path}/events`);
      const before = await readEvents(first, isWaiting);
      const last = { headers: { 'Last-Event-ID': lastIdOf(before) } };
      const rest = readEvents(await other.request(`${path}/events`, last));
      release();
      const after = await rest;
      const again = await one.request(`${path}/events`, {
        headers: { 'Last-Event-ID': lastIdOf(after) },
      });

      expect(first.headers.get('content-type')).toMatch('text/event-stream');
      expect(before).toMatch(/^retry: \d+\n\n/);
      expect(after).not.toContain(`id: ${lastIdOf(before)}\n`);
      expect(namesOf(after).at(-1)).toBe('end');
      expect(after).toContain('"phase":"succeeded"');
      expect(after).toContain('"state":"COMPLETED"');
      expect(again.status).toBe(204);
    }));

  it('ends for a run that was terminated, which cannot say so itself', () =>
    inScenario({ replays: false }, async (scenario) => {
      holdTaskReads(scenario.simulator);
      const path = await startedPath(scenario);
      const stream = readEvents(await gatewayOf(scenario).request(`${path}/events`));
      const id = decodeURIComponent(path.split('/').at(-1) ?? '');
      await scenario.client.workflow.getHandle(id).terminate();

      expect(await stream).toMatch(/event: end\ndata: .*"state":"TERMINATED"/);
      const answer = await gatewayOf(scenario).request(`${path}/result`);
      expect([answer.status, await bodyOf(answer)]).toEqual([
        422,
        expect.objectContaining({ code: 'TerminatedFailure' }),
      ]);
    }));

  it('asks the run once a second for two thousand readers', () =>
    inScenario({}, async (scenario) => {
      const release = holdTaskReads(scenario.simulator);
      const path = await startedPath(scenario);
      await readEvents(await gatewayOf(scenario).request(`${path}/events`), isWaiting);
      const gcore = gcoreOf(scenario);
      let queries = 0;
      const app = createGateway({
        requestsPerSecond: 10_000,
        gcore: {
          ...gcore,
          status: (workflowId) => {
            queries += 1;
            return gcore.status(workflowId);
          },
        },
      });
      const startedAt = Date.now();

      const streams = Array.from({ length: 2_000 }, async () =>
        readEvents(await app.request(`${path}/events`)),
      );
      await until('it was asked some times', () => queries >= 4);
      const [asked, seconds] = [queries, (Date.now() - startedAt) / 1_000];
      release();
      const texts = await Promise.all(streams);

      expect(asked).toBeLessThanOrEqual(seconds + 2);
      expect(texts.filter((text) => namesOf(text).at(-1) === 'end')).toHaveLength(2_000);
    }));

  it('closes with a hint when to come back, when the gateway ends', () =>
    inScenario({}, async (scenario) => {
      const release = holdTaskReads(scenario.simulator);
      const path = await startedPath(scenario);
      const closing = new AbortController();
      const app = gatewayOf(scenario, { closing: closing.signal });
      const stream = await app.request(`${path}/events`);
      const wait = app.request(`${path}/result?wait=50s`);
      const text = readEvents(stream);
      closing.abort();

      expect(await text).toMatch(/retry: \d+\n\n$/);
      expect((await wait).status).toBe(202);
      expect((await app.request(at('/readyz'))).status).toBe(503);
      release();
      await gatewayOf(scenario).request(`${path}/result?wait=50s`);
    }));
});
