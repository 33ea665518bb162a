import { createHash, randomUUID } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';

import { createNamespace } from '../support/cli/cli-world.js';
import { temporalAddress } from '../support/runs/scenario.js';
import { until } from '../support/timing/until.js';
import { largeRuns } from './large-run.js';
import { withMeasuredGateway, type MeasuredGateway } from './measured-gateway.js';
import { measurePrice, type Price } from './measure-price.js';

const TOKEN = 'a-token-that-nobody-guesses';
const HEADERS = { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/jsonl' };
const LIST = '{"name":"a","origin_url":"https://a.example/1"}\n';
const PATH = `/v1/uploads/${createHash('sha256').update(LIST).digest('hex')}`;

/** What one request may cost, on one core. */
const MOST_CPU_MS = 500;
const MOST_ANSWER = 64 * 1_024;
const MOST_TRIES = 4;

/** A worker has taken them, as far as the server shows it: each has more events than before its first workflow task. */
async function goOn(namespace: string, requestIds: readonly string[]): Promise<void> {
  const connection = await Connection.connect({ address: temporalAddress() });
  const { workflow } = new Client({ connection, namespace });
  for (const requestId of requestIds) {
    const run = workflow.getHandle(`modify-kv-store/default/${requestId}`);
    for (let sent = 0; sent < 4; sent += 1) await run.signal('said');
  }
  await connection.close();
}

async function smallRuns(namespace: string, count: number): Promise<void> {
  const connection = await Connection.connect({ address: temporalAddress() });
  const { workflow } = new Client({ connection, namespace });
  const args = [{ storeId: 1, items: [] }];
  for (let at = 0; at < count; at += 1) {
    const id = { workflowId: `modify-kv-store/default/${at}`, taskQueue: 'none' };
    await workflow.start('modifyKvStore', { ...id, args });
  }
  await connection.close();
}

/** Of one list that nobody reads, again and again: the cheapest counts, because a neighbour on the machine makes others dear. */
async function priceOfDeletion(gateway: MeasuredGateway, openRuns: number): Promise<Price> {
  const { url } = gateway;
  const ask = (method: string, path: string, body?: string) =>
    fetch(`${url}${path}`, { method, headers: HEADERS, ...(body !== undefined && { body }) });
  await until('the server lists the runs', async () => {
    const counted = await ask('GET', '/v1/runs?open=true&limit=200');
    return (await counted.text()).split('"workflowId"').length > openRuns;
  });
  const send = async () => {
    const answer = await ask('DELETE', PATH);
    return [`HTTP/1.1 ${answer.status} ${await answer.text()}`];
  };
  const prices: Price[] = [];
  while (prices.length < MOST_TRIES) {
    await ask('POST', '/v1/uploads/importVideos', LIST);
    await gateway.settled();
    prices.push(await measurePrice(gateway, { what: 'deletion', send }, () => false));
    if (prices.some(({ cpuMs }) => cpuMs < MOST_CPU_MS)) break;
  }
  return prices.reduce((least, price) => (price.cpuMs < least.cpuMs ? price : least));
}

async function inNamespace(
  fill: (namespace: string) => Promise<unknown>,
  use: (gateway: MeasuredGateway) => Promise<void>,
): Promise<void> {
  const namespace = `deletions-${randomUUID()}`;
  await createNamespace(temporalAddress(), namespace);
  await fill(namespace);
  await withMeasuredGateway(TOKEN, use, namespace);
}

describe('the deletion of an uploaded list', () => {
  it('costs little while many open runs have large inputs that no worker has taken', () =>
    inNamespace(
      (namespace) => largeRuns(temporalAddress(), { count: 60, areEnded: false, namespace }),
      async (gateway) => {
        const price = await priceOfDeletion(gateway, 60);

        expect(price.answers).toEqual(['HTTP/1.1 204 ']);
        expect(price.cpuMs).toBeLessThan(MOST_CPU_MS);
      },
    ));

  it('costs little, and is refused, while nobody knows what many long histories hold', () =>
    inNamespace(
      async (namespace) => {
        const runs = { count: 60, areEnded: false, namespace };
        await goOn(namespace, await largeRuns(temporalAddress(), runs));
      },
      async (gateway) => {
        const price = await priceOfDeletion(gateway, 60);

        expect(price.answers).toEqual([expect.stringMatching(/^HTTP\/1.1 409 /)]);
        expect(price.cpuMs).toBeLessThan(MOST_CPU_MS);
        expect(price.bytes).toBeLessThan(MOST_ANSWER);
      },
    ));

  it('costs little for as many runs as it looks at', () =>
    inNamespace(
      (namespace) => smallRuns(namespace, 99),
      async (gateway) => {
        const price = await priceOfDeletion(gateway, 99);

        expect(price.answers).toEqual(['HTTP/1.1 204 ']);
        expect(price.cpuMs).toBeLessThan(MOST_CPU_MS);
      },
    ));
});
