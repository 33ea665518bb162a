import { describe, expect, it } from '@jest/globals';

import type { FaultAction } from '../../src/simulator/index.js';
import { API_KEY, inObservedWorld } from '../support/observe/observed-world.js';
import { until } from '../support/timing/until.js';
import { createSecretsFolder } from '../support/secrets/secrets-folder.js';
import { CREATION } from '../support/worlds/simulated-cloud.js';
import { ECHOES, plainCanary, scan, type Canary, type Document } from './canaries.js';
import { clearCalls, namedCall } from './planted-calls.js';
import { plantedInstance } from './planted-secrets.js';

const { canaries, input } = plantedInstance();
const call = namedCall();
const clear = clearCalls();
/** Of a receiver that says by its address who may tell it. */
const room = {
  path: plainCanary('notify[0].url: path'),
  query: plainCanary('notify[0].url: query'),
};
const SENT: readonly Canary[] = [...canaries, { place: 'GCORE_API_KEY', value: API_KEY }];
const SECRETS = [...SENT, ...call.canaries, ...clear.canaries, room.path, room.query];
/** What the API answers to the creating call: each text is a secret in a form of its own. */
const repeated = Object.values(ECHOES)
  .flatMap((form) => SENT.map(form))
  .join(' ');
const CHANGING = { method: 'PATCH', path: /\/cloud\/v1\/volumes/ } as const;
const VOLUME = '/cloud/v1/volumes/1/1/0d9e1f4c-6f5c-4b0a-8b39-5f1c2f6f7a01';

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

interface Asked {
  operation: string;
  body: object;
  key: string;
}

/** Keeps every answer of a gateway. */
function watching(gateway: string, documents: Document[]) {
  return async (path: string, init: RequestInit = {}): Promise<Response> => {
    const answer = await fetch(`${gateway}${path}`, init);
    documents.push({ name: `${init.method ?? 'GET'} ${path}`, text: await answer.clone().text() });
    return answer;
  };
}

const startOf = ({ body, key }: Asked): RequestInit => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key },
  body: JSON.stringify(body),
});

/** Starts the run over HTTP, and keeps every answer about it until and after its end. */
async function runOver(gateway: string, asked: Asked): Promise<Document[]> {
  const documents: Document[] = [];
  const see = watching(gateway, documents);
  const started = await see(`/v1/runs/${asked.operation}`, startOf(asked));
  expect(started.status).toBe(202);
  const run = started.headers.get('location') ?? '';
  await until('the run has ended', async () => {
    const { status } = await see(`${run}/result?wait=10s`);
    return status !== 202;
  });
  const page = run.replace('/v1', '');
  const paths = [run, `${run}/explanation`, `${run}/events`, '/v1/runs'];
  for (const path of [...paths, page, `${page}?part=run`, `${page}/input.json`, '/runs']) {
    const answer = await see(path, { signal: AbortSignal.timeout(10_000) });
    expect(answer.status).toBe(200);
  }
  return documents;
}

/** Calls with a secret in clear: each is refused, and its answer names the place only. */
async function refusedBy(gateway: string): Promise<Document[]> {
  const documents: Document[] = [];
  const see = watching(gateway, documents);
  // The last ones are those with all names at once, and one of each other form.
  for (const [at, body] of clear.input.slice(-10).entries()) {
    const asked = { method: 'PATCH', path: VOLUME, body };
    const one = { operation: 'callApi', body: asked, key: `clear-${at}` };
    const way = at === 0 ? 'plans' : 'runs';
    expect((await see(`/v1/${way}/callApi`, startOf(one))).status).toBe(400);
  }
  return documents;
}

describe('a secret of an input', () => {
  it('shows in no answer, page, event, webhook, metric, trace, log or audit, whatever the API repeats', () =>
    inObservedWorld(
      async (world) => {
        const { simulator, startGateway, metricsUrl, health, traces, webhooks, worker } = world;
        const gateway = await startGateway();
        const documents: Document[] = [];
        const url = `${webhooks.url}/${room.path.value}?token=${room.query.value}`;
        const notify = [{ url, secretName: 'test' }];
        for (const [end, action] of Object.entries(ENDS)) {
          if (action !== undefined) simulator.faults.add({ match: CREATION, action });
          const asked = { operation: 'provisionInstance', body: { ...input, notify } };
          const key = end.replaceAll(/\W+/g, '-');
          documents.push(...(await runOver(gateway.url, { ...asked, key })));
        }
        for (const form of Object.keys(ECHOES)) {
          const said = call.canaries.map((one) => ECHOES[form]?.(one)).join(' ');
          const body = { message: said, exception_class: said };
          const action = { kind: 'status', status: 400, body } as const;
          simulator.faults.add({ match: CHANGING, action });
          const sent = { method: 'PATCH', path: VOLUME, body: call.input, notify };
          const asked = { operation: 'callApi', body: sent, key: `call-${form}` };
          documents.push(...(await runOver(gateway.url, asked)));
        }
        documents.push(...(await refusedBy(gateway.url)));
        const told = Object.keys(ENDS).length + Object.keys(ECHOES).length;
        await until('each end was told', () => webhooks.taken.length >= told);
        await until('the traces came', () => traces.spans.some(({ name }) => /Creat/.test(name)));
        for (const of of [metricsUrl, `${gateway.url}/metrics`, health('/readyz?verbose')]) {
          documents.push({ name: of, text: await (await fetch(of)).text() });
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

        expect(gateway.lines.join('\n')).toContain('"action":"input"');
        expect(scan(documents, SECRETS)).toEqual([]);
        expect(scan([{ name: 'the API', text: repeated }], SENT).length).toBe(SENT.length);
        const count = `${SECRETS.length}, ${documents.length} documents`;
        process.stderr.write(`canaries outside: ${count}\n`);
      },
      {
        GCORE_SECRETS_DIR: createSecretsFolder(call.secrets).path,
        GCORE_CALL_API: 'PATCH /cloud/v1/volumes/*/*/*',
      },
    ));
});
