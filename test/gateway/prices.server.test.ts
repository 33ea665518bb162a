import { describe, expect, it } from '@jest/globals';

import { bodiesFor } from './hostile-bodies.js';
import { CONTAINER_BYTES, withMeasuredGateway, type MeasuredGateway } from './measured-gateway.js';
import { measurePrice, type Price, type Row } from './measure-price.js';
import { headOf, idleGateway, routesOf, type Credentials, type Route } from './route-requests.js';
import { sendBytes, statusOf } from './send-bytes.js';
import { endAll, pipelineUnread, sendHalf, type Stalled } from './stalled-connections.js';

const TOKEN = 'a-token-that-nobody-guesses';

/** What one request may cost, on one core. */
const MOST_CPU_MS = 500;
const MOST_PAUSE_MS = 250;
const MOST_ANSWER = 64 * 1_024;
/** After all of them. */
const MOST_HELD = 16 * 1_024 * 1_024;
/** As long as a connection stalls. */
const MOST_HELD_OF_ONE = 64 * 1_024;
/** Far less than the two minutes that a whole upload has. */
const LET_GO_MS = 60_000;
/** So many routes together must cost no more than one may. */
const TOGETHER = 12;

/** Some series for each route and status that was asked for: a scraper reads them every minute. */
const METRICS = /GET \/metrics/;
const MOST_METRICS = 1_024 * 1_024;
/** What everybody may read. */
const PUBLIC = /GET \/(?:openapi\.json|reference|schemas|assets)/;

function isTooLong({ cpuMs, pauseMs }: Price): boolean {
  return cpuMs > MOST_CPU_MS || pauseMs > MOST_PAUSE_MS;
}

function isDear(price: Price): boolean {
  return isTooLong(price) || price.bytes > mostBytesOf(price.what);
}

function mostBytesOf(what: string): number {
  if (PUBLIC.test(what)) return Infinity;
  return METRICS.test(what) ? MOST_METRICS : MOST_ANSWER;
}

/** Something was started or taken, or nobody knew what to say. */
function isWrong({ what, answers }: Price): boolean {
  return answers
    .map(statusOf)
    .some((status) => status === 500 || (status === 202 && !what.includes('/hooks/')));
}

type Send = (route: Route) => Promise<string>;

function sendBody(url: string, credentials: Credentials, body: Buffer): Send {
  const headers = { 'Content-Length': body.length, Connection: 'close' };
  return (route) => sendBytes(url, headOf(route, credentials, headers), body);
}

/** With a right token: each body by itself. */
function rowsWithToken(url: string, credentials: Credentials, routes: readonly Route[]): Row[] {
  return routes.flatMap((route) =>
    [...bodiesFor(route)].map(([name, body]) => ({
      what: `${route}: ${name}`,
      send: async () => [await sendBody(url, credentials, body)(route)],
    })),
  );
}

/** A few routes together; those of public documents, which are long, by themselves. */
function rowsTogether(routes: readonly Route[], name: string, send: Send): Row[] {
  const isPublic = (route: Route) => PUBLIC.test(route);
  return [routes.filter(isPublic), routes.filter((route) => !isPublic(route))].flatMap((kind) =>
    Array.from({ length: Math.ceil(kind.length / TOGETHER) }, (_, at) => {
      const some = kind.slice(at * TOGETHER, (at + 1) * TOGETHER);
      return {
        what: `${some.join(', ')}: ${name}`,
        send: async () => {
          const answers: string[] = [];
          for (const route of some) answers.push(await send(route));
          return answers;
        },
      };
    }),
  );
}

/** Nobody judges what they send: it is the same for all routes. */
function rowsOfStrangers(url: string, credentials: Credentials, routes: readonly Route[]): Row[] {
  return [...bodiesFor('')].flatMap(([name, body]) =>
    rowsTogether(routes, `${credentials.name}, ${name}`, sendBody(url, credentials, body)),
  );
}

async function pricesOf(gateway: MeasuredGateway, rows: readonly Row[]): Promise<Price[]> {
  const prices: Price[] = [];
  for (const row of rows) prices.push(await measurePrice(gateway, row, isTooLong));
  return prices;
}

function credentialsOf({ cookie }: MeasuredGateway): [Credentials, ...Credentials[]] {
  return [
    { name: 'a right token', token: TOKEN, cookie },
    { name: 'a wrong token', token: 'a-guess', cookie: cookie.replace(/.$/, '-') },
    { name: 'no token' },
  ];
}

/** Measured when the gateway has done all that it does for them. */
function settling({ settled }: MeasuredGateway, rows: readonly Row[]): Row[] {
  const send = async (row: Row): Promise<string[]> => {
    const answers = await row.send();
    await settled();
    return answers;
  };
  return rows.map((row) => ({ ...row, send: () => send(row) }));
}

/** Each route and caller has one connection that does this. */
function stallingRows(
  gateway: MeasuredGateway,
  { routes, stall, into }: { routes: readonly Route[]; stall: typeof sendHalf; into: Stalled[] },
): Row[] {
  const rows = credentialsOf(gateway).flatMap((credentials) =>
    rowsTogether(routes, `${credentials.name}, ${stall.name}`, async (route) => {
      into.push(await stall(gateway.url, route, credentials));
      return '';
    }),
  );
  return settling(gateway, rows);
}

describe('what one request can cost a gateway', () => {
  it('is bounded for every route, token and body, and nothing of it stays', () =>
    withMeasuredGateway(TOKEN, async (gateway) => {
      const routes = await routesOf(idleGateway());
      const [right, ...strangers] = credentialsOf(gateway);
      const rows = rowsWithToken(gateway.url, right, routes);
      // What a route makes when it is first asked, such as its schemas, stays for good.
      const firsts = new Map(rows.map((row) => [row.what.replace(/:.*/, ''), row]));
      await pricesOf(gateway, [...firsts.values()]);
      const before = await gateway.memory();
      const prices = await pricesOf(gateway, [
        ...rows,
        ...strangers.flatMap((each) => rowsOfStrangers(gateway.url, each, routes)),
      ]);
      const after = await gateway.memory();

      expect(prices.filter(isDear)).toEqual([]);
      expect(prices.filter(isWrong)).toEqual([]);
      expect(after.heldBytes - before.heldBytes).toBeLessThan(MOST_HELD);
      expect(after.peakBytes).toBeLessThan(CONTAINER_BYTES);
    }));

  it('is bounded for every route whose callers do not read or stall, and who sends no more is let go', () =>
    withMeasuredGateway(TOKEN, async (gateway) => {
      const routes = await routesOf(idleGateway());
      const [halfSent, unread]: [Stalled[], Stalled[]] = [[], []];
      const before = await gateway.memory();
      const prices = await pricesOf(gateway, [
        ...stallingRows(gateway, { routes, stall: sendHalf, into: halfSent }),
        ...stallingRows(gateway, { routes, stall: pipelineUnread, into: unread }),
      ]);
      const during = await gateway.memory();
      const { status } = await fetch(`${gateway.url}/livez`);

      expect(status).toBe(200);
      expect(prices.filter(isTooLong)).toEqual([]);
      const count = halfSent.length + unread.length;
      expect((during.heldBytes - before.heldBytes) / count).toBeLessThan(MOST_HELD_OF_ONE);
      expect(during.peakBytes).toBeLessThan(CONTAINER_BYTES);
      const since = performance.now();
      await Promise.all(halfSent.map(({ closed }) => closed));
      expect(performance.now() - since).toBeLessThan(LET_GO_MS);
      endAll(unread);
    }));
});
