import { setTimeout as delay } from 'node:timers/promises';

import { describe, expect, it } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';

import { createGcoreWorkflows } from '../../src/client/index.js';
import { createGateway } from '../../src/gateway/create-gateway.js';

import { HOSTILE_BODIES } from './hostile-bodies.js';
import { withMeasuredGateway, type MeasuredGateway } from './measured-gateway.js';
import { sendBytes, statusOf } from './send-bytes.js';
const TOKEN = 'a-token-that-nobody-guesses';

/** What stands in the place of a part of a path. A route with a part that is not here has no price yet, and fails. */
const PARTS: Readonly<Record<string, string>> = {
  operation: 'runBatch',
  id: 'provision-instance%2Fdefault%2Fno-such-order',
  account: 'default',
  token: TOKEN,
  file: 'problem.json',
  sha256: '0'.repeat(64),
  name: 'no-worker',
  action: 'abort',
};

/** All that a gateway serves, as `POST /v1/runs/protectIp`. */
function allRoutes(): string[] {
  const connection = Connection.lazy();
  const gcore = createGcoreWorkflows({ client: new Client({ connection }), taskQueue: 'none' });
  const { routes } = createGateway({ gcore });
  const served = routes.filter(({ method }) => method !== 'ALL');
  const names = served.map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, part)}`);
  return [...new Set(names)];
}

function part(_: string, name: string): string {
  const text = PARTS[name];
  if (text === undefined) throw new Error(`no price for a path with :${name}: add it to PARTS`);
  return text;
}

/** These judge what they read by schemas with long lists: each body has its price there. */
const WITH_LISTS = ['modifyKvStore', 'provisionInstance', 'runBatch'];
const EACH_BODY: readonly string[] = [
  ...WITH_LISTS.map((name) => `POST /v1/runs/${name}`),
  'POST /v1/uploads/runBatch',
];

const bearer = (token: string | undefined) =>
  token === undefined ? '' : `Authorization: Bearer ${token}\r\n`;

/** What the fixed piece of work takes on two idle processors. */
const WORK_MS = 18;
/** What one request may cost, on one core. */
const MOST_CPU_MS = 500;
const MOST_ANSWER = 64 * 1_024;
const MOST_HELD = 16 * 1_024 * 1_024;
/** Far below the delay that counts. */
const LOOK_EVERY_MS = 10;
/** For somebody else's `/livez` meanwhile, beside what the machine itself takes. */
const MOST_DELAY_MS = 250;
/** What everybody may read. */
const PUBLIC = /GET \/(?:openapi\.json|reference|schemas|assets)/;

function bytesOf(route: string, credential: string, body: string): string {
  const ofForm = route.includes('sign') || body.startsWith('token=');
  const type = ofForm ? 'x-www-form-urlencoded' : route.includes('uploads') ? 'x-ndjson' : 'json';
  const headers = [
    ...['Host: 127.0.0.1', 'Connection: close', 'Idempotency-Key: a'],
    ...[`Content-Type: application/${type}`, `Content-Length: ${Buffer.byteLength(body)}`],
  ];
  return `${route} HTTP/1.1\r\n${headers.join('\r\n')}\r\n${credential}\r\n${body}`;
}

/** Asks a server whether it lives, again and again. Gives the longest answer in milliseconds when it is stopped. */
function watchLife(url: string): () => Promise<number> {
  const watch = { isOver: false, most: 0 };
  const watching = (async () => {
    while (!watch.isOver) {
      const began = performance.now();
      await fetch(`${url}/livez`);
      watch.most = Math.max(watch.most, performance.now() - began);
      // It must not be what keeps the processors busy.
      await delay(LOOK_EVERY_MS);
    }
  })();
  return async () => {
    watch.isOver = true;
    await watching;
    return watch.most;
  };
}

interface Price {
  what: string;
  statuses: number[];
  cpuMs: number;
  /** Of the longest answer. */
  bytes: number;
  /**
   * What somebody else waits, beside one who waits at an idle gateway: of the time that the gateway had a processor,
   * because other programs of a busy machine have it too.
   */
  delayMs: number;
}

interface Gateways {
  gateway: MeasuredGateway;
  idle: MeasuredGateway;
}

async function priceOf({ gateway, idle }: Gateways, what: string, requests: string[]) {
  const [life, control] = [watchLife(gateway.url), watchLife(idle.url)];
  const before = await gateway.usage();
  const began = performance.now();
  const answers: string[] = [];
  for (const request of requests) answers.push(await sendBytes(gateway.url, request));
  const after = await gateway.usage();
  const usedMs = after.cpuMs - before.afterMs;
  const share = Math.min(1, usedMs / (performance.now() - began));
  // On a busy machine the same work takes more time of a processor.
  const slowness = Math.max(1, (before.workMs + after.workMs) / 2 / WORK_MS);
  const cpuMs = usedMs / slowness;
  const delayMs = (((await life()) - (await control())) * share) / slowness;
  const bytes = Math.max(...answers.map(({ length }) => length));
  return { what, statuses: answers.map(statusOf), cpuMs, bytes, delayMs };
}

const BODIES = Object.entries(HOSTILE_BODIES);

/** With a right token: each body by itself. */
async function pricesWithToken(gateways: Gateways, route: string): Promise<Price[]> {
  const prices: Price[] = [];
  for (const [what, body] of BODIES) {
    const request = bytesOf(route, bearer(TOKEN), body);
    prices.push(await priceOf(gateways, `${route}: ${what}`, [request]));
  }
  return prices;
}

/** Two bodies, other ones at each route: what judges them is the same for all routes. */
function someBodies(route: string, turn: number, credential: string): string[] {
  const some = BODIES.filter((_, at) => at % (BODIES.length / 2) === turn % (BODIES.length / 2));
  return some.map(([, body]) => bytesOf(route, credential, body));
}

/** So many routes together must cost no more than one may. */
const CREDENTIALS = [
  { name: 'a right token', token: TOKEN, together: 3 },
  { name: 'a wrong token', token: 'a-guess', together: 12 },
  { name: 'no token', token: undefined, together: 12 },
] as const;

async function allPrices(gateways: Gateways): Promise<Price[]> {
  const routes = allRoutes();
  const prices: Price[] = [];
  for (const route of EACH_BODY) prices.push(...(await pricesWithToken(gateways, route)));
  for (const { name, token, together } of CREDENTIALS) {
    for (let from = 0; from < routes.length; from += together) {
      const some = routes.slice(from, from + together);
      const requests = some.flatMap((route, at) =>
        someBodies(route.replace(TOKEN, token ?? 'none'), from + at, bearer(token)),
      );
      prices.push(await priceOf(gateways, `${some.join()}: ${name}`, requests));
    }
  }
  return prices;
}

function isDear({ what, cpuMs, bytes, delayMs }: Price): boolean {
  const most = PUBLIC.test(what) ? Infinity : MOST_ANSWER;
  return cpuMs > MOST_CPU_MS || bytes > most || delayMs > MOST_DELAY_MS;
}

/** Something was started or taken, or nobody knew what to say. */
function isWrong({ what, statuses }: Price): boolean {
  return statuses.some((status) => status === 500 || (status === 202 && !what.includes('/hooks/')));
}

describe('what one request can cost a gateway', () => {
  it('is bounded for every route, token and body, and nothing of it stays', () =>
    withMeasuredGateway(TOKEN, (gateway) =>
      withMeasuredGateway(TOKEN, async (idle) => {
        const gateways = { gateway, idle };
        await pricesWithToken(gateways, 'POST /v1/runs/protectIp');
        const before = await gateway.usage();
        const prices = await allPrices(gateways);
        const after = await gateway.usage();

        expect(prices.filter(isDear)).toEqual([]);
        expect(prices.filter(isWrong)).toEqual([]);
        expect(after.heldBytes - before.heldBytes).toBeLessThan(MOST_HELD);
      }),
    ));
});
