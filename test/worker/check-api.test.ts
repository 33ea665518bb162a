import { createServer } from 'node:http';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { createSimulator, type Listener } from '../../src/simulator/index.js';
import { checkApi } from '../../src/worker/check-api.js';
import { listen } from '../support/http/listen.js';

const KEY = '1234$canary-of-the-key';
let api: Listener;

beforeAll(async () => {
  api = await createSimulator({ apiKey: KEY }).listen();
});

afterAll(async () => {
  await api.close();
});

function environment(change: Record<string, string> = {}): Record<string, string> {
  return {
    GCORE_API_KEY: KEY,
    GCORE_BASE_URL: api.url,
    GCORE_CLOUD_PROJECT_ID: '1',
    GCORE_CLOUD_REGION_ID: '1',
    ...change,
  };
}

async function statesOf(change?: Record<string, string>): Promise<Record<string, string>> {
  const checks = await checkApi(environment(change));
  return Object.fromEntries(checks.map(({ name, state }) => [name, state]));
}

describe('a check of the API', () => {
  it('finds the key, the project, the region and the clock in order', async () => {
    expect(await statesOf()).toEqual({
      'API key': 'ok',
      project: 'ok',
      region: 'ok',
      clock: expect.stringMatching(/^(ok|unknown)$/),
    });
  });

  it('says which key is refused, and never what it is', async () => {
    const checks = await checkApi(environment({ GCORE_API_KEY: 'wrong-canary' }));

    expect(checks[0]).toMatchObject({ name: 'API key', state: 'fault' });
    expect(checks[0]?.advice).toContain('set the right key');
    expect(checks.slice(1, 3).map(({ state }) => state)).toEqual(['unknown', 'unknown']);
    expect(JSON.stringify(checks)).not.toContain('canary');
  });

  it('names the projects and regions that there are', async () => {
    const checks = await checkApi(
      environment({ GCORE_CLOUD_PROJECT_ID: '77', GCORE_CLOUD_REGION_ID: '88' }),
    );

    expect(checks.filter(({ state }) => state === 'fault').map(({ text }) => text)).toEqual([
      '77 is not among the projects of this key',
      '88 is not among the regions of this key',
    ]);
    expect(checks[1]?.advice).toMatch(/^set GCORE_CLOUD_PROJECT_ID to one of \d/);
  });

  it('says that there is no default where none is set', async () => {
    const states = await statesOf({ GCORE_CLOUD_PROJECT_ID: '', GCORE_CLOUD_REGION_ID: '' });

    expect(states).toMatchObject({ project: 'ok', region: 'ok' });
  });

  it('says that nobody answers', async () => {
    const checks = await checkApi(environment({ GCORE_BASE_URL: 'http://127.0.0.1:1' }));

    expect(checks.map(({ state }) => state)).toEqual(['fault', 'unknown', 'unknown', 'unknown']);
    expect(checks[0]?.advice).toContain('GCORE_BASE_URL');
  });

  it('is not made without a key, and says so', async () => {
    const checks = await checkApi({ GCORE_BASE_URL: api.url });

    expect(checks.map(({ state }) => state)).toEqual(Array.from({ length: 4 }, () => 'unknown'));
    expect(checks[0]?.text).toContain('GCORE_API_KEY is not set here');
  });

  it('names every fault of the settings', async () => {
    const checks = await checkApi(environment({ GCORE_BASE_URL: 'x', GCORE_ACCOUNT: 'A' }));

    expect(checks).toMatchObject([{ name: 'configuration', state: 'fault' }]);
    expect(checks[0]?.text).toMatch(/GCORE_ACCOUNT: .*; GCORE_BASE_URL: /);
  });

  it.each([
    [-120_000, '120 s ahead of the API'],
    [120_000, '120 s behind the API'],
  ])('finds a clock that differs by %d ms', async (offset, text) => {
    const server = createServer((_request, response) => {
      response.setHeader('date', new Date(Date.now() + offset).toUTCString());
      response.setHeader('content-type', 'application/json');
      response.end('{"count": 1, "results": [{"id": 1, "name": "a", "display_name": "a"}]}');
    });
    const url = `http://127.0.0.1:${await listen(server)}`;
    const checks = await checkApi(environment({ GCORE_BASE_URL: url }));
    server.closeAllConnections();
    server.close();

    const clock = checks.find(({ name }) => name === 'clock');
    expect(clock?.state).toBe('fault');
    expect(Math.abs(Number.parseInt(clock?.text ?? '', 10) - 120)).toBeLessThan(5);
    expect(clock?.text).toContain(text.replace(/^\d+ s /, ''));
  });
});
