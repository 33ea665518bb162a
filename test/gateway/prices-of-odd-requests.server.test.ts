import { describe, expect, it } from '@jest/globals';

import { CONTAINER_BYTES, withMeasuredGateway, type MeasuredGateway } from './measured-gateway.js';
import { measurePrice, type Price, type Row } from './measure-price.js';
import { headOf, idleGateway, routesOf, type Credentials, type Route } from './route-requests.js';
import { sendBytes, statusOf } from './send-bytes.js';

const TOKEN = 'a-token-that-nobody-guesses';

/** What one request may cost, on one core. */
const MOST_CPU_MS = 500;
const MOST_PAUSE_MS = 250;
const MOST_ANSWER = 64 * 1_024;

const isTooLong = ({ cpuMs, pauseMs }: Price) => cpuMs > MOST_CPU_MS || pauseMs > MOST_PAUSE_MS;
const isFault = ({ answers }: Price) => answers.map(statusOf).some((status) => status >= 500);

async function pricesOf(gateway: MeasuredGateway, rows: readonly Row[]): Promise<Price[]> {
  const prices: Price[] = [];
  for (const row of rows) prices.push(await measurePrice(gateway, row, isTooLong));
  return prices;
}

/** A megabyte on the wire, of which a sixth is the body. Node's own parser takes most of the time, on a slow machine half of what may be. */
const CHUNKS = Buffer.from(`${'1\r\nx\r\n'.repeat(166_000)}0\r\n\r\n`);

/** Each way to read a body. */
const WITH_BODIES: readonly Route[] = [
  'POST /v1/plans/protectIp',
  'POST /v1/batches/provisionInstance',
  'POST /v1/uploads/modifyKvStore',
  'POST /v1/runs/provision-instance%2Fdefault%2Fno-such-order/resume',
  'POST /hooks/videos/default/:token',
  'POST /sign-in',
  'GET /v1/runs',
];

function chunkRows(url: string, callers: readonly Credentials[]): Row[] {
  const headers = { 'Transfer-Encoding': 'chunked', Connection: 'close' };
  return WITH_BODIES.flatMap((route) =>
    callers.map((caller) => ({
      what: `${caller.name}, ${route}: chunks of a byte`,
      send: async () => [await sendBytes(url, headOf(route, caller, headers), CHUNKS)],
    })),
  );
}

/** As long as a head may be. */
const MOST_OF_HEAD = 14_000;
const manyOf = (pair: string, characters = MOST_OF_HEAD) =>
  pair.repeat(Math.floor(characters / pair.length));
const aFourthOf = (pair: string) => manyOf(pair, MOST_OF_HEAD / 4);

const QUERIES: Readonly<Record<string, string>> = {
  'a name that is there hundreds of times': manyOf('account=default&label=a%3Db&'),
  'two thousand names': Array.from({ length: 2_000 }, (_, at) => `a${at}=1`).join('&'),
  'a long name': manyOf('k'),
  'names of a prototype': '__proto__=1&__proto__[a]=1&constructor=2&toString=3',
  'a byte of zero': 'account=%00&search=%00&page=%00&run=%00&wait=%00&skip=%00&label=%00',
  'half a pair': 'account=%ED%A0%80&search=%ED%A0%80&page=%ED%A0%80&run=%ED%A0%80',
  'no encoding': 'account=%&search=%E0%A4%A&%=%',
  'long values, and a filter of brackets': `query=${aFourthOf('(')}&page=${aFourthOf('A')}&wait=${aFourthOf('9')}s&search=${aFourthOf('a*%20')}`,
  'a filter of many conditions': `query=${manyOf('WorkflowId=%27a%27%20OR%20')}a`,
  'long waits': 'wait=99999999999999999999s&limit=99999999',
};

/** All routes together that have nothing to do with an operation of an input: one reader serves those. */
function queryRows(url: string, caller: Credentials, routes: readonly Route[]): Row[] {
  const headers = { Connection: 'close', Range: 'bytes=0-1,2-3,4-' };
  return routes.flatMap((route) =>
    Object.entries(QUERIES).map(([name, query]) => {
      const [more, body] = route.startsWith('POST') ? [{ 'Content-Length': 2 }, '{}'] : [{}, ''];
      const head = headOf(`${route}?${query}`, caller, { ...headers, ...more });
      return { what: `${route}: ${name}`, send: async () => [await sendBytes(url, head, body)] };
    }),
  );
}

const OF_OPERATION = /\/(?:runs|plans|batches|schemas)\/[a-z]+[A-Z][A-Za-z.]*$/;
/** Public documents are long whatever is asked for. */
const IS_LONG = /^GET \/(?:openapi\.json|reference|schemas|assets|metrics)/;

describe('what a request of an odd form can cost a gateway', () => {
  it('is bounded for bodies that come in chunks of a byte, and little of them is in memory', () =>
    withMeasuredGateway(TOKEN, async (gateway) => {
      const callers = [
        { name: 'a right token', token: TOKEN, cookie: gateway.cookie },
        { name: 'no token' },
      ];
      const before = await gateway.memory();

      const prices = await pricesOf(gateway, chunkRows(gateway.url, callers));
      const { peakBytes } = await gateway.memory();

      expect(prices.filter(isTooLong)).toEqual([]);
      expect(prices.filter(isFault)).toEqual([]);
      expect(peakBytes - before.residentBytes).toBeLessThan(CONTAINER_BYTES / 8);
    }));

  it('is bounded for each route, whatever its query says', () =>
    withMeasuredGateway(TOKEN, async (gateway) => {
      const routes = await routesOf(idleGateway());
      const asked = routes.filter((route) => !OF_OPERATION.test(route));
      const caller = { name: 'a right token', token: TOKEN, cookie: gateway.cookie };

      const prices = await pricesOf(gateway, queryRows(gateway.url, caller, asked));

      expect(asked.length).toBeGreaterThan(30);
      expect(prices.filter(isTooLong)).toEqual([]);
      expect(prices.filter(isFault)).toEqual([]);
      const isLong = ({ what, bytes }: Price) => !IS_LONG.test(what) && bytes > MOST_ANSWER;
      expect(prices.filter(isLong)).toEqual([]);
    }));
});
