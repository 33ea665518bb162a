import { once } from 'node:events';
import { connect } from 'node:net';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHash } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';

import { runGateway } from '../../src/gateway/run-gateway.js';
import { serveGateway } from '../../src/gateway/serve-gateway.js';
import { bodyOf, gatewayOf, gcoreOf } from '../support/gateway/gateway-world.js';
import { sendBytes, statusOf } from './send-bytes.js';
import { inScenario } from '../support/runs/scenario.js';
import { createGate } from '../support/timing/gate.js';
const LOCAL = { host: '127.0.0.1', port: 0 };

describe('a gateway on a port', () => {
  it('lets go of a caller that sends its headers or its body slowly', () =>
    inScenario({ replays: false }, async (scenario) => {
      const limits = { headersMs: 300, requestMs: 600, checkMs: 100 };
      const server = await serveGateway(gatewayOf(scenario), { ...LOCAL, limits });
      const { port, host } = new URL(server.url);
      const begin = (text: string) => {
        const socket = connect(Number(port), '127.0.0.1');
        socket.write(text);
        let answer = '';
        socket.on('data', (data) => {
          answer += data.toString();
        });
        return once(socket, 'close').then(() => answer);
      };

      const answers = await Promise.all([
        begin(`GET /livez HTTP/1.1\r\nHost: ${host}\r\nX-Slow: `),
        begin(
          `POST /v1/runs/listSshKeys HTTP/1.1\r\nHost: ${host}\r\nIdempotency-Key: a\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{`,
        ),
      ]);

      expect(answers[0]).toMatch(/^HTTP\/1.1 408 /);
      expect(answers[1]).not.toMatch(/ 202 /);
      await server.close();
    }));

  it('serves until its signal, and logs each answer without what the caller sent', () =>
    inScenario({ replays: false }, async (scenario) => {
      const folder = await mkdtemp(join(tmpdir(), 'gateway-'));
      const tokens = join(folder, 'tokens.json');
      const sha256 = createHash('sha256').update('secret-token').digest('hex');
      const token = { name: 'reader', sha256, scopes: ['read'], expires: 'never' };
      await writeFile(tokens, JSON.stringify({ tokens: [token] }));
      const stop = new AbortController();
      const lines: string[] = [];
      const listening = createGate();
      let url = '';
      const running = runGateway({
        ...LOCAL,
        host: '0.0.0.0',
        tokens,
        withGcore: (use) => use(gcoreOf(scenario)),
        version: '1.2.3',
        writeLog: (line) => lines.push(line),
        onListening: (at) => {
          url = at.replace('0.0.0.0', '127.0.0.1');
          listening.open();
        },
        signal: stop.signal,
      });
      await listening.opened;
      const headers = { Authorization: 'Bearer secret-token' };

      const live = await fetch(`${url}/livez`);
      const ready = await fetch(`${url}/readyz`);
      const refused = await fetch(`${url}/v1/runs`);
      const lost = await fetch(`${url}/v1/runs/my%2Fcanary`, { headers });
      stop.abort();
      await running;

      expect([live.status, ready.status, refused.status, lost.status]).toEqual([
        200, 200, 401, 404,
      ]);
      expect(await bodyOf(refused)).toMatchObject({ code: 'Unauthorized' });
      expect(refused.headers.get('www-authenticate')).toContain('Bearer');
      expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({
        level: 'INFO',
        route: '/v1/runs/{id}',
        status: 404,
        caller: 'reader',
        code: 'RunNotFound',
        requestId: lost.headers.get('x-request-id'),
      });
      expect(lines.join()).not.toMatch(/canary|secret-token/);
      await rm(folder, { recursive: true });
    }));

  it('takes a body in chunks, none at all, and other methods', () =>
    inScenario({ replays: false }, async (scenario) => {
      const server = await serveGateway(gatewayOf(scenario), LOCAL);
      const { host } = new URL(server.url);
      const id = '/v1/runs/provision-instance%2Fdefault%2Fno-such-order';
      const send = (line: string, headers = '', body = '') =>
        sendBytes(
          server.url,
          `${line} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${headers}\r\n${body}`,
        );
      const chunked = 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n';
      const chunks = '9\r\n{"reason"\r\n5\r\n:"x"}\r\n0\r\n\r\n';

      const answers = await Promise.all([
        send(`POST ${id}/pause`),
        send(`POST ${id}/pause`, 'Content-Length: 0\r\n'),
        send(`POST ${id}/abort`, chunked, chunks),
        send(`POST ${id}/abort`, chunked, chunks.replace('reason', 'REASON')),
        send(`POST /v1/runs/protectIp`),
        send(`OPTIONS ${id}`),
        send(`OPTIONS /v1/runs/protectIp`),
        send(`DELETE ${id}`, 'Content-Length: 2\r\n', '{}'),
      ]);

      expect(answers.map(statusOf)).toEqual([404, 404, 404, 400, 415, 405, 405, 405]);
      expect(answers.map((text) => /^allow: (.*)$/im.exec(text)?.[1]).filter(Boolean)).toEqual([
        ...['GET, HEAD', 'POST', 'GET, HEAD'],
      ]);
      await server.close();
    }));

  it('takes no request that names two hosts', () =>
    inScenario({ replays: false }, async (scenario) => {
      const server = await serveGateway(gatewayOf(scenario), LOCAL);
      const { host } = new URL(server.url);
      const ask = (hosts: string) =>
        sendBytes(server.url, `GET /livez HTTP/1.1\r\n${hosts}Connection: close\r\n\r\n`);

      const answers = [
        await ask(`Host: ${host}\r\n`),
        await ask(`Host: ${host}\r\nhost: evil.example\r\n`),
      ];

      expect(answers.map(statusOf)).toEqual([200, 400]);
      await server.close();
    }));

  it('takes no request with more headers than it keeps', () =>
    inScenario({ replays: false }, async (scenario) => {
      const server = await serveGateway(gatewayOf(scenario), LOCAL);
      const ask = async (count: number) => {
        const headers = Array.from({ length: count - 2 }, (_, at) => `X-${at}: a\r\n`).join('');
        const head = `GET /livez HTTP/1.1\r\nHost: a\r\n${headers}Connection: close\r\n\r\n`;
        return statusOf(await sendBytes(server.url, head));
      };

      expect([await ask(100), await ask(101)]).toEqual([200, 400]);
      expect(await ask(250)).toBeGreaterThanOrEqual(400);
      await server.close();
    }));

  it.each([
    ['its port', 'port', '--port'],
    ['its port for health', 'healthPort', '--health-port'],
  ])('says that another process has %s', (_, name, option) =>
    inScenario({ replays: false }, async (scenario) => {
      const other = await serveGateway(gatewayOf(scenario), LOCAL);
      const port = Number(new URL(other.url).port);
      const running = runGateway({
        ...LOCAL,
        [name]: port,
        version: '1',
        withGcore: (use) => use(gcoreOf(scenario)),
        writeLog: () => undefined,
        onListening: () => undefined,
        signal: new AbortController().signal,
      });

      await expect(running).rejects.toMatchObject({
        name: 'GatewayConfigError',
        faults: [
          expect.stringContaining(
            `${port} is taken by another process: choose another ${option} (EADDRINUSE)`,
          ),
        ],
      });
      await other.close();
    }),
  );

  it('does not listen elsewhere than on loopback without tokens', () =>
    inScenario({ replays: false }, async (scenario) => {
      const running = runGateway({
        host: '0.0.0.0',
        port: 0,
        withGcore: (use) => use(gcoreOf(scenario)),
        version: '1',
        writeLog: () => undefined,
        onListening: () => undefined,
        signal: AbortSignal.abort(),
      });

      await expect(running).rejects.toThrow('--host 0.0.0.0 needs --tokens FILE');
    }));
});
