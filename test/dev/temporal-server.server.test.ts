import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';

import { apiTaskQueue, SearchAttribute } from '../../src/contract/wire/names.js';
import { resolveTemporalExecutable } from '../../src/dev/temporal-executable.js';
import {
  startTemporalServer,
  type TemporalServer,
  type TemporalServerOptions,
} from '../../src/dev/temporal-server.js';
import { until } from '../support/timing/until.js';

/** A program that starts a server and is then killed. */
const PROGRAM = `
import(process.argv[1])
  .then(({ startTemporalServer }) => startTemporalServer({ executable: process.argv[2] }))
  .then(({ address }) => console.log(address));
`;

const OWNER_ONLY = 0o600;

const WORKFLOW = {
  taskQueue: apiTaskQueue('nobody-listens'),
  workflowId: 'waiting',
  searchAttributes: {
    [SearchAttribute.phase]: ['waiting'],
    [SearchAttribute.account]: ['default'],
    [SearchAttribute.resourceId]: ['one', 'two'],
  },
};

let executable = '';
let folder = '';
const servers: TemporalServer[] = [];

beforeAll(async () => {
  const found = await resolveTemporalExecutable({
    cliPath: process.env['TEMPORAL_CLI_PATH'],
    path: process.env['PATH'],
  });
  executable = found.path;
});

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'temporal-server-'));
});

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
  await rm(folder, { recursive: true });
});

async function start(options: Partial<TemporalServerOptions> = {}): Promise<TemporalServer> {
  const server = await startTemporalServer({ executable, ...options });
  servers.push(server);
  return server;
}

async function withClient<T>(
  { address, namespace }: Pick<TemporalServer, 'address' | 'namespace'>,
  use: (client: Client, connection: Connection) => Promise<T>,
): Promise<T> {
  // Without retries of the client: ready means that the first call succeeds.
  const connection = await Connection.connect({ address, interceptors: [] });
  try {
    return await use(new Client({ connection, namespace }), connection);
  } finally {
    await connection.close();
  }
}

/** An executable that first runs other commands; `$@` are the arguments, `exec` starts the server. */
async function writeScript(...lines: string[]): Promise<string> {
  const path = join(folder, 'script');
  await writeFile(path, ['#!/bin/sh', ...lines].join('\n'));
  await chmod(path, 0o755);
  return path;
}

/** How the files of a folder may be used. The journal of a transaction may be gone by now. */
function modesIn(path: string): number[] {
  const stats = readdirSync(path).map((name) =>
    statSync(join(path, name), { throwIfNoEntry: false }),
  );
  return [...new Set(stats.flatMap((file) => (file === undefined ? [] : file.mode & 0o777)))];
}

async function accepts(address: string): Promise<boolean> {
  const { hostname, port } = new URL(`tcp://${address}`);
  const socket = connect(Number(port), hostname);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

describe('the server of all tests', () => {
  const shared = { address: process.env['TEMPORAL_ADDRESS'] ?? '', namespace: 'default' };

  it('has the namespace and the search attributes', async () => {
    const [namespace, attributes] = await withClient(shared, (_client, connection) =>
      Promise.all([
        connection.workflowService.describeNamespace({ namespace: shared.namespace }),
        connection.operatorService.listSearchAttributes({ namespace: shared.namespace }),
      ]),
    );

    expect(namespace.namespaceInfo?.name).toBe('default');
    // 2 is Keyword and 7 is KeywordList in the API of the server.
    expect(attributes.customAttributes).toEqual({
      GcorePhase: 2,
      GcoreAccount: 2,
      GcoreResourceId: 7,
      GcoreLabels: 7,
    });
  });
});

describe('a server', () => {
  let server: TemporalServer;

  beforeAll(async () => {
    server = await startTemporalServer({
      ...{ executable, namespace: 'own' },
      ...{ ui: true, exactTimers: true },
    });
  });

  afterAll(() => server.close());

  it('accepts a workflow with search attributes immediately', async () => {
    const found = await withClient(server, async (client) => {
      await client.workflow.start('waiting', WORKFLOW);
      const query = `${SearchAttribute.resourceId} = 'two'`;
      await until('it is listed', async () => (await client.workflow.count(query)).count === 1);
      return client.workflow.getHandle('waiting').describe();
    });

    expect(server.namespace).toBe('own');
    expect(found.status.name).toBe('RUNNING');
  });

  it('fires timers below a second on time with exactTimers', async () => {
    const elapsedMs: number[] = [];

    await withClient(server, async (client) => {
      while (elapsedMs.length < 5) {
        const started = Date.now();
        const brief = { ...WORKFLOW, workflowId: 'brief', workflowExecutionTimeout: 50 };
        const handle = await client.workflow.start('waiting', brief);
        await expect(handle.result()).rejects.toThrow('Workflow execution timed out');
        elapsedMs.push(Date.now() - started);
      }
    });

    expect(Math.min(...elapsedMs)).toBeLessThan(900);
  });

  it('serves the Web UI on request', async () => {
    const response = await fetch(server.uiUrl ?? '');

    expect(response.status).toBe(200);
  });

  it('refuses a fixed port that is taken', async () => {
    const port = Number(server.address.split(':').at(-1));

    await expect(start({ port })).rejects.toThrow(`Port ${port} of 127.0.0.1 cannot be used`);
  });

  it('stops answering when it is closed', async () => {
    expect(await accepts(server.address)).toBe(true);

    await server.close();

    expect(await accepts(server.address)).toBe(false);
  });
});

describe('startTemporalServer', () => {
  it.each(['close', 'kill'] as const)(
    'finds in its database file, which is for its owner only, what an earlier server had before %s',
    async (end) => {
      const dbFilename = join(folder, 'temporal.db');
      const first = await start({ dbFilename });
      expect(modesIn(folder)).toEqual([OWNER_ONLY]);
      const { runId } = await withClient(first, async (client) => {
        const handle = await client.workflow.start('waiting', WORKFLOW);
        return handle.describe();
      });
      await first[end]();

      const second = await start({ dbFilename });
      const found = await withClient(second, (client) =>
        client.workflow.getHandle('waiting').describe(),
      );

      expect(found).toMatchObject({ runId, status: { name: 'RUNNING' } });
    },
  );

  it('uses another port when its port is taken meanwhile', async () => {
    const mark = join(folder, 'mark');
    const slow = await writeScript(
      `if [ ! -e '${mark}' ]; then`,
      `  touch '${mark}'`,
      '  echo "listen tcp 127.0.0.1:1: bind: address already in use" >&2',
      '  exit 1',
      'fi',
      `exec '${executable}' "$@"`,
    );

    const server = await start({ executable: slow });

    expect(await accepts(server.address)).toBe(true);
  });

  it('fails immediately with the last output of a server that does not start', async () => {
    const broken = await writeScript('echo "unknown flag" >&2', 'exit 1');
    const started = Date.now();

    await expect(start({ executable: broken })).rejects.toThrow(/ended before.*\nunknown flag/);
    expect(Date.now() - started).toBeLessThan(5_000);
  });

  it('ends when the process that started it is killed', async () => {
    const args = ['-e', PROGRAM, '--', resolve('dist/dev/temporal-server.js'), executable];
    const program = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const lines: string[] = [];
    createInterface(program.stdout).on('line', (line) => lines.push(line));
    await until('the server is up', () => lines.length === 1);
    const address = lines.join('');
    expect(await accepts(address)).toBe(true);

    program.kill('SIGKILL');

    await until('the server is gone', async () => !(await accepts(address)));
  });
});
