import { execFile } from 'node:child_process';
import { createServer, type RequestListener, type Server } from 'node:http';

import { afterEach, describe, expect, it } from '@jest/globals';
import { listen } from '../support/http/listen.js';

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  servers.push(server);
  return String(await listen(server));
}

function check(
  port: string,
  ...args: string[]
): Promise<{ code: number | string; stderr: string }> {
  const env = { ...process.env, GCORE_WORKFLOWS_HEALTH_PORT: port };
  return new Promise((ended) => {
    const command = ['packaging/health-check.js', ...args];
    execFile(process.execPath, command, { env }, (error, _, stderr) => {
      ended({ code: error?.code ?? 0, stderr });
    });
  });
}

const NOBODY = '1';

describe('the health check of the image', () => {
  it('is content when the worker answers on its health port', async () => {
    const paths: string[] = [];
    const port = await serve((request, response) => {
      paths.push(request.url ?? '');
      response.end('ok');
    });

    expect(await check(port)).toEqual({ code: 0, stderr: '' });
    expect(paths).toEqual(['/livez']);
  });

  it('takes a port as its argument, for a gateway on another port', async () => {
    const port = await serve((_, response) => response.end('ok'));

    expect(await check(NOBODY, port)).toEqual({ code: 0, stderr: '' });
  });

  it('fails, and says why, when nobody listens', async () => {
    const { code, stderr } = await check(NOBODY, NOBODY);

    expect(code).toBe(1);
    expect(stderr).toContain('Nothing is healthy here');
  });

  it('fails when the process says that it cannot go on', async () => {
    const port = await serve((_, response) => response.writeHead(503).end());

    expect(await check(NOBODY, port)).toEqual({
      code: 1,
      stderr: `Nothing is healthy here: port ${port} answers 503\n`,
    });
  });

  it('fails when the process stands still', async () => {
    const port = await serve(() => undefined);
    const startedAt = Date.now();

    const { code } = await check(NOBODY, port);

    expect(code).toBe(1);
    expect(Date.now() - startedAt).toBeLessThan(5_000);
  });
});
