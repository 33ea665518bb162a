import { describe, expect, it } from '@jest/globals';

import { GATEWAY_METRICS } from '../../../src/contract/metrics.js';
import { provisionInput } from '../../support/inputs/provision-input.js';
import { expectTable } from '../../support/observe/expect-table.js';
import { API_KEY, inObservedWorld } from '../../support/observe/observed-world.js';
import { scrape } from '../../support/observe/scrape.js';
import { until } from '../../support/timing/until.js';
import { CREATION } from '../../support/worlds/simulated-cloud.js';

/** From the span of the gateway to that of the request. */
const CREATION_PATH = [
  'POST /v1/runs/provisionInstance',
  'StartWorkflow:provisionInstance',
  'RunWorkflow:provisionInstance',
  'StartActivity:createInstance',
  'RunActivity:createInstance',
  'POST createInstance',
];

describe('traces', () => {
  it('puts the request of a caller, its run and each request to the API into one trace', () =>
    inObservedWorld(async ({ startGateway, traces, simulator, gcore }) => {
      const { url } = await startGateway();
      const caller = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
      simulator.faults.add({ match: CREATION, action: { kind: 'status', status: 503 } });

      const answer = await fetch(`${url}/v1/runs/provisionInstance`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          'Idempotency-Key': 'order-1',
          traceparent: `00-${caller.traceId}-${caller.spanId}-01`,
        },
        body: JSON.stringify(provisionInput({ name: 'traced' })),
      });
      expect(answer.status).toBe(202);
      const workflowId = decodeURIComponent(
        answer.headers.get('location')?.split('/').at(-1) ?? '',
      );
      await gcore.result('provisionInstance', workflowId);
      const names = () => traces.spans.map(({ name }) => name);
      await until('the run is told', () => names().includes('RunWorkflow:provisionInstance'));
      const metrics = await scrape(`${url}/metrics`);

      const spans = traces.spans.filter(({ traceId }) => traceId === caller.traceId);
      const parents = new Map(spans.map(({ spanId, parentSpanId }) => [spanId, parentSpanId]));
      const posts = spans.filter(({ name }) => name.startsWith('POST createInstance'));
      const pathOf = (spanId: string | undefined): string[] => {
        const span = spans.find((other) => other.spanId === spanId);
        return span === undefined ? [] : [...pathOf(parents.get(span.spanId)), span.name];
      };
      expect(posts.map(({ spanId }) => pathOf(spanId))).toEqual([CREATION_PATH, CREATION_PATH]);
      expect(parents.get(spans.find(({ name }) => name === CREATION_PATH[0])?.spanId ?? '')).toBe(
        caller.spanId,
      );
      expect(posts.map(({ attributes }) => attributes['http.response.status_code'])).toEqual([
        503, 200,
      ]);
      expect(posts.at(-1)?.attributes['gcore.task_id']).toMatch(/^[0-9a-f-]{36}$/);
      expect(traces.bodies.join()).not.toContain(API_KEY.slice(5));
      expectTable(metrics.samples, GATEWAY_METRICS, []);
    }));
});
