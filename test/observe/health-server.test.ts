import { connect } from 'node:net';

import { describe, expect, it } from '@jest/globals';

import { serveHealth, type HealthCheck } from '../../src/observe/health-server.js';

const OK: HealthCheck = { name: 'a', ok: true, text: 'runs' };
const BAD: HealthCheck = { name: 'b', ok: false, text: 'is away' };

async function inServer(
  { live = [OK], ready = [OK] }: { live?: HealthCheck[]; ready?: HealthCheck[] },
  use: (url: string, port: number) => Promise<void>,
): Promise<void> {
  const health = { live: () => live, ready: () => Promise.resolve(ready) };
  const server = await serveHealth(health, { host: '127.0.0.1', port: 0 });
  try {
    await use(`http://127.0.0.1:${server.port}`, server.port);
  } finally {
    await server.close();
  }
}

async function get(url: string, init?: RequestInit) {
  const response = await fetch(url, init);
  return { status: response.status, text: await response.text() };
}

describe('the health port', () => {
  it('answers 200 when all checks pass', () =>
    inServer({}, async (url) => {
      expect(await get(`${url}/livez`)).toEqual({ status: 200, text: 'ok\n' });
      expect(await get(`${url}/readyz`)).toEqual({ status: 200, text: 'ok\n' });
    }));

  it('answers 503 and names what fails', () =>
    inServer({ ready: [OK, BAD] }, async (url) => {
      expect(await get(`${url}/livez`)).toMatchObject({ status: 200 });
      expect(await get(`${url}/readyz`)).toEqual({ status: 503, text: 'b: is away\n' });
    }));

  it('shows each check as JSON', () =>
    inServer({ ready: [OK, BAD] }, async (url) => {
      const { status, text } = await get(`${url}/readyz?verbose`);

      expect(status).toBe(503);
      expect(JSON.parse(text)).toEqual({ ok: false, checks: [OK, BAD] });
    }));

  it('has no other path and takes nothing', () =>
    inServer({}, async (url) => {
      expect(await get(`${url}/`)).toMatchObject({ status: 404 });
      expect(await get(`${url}/readyz/x`)).toMatchObject({ status: 404 });
      expect(await get(`${url}/readyz`, { method: 'POST' })).toMatchObject({ status: 405 });
    }));

  it('outlives what is no HTTP', () =>
    inServer({}, async (url, port) => {
      const socket = connect(port, '127.0.0.1', () => socket.write('GET http:// HTTP/1.1\r\n\r\n'));
      const other = connect(port, '127.0.0.1', () => other.write('nonsense\r\n\r\n'));
      await new Promise((resolve) => other.resume().on('close', resolve));
      socket.destroy();

      expect(await get(`${url}/livez`)).toMatchObject({ status: 200 });
    }));

  it('refuses a port that is taken', () =>
    inServer({}, async (_url, port) => {
      const health = { live: () => [], ready: () => Promise.resolve([]) };

      await expect(serveHealth(health, { host: '127.0.0.1', port })).rejects.toThrow('EADDRINUSE');
    }));
});
