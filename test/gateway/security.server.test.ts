import { gzipSync } from 'node:zlib';

import { describe, expect, it } from '@jest/globals';

import type { AnswerLog } from '../../src/gateway/middleware.js';
import { serveGateway } from '../../src/gateway/serve-gateway.js';
import type { StoredToken } from '../../src/tokens/token-file.js';
import {
  at,
  bearer,
  bodyOf,
  gatewayOf,
  post,
  readEvents,
  startedPath,
  storedToken,
  tokensOf,
} from '../support/gateway/gateway-world.js';
import { sendBytes, statusOf } from './send-bytes.js';
import { inScenario } from '../support/runs/scenario.js';
import { until } from '../support/timing/until.js';
import { holdTaskReads } from '../support/worlds/hold-task-reads.js';
const ID = '/v1/runs/provision-instance%2Fdefault%2Fno-such-order';
const SCOPE_OF: Readonly<Record<string, string>> = {
  'GET /v1/runs': 'read',
  [`GET ${ID}`]: 'read',
  [`HEAD ${ID}`]: 'read',
  [`GET ${ID}/result`]: 'read',
  [`GET ${ID}/events`]: 'read',
  [`GET ${ID}/explanation`]: 'read',
  [`GET ${ID}/report`]: 'read',
  'POST /v1/runs/listSshKeys': 'run',
  'POST /v1/plans/listSshKeys': 'run',
  [`POST ${ID}/pause`]: 'operate',
  [`POST ${ID}/resume`]: 'operate',
  [`POST ${ID}/abort`]: 'operate',
  [`POST ${ID}/cancel`]: 'operate',
  [`POST ${ID}/extend`]: 'operate',
  [`POST ${ID}/restore`]: 'operate',
};

describe('a token', () => {
  it('opens the routes of its scopes and no others; without a good one every route is closed', () =>
    inScenario({ replays: false }, async (scenario) => {
      const log: AnswerLog[] = [];
      const tokens = tokensOf({
        'token-read': { name: 'read', scopes: ['read'] },
        'token-run': { name: 'run', scopes: ['run'] },
        'token-operate': { name: 'operate', scopes: ['operate'] },
        'token-old': { name: 'old', scopes: ['read', 'run', 'operate'], expiresAt: Date.now() },
      });
      const app = gatewayOf(scenario, { tokens, log: (answer) => log.push(answer) });
      const answerTo = async (route: string, headers: Record<string, string>) => {
        const [method = '', path = ''] = route.split(' ');
        return (await app.request(at(path), { method, headers })).status;
      };
      const closed = [
        {},
        { Authorization: 'Bearer token-other' },
        { Authorization: 'Bearer token-old' },
        { Authorization: 'Bearer' },
        { Authorization: 'Basic dG9rZW4tcmVhZA==' },
        { Authorization: 'Bearer token-read token-operate' },
        { Cookie: 'token=token-read' },
      ];

      for (const [route, scope] of Object.entries(SCOPE_OF)) {
        for (const headers of closed) {
          expect([route, headers, await answerTo(route, headers)]).toEqual([route, headers, 401]);
        }
        for (const own of ['read', 'run', 'operate']) {
          const status = await answerTo(route, { Authorization: `Bearer token-${own}` });
          expect([route, own, status === 403]).toEqual([route, own, own !== scope]);
        }
      }
      const inQuery = await app.request(at('/v1/runs?access_token=token-read&token=token-read'));
      expect(inQuery.status).toBe(401);
      expect(JSON.stringify(log)).not.toMatch(/token-(read|run|operate|old|other)|dG9rZW4/);
    }));

  it('that is withdrawn or expires ends the streams that it opened', () =>
    inScenario({}, async (scenario) => {
      const release = holdTaskReads(scenario.simulator);
      let tokens: StoredToken[] = [storedToken('a', { name: 'a', scopes: ['read'] })];
      const app = gatewayOf(scenario, {
        tokens: { read: () => Promise.resolve(tokens) },
        events: { heartbeatMs: 50, longestMs: 600_000 },
      });
      const path = await startedPath(scenario);

      const answer = await app.request(`${path}/events`, bearer('a'));
      tokens = [];
      const text = await readEvents(answer);

      expect(text).not.toContain('event: end');
      expect(text).toMatch(/retry: \d+\n\n$/);
      expect((await app.request(`${path}/events`, bearer('a'))).status).toBe(401);
      release();
      await gatewayOf(scenario).request(`${path}/result?wait=50s`);
    }));

  it.each<[string, StoredToken[]]>([
    ['withdrawn', []],
    [
      'narrowed',
      [storedToken('a', { name: 'a', scopes: ['read', 'metrics'], operations: ['importVideos'] })],
    ],
  ])('that is %s reads nothing after a wait', (_, later) =>
    inScenario({}, async (scenario) => {
      const release = holdTaskReads(scenario.simulator);
      let tokens: StoredToken[] = [storedToken('a', { name: 'a', scopes: ['read', 'metrics'] })];
      const app = gatewayOf(scenario, {
        tokens: { read: () => Promise.resolve(tokens) },
        events: { heartbeatMs: 600_000, longestMs: 600_000 },
      });
      const path = await startedPath(scenario);
      const stream = await app.request(`${path}/events`, bearer('a'));
      const wait = app.request(`${path}/result?wait=50s`, bearer('a'));
      await until('the poll waits', async () => {
        const metrics = await app.request('/metrics', bearer('a'));
        return (await metrics.text()).includes('open_streams 2');
      });

      tokens = later;
      release();

      expect(await readEvents(stream)).not.toContain('COMPLETED');
      expect((await wait).status).toBe(401);
    }),
  );
});

describe('a gateway without tokens', () => {
  it('takes no request of a web page', () =>
    inScenario({ replays: false }, async (scenario) => {
      const app = gatewayOf(scenario);
      const answerTo = async (url: string, headers: Record<string, string>, method = 'POST') =>
        (await app.request(url, { method, headers })).status;
      const pause = `${ID}/pause`;

      expect([
        await answerTo(at(pause), { Origin: 'https://evil.example' }),
        await answerTo(at(pause), { Origin: 'null' }),
        await answerTo(at(pause), { 'Sec-Fetch-Site': 'cross-site' }),
        await answerTo(at(pause), { 'Sec-Fetch-Site': 'same-site' }),
        await answerTo(`http://rebound.example${pause}`, {}),
        await answerTo(`http://127.0.0.1.evil.example/v1/runs`, {}, 'GET'),
      ]).toEqual([403, 403, 403, 403, 403, 403]);
      expect(await answerTo(at(pause), {})).toBe(404);
    }));
});

describe('bytes that no client sends', () => {
  it('change no header, reach no other path, and fill no memory', () =>
    inScenario({ replays: false }, async (scenario) => {
      const server = await serveGateway(gatewayOf(scenario), { host: '127.0.0.1', port: 0 });
      const { host } = new URL(server.url);
      const send = (...parts: (string | Buffer)[]) => sendBytes(server.url, ...parts);
      const start = (headers: string) =>
        `POST /v1/runs/listSshKeys HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\nContent-Type: application/json\r\n${headers}\r\n`;
      const big = 'a'.repeat(65_536);
      const chunks = Array.from({ length: 40 }, () => `10000\r\n${big}\r\n`);

      const refused = {
        injectedHeader: await send(
          start('Idempotency-Key: a\rX-Evil: 1\r\nContent-Length: 2\r\n'),
          '{}',
        ),
        nulInHeader: await send(start('Idempotency-Key: a\0b\r\nContent-Length: 2\r\n'), '{}'),
        twoLengths: await send(start('Content-Length: 2\r\nContent-Length: 3\r\n'), '{}'),
        lengthAndChunks: await send(
          start('Content-Length: 2\r\nTransfer-Encoding: chunked\r\n'),
          '0\r\n\r\n',
        ),
        longHeader: await send(start(`Idempotency-Key: ${big}\r\nContent-Length: 2\r\n`), '{}'),
        badHost: await send('GET /livez HTTP/1.1\r\nHost: a b/..\r\nConnection: close\r\n\r\n'),
        longBody: await send(start('Idempotency-Key: a\r\nContent-Length: 9000000000\r\n'), '{'),
        endlessBody: await send(
          start('Idempotency-Key: a\r\nTransfer-Encoding: chunked\r\n'),
          ...chunks,
        ),
        bomb: await send(
          start('Idempotency-Key: a\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n'),
          gzipSync('[]'),
        ),
        climbing: await send(
          `GET /v1/runs/../../../../etc/passwd HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
        ),
      };

      expect(
        Object.fromEntries(Object.entries(refused).map(([name, text]) => [name, statusOf(text)])),
      ).toEqual({
        injectedHeader: 400,
        nulInHeader: 400,
        twoLengths: 400,
        lengthAndChunks: 400,
        longHeader: 431,
        badHost: 400,
        longBody: 413,
        endlessBody: 413,
        bomb: 400,
        climbing: 404,
      });
      expect(JSON.stringify(refused).toLowerCase()).not.toContain('x-evil');
      expect((await fetch(`${server.url}/livez`)).status).toBe(200);
      await server.close();
    }));

  it('in an accepted key stay one segment of the Location', () =>
    inScenario({ replays: false }, async (scenario) => {
      const app = gatewayOf(scenario);
      const key = `../../x?a=b#c%0d%0aSet-Cookie:evil/${scenario.account}`;
      const body = { account: scenario.account };
      const headers = { 'Idempotency-Key': key };

      const answer = await app.request(at('/v1/runs/listSshKeys'), post(body, headers));
      const location = answer.headers.get('location') ?? '';
      const status = await app.request(at(`${location}/result?wait=50s`));

      expect(answer.status).toBe(202);
      expect(location).toMatch(/^\/v1\/runs\/[\w.%-]+$/);
      expect(answer.headers.get('set-cookie')).toBeNull();
      expect([status.status, await bodyOf(status)]).toEqual([
        200,
        expect.objectContaining({ count: expect.any(Number) }),
      ]);
    }));
});
