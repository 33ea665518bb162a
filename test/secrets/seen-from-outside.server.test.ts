import { describe, expect, it } from '@jest/globals';

import type { FaultAction } from '../../src/simulator/index.js';
import { API_KEY, inObservedWorld, type ObservedWorld } from '../support/observe/observed-world.js';
import { until } from '../support/timing/until.js';
import { CREATION } from '../support/worlds/simulated-cloud.js';
import { ECHOES, scan, type Canary, type Document } from './canaries.js';
import { plantedInstance } from './planted-secrets.js';

const { canaries, input } = plantedInstance();
const SECRETS: readonly Canary[] = [...canaries, { place: 'GCORE_API_KEY', value: API_KEY }];
/** What the API answers to the creating call: each text is a secret in a form of its own. */
const repeated = Object.values(ECHOES)
  .flatMap((form) => SECRETS.map(form))
  .join(' ');

const ENDS: Readonly<Record<string, FaultAction | undefined>> = {
  'a refusal': {
    kind: 'status',
    status: 400,
    body: { message: repeated, exception_class: repeated },
  },
  'a failed task': { kind: 'task-error', error: repeated },
  'an error of the server, then success': {
    kind: 'status',
    status: 503,
    body: `<html>${repeated}</html>`,
    contentType: 'text/html',
  },
  success: undefined,
};

/** Starts the run over HTTP, and keeps every answer about it until and after its end. */
async function runOver(gateway: string, key: string, { webhooks }: ObservedWorld) {
  const documents: Document[] = [];
  const see = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const answer = await fetch(`${gateway}${path}`, init);
    documents.push({ name: `${init.method ?? 'GET'} ${path}`, text: await answer.clone().text() });
    return answer;
  };
  const notify = [{ url: webhooks.url, secretName: 'test' }];
  const started = await see('/v1/runs/provisionInstance', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key },
    body: JSON.stringify({ ...input, notify }),
  });
  expect(started.status).toBe(202);
  const run = started.headers.get('location') ?? '';
  await until('the run has ended', async () => {
    const { status } = await see(`${run}/result?wait=10s`);
    return status !== 202;
  });
  const page = run.replace('/v1', '');
  for (const path of [run, `${run}/explanation`, `${run}/events`, '/v1/runs', page, '/runs']) {
    const answer = await see(path, { signal: AbortSignal.timeout(10_000) });
    expect(answer.status).toBe(200);
  }
  return documents;
}

describe('a secret of an input', () => {
  it('shows in no answer, page, event, webhook, metric, trace or log, whatever the API repeats', () =>
    inObservedWorld(async (world) => {
      const { simulator, startGateway, metricsUrl, health, traces, webhooks, worker } = world;
      const gateway = await startGateway();
      const documents: Document[] = [];
      for (const [end, action] of Object.entries(ENDS)) {
        if (action !== undefined) simulator.faults.add({ match: CREATION, action });
        const key = end.replaceAll(/\W+/g, '-');
        documents.push(...(await runOver(gateway.url, key, world)));
      }
      await until('each end was told', () => webhooks.taken.length >= Object.keys(ENDS).length);
      await until('the traces came', () => traces.spans.some(({ name }) => /Creat/.test(name)));
      for (const url of [metricsUrl, `${gateway.url}/metrics`, health('/readyz?verbose')]) {
        documents.push({ name: url, text: await (await fetch(url)).text() });
      }
      documents.push(
        ...traces.bodies.map((text, at) => ({ name: `trace ${at}`, text })),
        ...webhooks.tries.map(({ id, body }) => ({
          name: `webhook ${id}`,
          text: JSON.stringify(body),
        })),
        ...worker.lines.map((text, at) => ({ name: `log of the worker ${at}`, text })),
        ...gateway.lines.map((text, at) => ({ name: `log of the gateway ${at}`, text })),
      );

      expect(scan(documents, SECRETS)).toEqual([]);
      expect(scan([{ name: 'the API', text: repeated }], SECRETS).length).toBe(SECRETS.length);
      process.stderr.write(`canaries outside: ${SECRETS.length}, ${documents.length} documents\n`);
    }));
});
