import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { Worker } from '@temporalio/worker';

import {
  connectGcoreWorkflows,
  createGcoreWorkflows,
  openCodec,
  type GcoreWorkflows,
} from '../../src/client/index.js';
import { WORKFLOW_TASK_QUEUE } from '../../src/contract/wire/names.js';
import { createCodecServer } from '../../src/gateway/codec-server/create-codec-server.js';
import { createGateway } from '../../src/gateway/create-gateway.js';
import { serveGateway } from '../../src/gateway/serve-gateway.js';
import { createCliWorld, type CliWorld } from '../support/cli/cli-world.js';
import { runCaptured } from '../support/cli/run-captured.js';
import { openTemporalCli } from '../support/cli/temporal-cli.js';
import { at, tokensOf } from '../support/gateway/gateway-world.js';
import { until } from '../support/timing/until.js';
import { withReceiver, type Receiver } from '../support/webhooks/receiver.js';
import { startFastWorker, type WorkerProcess } from '../support/workers/worker-process.js';
import { toLines } from '../support/worlds/manifests.js';
import { plainCanary, scan } from './canaries.js';
import { apiKey, echoCases, instance, items, videos } from './echo-cases.js';
import { expectDeployCheck } from './expect-deploy-check.js';
import { rawDocuments } from './raw-documents.js';
import { provisionAfterQuota, runBySchedule, waitOnFailingRead } from './secretive-runs.js';

const read = plainCanary('an answer of the API');
const reason = plainCanary('the reason of an abort');
const ALL = [
  ...[apiKey, read, reason],
  ...[instance, items, videos].flatMap(({ canaries }) => canaries),
];

let world: CliWorld;
let worker: WorkerProcess;
let connection: Connection;
let keysFile: string;
let gcore: GcoreWorkflows;
const cli = (...args: string[]) => runCaptured([...args, ...world.server]);
const write = (name: string, text: string): string => {
  const file = join(world.folder, name);
  writeFileSync(file, text);
  return file;
};

beforeAll(async () => {
  world = await createCliWorld({ apiKey: apiKey.value });
  keysFile = join(world.folder, 'keys.json');
  await runCaptured(['codec', 'key', keysFile]);
  process.env['GCORE_CODEC_KEYS_FILE'] = keysFile;
  write('instance.json', JSON.stringify(instance.input));
  write('items.json', JSON.stringify(items.input));
  write('videos.jsonl', toLines(videos.input));
  await fetch(`${world.baseUrl}/fastedge/v1/kv`, {
    method: 'POST',
    headers: { authorization: `apikey ${apiKey.value}` },
    body: JSON.stringify({ name: 'store' }),
  });
  connection = await Connection.connect({ address: world.address });
});

afterAll(async () => {
  await connection.close();
  await world.close();
});

/** A worker that encrypts, a receiver of webhooks, and a client, while `use` runs. */
function whileRunning(use: (receiver: Receiver) => Promise<void>): Promise<void> {
  return withReceiver(async (receiver) => {
    const { address, namespace, baseUrl, folder } = world;
    worker = startFastWorker({
      address,
      namespace,
      baseUrl,
      apiKey: apiKey.value,
      manifestRoot: folder,
      // Long enough to continue a blocked run by hand.
      speed: 100,
      reconcileGraceMs: 300,
      probeMs: 60_000,
      codecKeysFile: keysFile,
      webhooks: receiver.settings,
    });
    await worker.says('Worker is ready');
    const config = { connectionOptions: { address }, namespace };
    const connected = await connectGcoreWorkflows({ config, codec: { file: keysFile } });
    gcore = connected;
    try {
      await use(receiver);
    } finally {
      await connected.close();
      worker.child.kill('SIGKILL');
    }
  });
}

describe('runs with a codec', () => {
  it('leave nothing in clear at the Temporal server, and can be read with the keys', () =>
    whileRunning(async (receiver) => {
      const cases = echoCases({ ...world, volumePath: '/cloud/v1/volumes/1/1/none' }).filter(
        ({ title }) =>
          ['refused-instance', 'failed-task', 'refused-items', 'refused-videos'].includes(title),
      );
      for (const one of cases) {
        one.echo({ userAgent: new RegExp(`echo-${one.title}`) }, [read.value]);
      }
      const secretive = { world, gcore, read: read.value };
      const [provisioned, waiting] = await Promise.all([
        provisionAfterQuota(secretive, receiver),
        waitOnFailingRead(secretive),
        runBySchedule(secretive),
        ...cases.map(({ command, title }) => cli(...command(`echo-${title}`))),
      ]);
      await until('the webhooks are delivered', () =>
        receiver.taken.some(({ body }) => body.type.endsWith('succeeded')),
      );

      const { documents, clear, encrypted } = await rawDocuments(connection, world.namespace);
      expect(clear).toEqual([]);
      expect(scan(documents, ALL)).toEqual([]);
      expect(encrypted).toBeGreaterThan(100);
      const kinds = documents.map(({ name }) => name);
      for (const kind of ['webhooks/', 'schedule: nightly', 'history: import-videos']) {
        expect(kinds.some((name) => name.includes(kind))).toBe(true);
      }
      await expectReadable({ provisioned, waiting });
      await expectReplays(documents.map(({ name }) => name));
      await expectDeployCheck(world.server, waiting);
      await gcore.abort(waiting, { reason: reason.value });
      await until('it has ended', async () => (await gcore.summary(waiting)).state === 'FAILED');
      const after = await rawDocuments(connection, world.namespace);
      expect(scan(after.documents, ALL)).toEqual([]);
      expect((await cli('result', waiting)).stderr).toContain(reason.value);
      await expectTemporalCli(provisioned);
    }));
});

interface Runs {
  provisioned: string;
  waiting: string;
}

/** By the command line and the gateway, whose texts are the same as without a codec. */
async function expectReadable({ provisioned, waiting }: Runs): Promise<void> {
  expect((await cli('status', provisioned)).stdout).toContain('succeeded');
  expect((await cli('result', provisioned)).stdout).toContain('instanceId');
  expect((await cli('list')).stdout).toContain('order-1');
  expect((await cli('schedule', 'show', 'nightly')).stdout).toContain('every 6 hours');
  const explained = await cli('explain', waiting);
  expect(explained.stdout).toContain('UnexpectedResponse');
  expect(explained.stdout).not.toContain('Encoded failure');
  const task = await cli('explain', 'provision-instance/default/echo-failed-task');
  expect(task.stdout).toMatch(/TaskFailed[^]*failed: /);

  const app = createGateway({ gcore });
  const path = (of: string) => at(`/v1/runs/${encodeURIComponent(provisioned)}${of}`);
  expect(await (await app.request(path(''))).json()).toMatchObject({ phase: 'succeeded' });
  expect((await app.request(path('/result'))).status).toBe(200);

  // Without the keys: what needs none works, everything else says which key is missing.
  delete process.env['GCORE_CODEC_KEYS_FILE'];
  const list = await cli('list');
  const status = await cli('status', provisioned);
  process.env['GCORE_CODEC_KEYS_FILE'] = keysFile;
  expect([list.exitCode, list.stdout.includes('order-1')]).toEqual([0, true]);
  expect(status.exitCode).toBe(1);
  expect(status.stderr).toContain('this program has no keys');
  expect(status.stderr).toContain('GCORE_CODEC_KEYS_FILE');
}

async function expectReplays(names: readonly string[]): Promise<void> {
  const ids = new Set(names.flatMap((name) => /^description: (.*)$/.exec(name)?.[1] ?? []));
  const client = new Client({ connection, namespace: world.namespace });
  async function* histories() {
    for (const workflowId of ids) {
      const history = await client.workflow.getHandle(workflowId).fetchHistory();
      yield { workflowId, history };
    }
  }
  const options = {
    namespace: world.namespace,
    workflowBundle: { codePath: resolve('dist/workflow-bundle-encrypted.js') },
    dataConverter: { payloadCodecs: [await openCodec({ file: keysFile })] },
  };
  const faults: string[] = [];
  for await (const { error } of Worker.runReplayHistories(options, histories())) {
    if (error !== undefined) faults.push(String(error));
  }
  expect(faults).toEqual([]);
  expect(ids.size).toBeGreaterThan(6);
}

/** The real `temporal` CLI starts a run with plain JSON, and reads an encrypted one by the codec server. */
async function expectTemporalCli(provisioned: string): Promise<void> {
  const temporal = await openTemporalCli(world.server);
  const app = createCodecServer({
    codec: await openCodec({ file: keysFile }),
    tokens: tokensOf({ 'codec-token': { name: 'cli', scopes: ['codec'] } }),
    uiOrigins: [],
  });
  const server = await serveGateway(app, { host: '127.0.0.1', port: 0 });
  const show = ['workflow', 'show', '--workflow-id', provisioned, '--output', 'json'];
  const endpoint = ['--codec-endpoint', server.url];
  try {
    const plain = await temporal(...show);
    const decoded = await temporal(...show, ...endpoint, '--codec-auth', 'Bearer codec-token');
    const refused = await temporal(...show, ...endpoint).catch(String);
    await temporal(
      ...['workflow', 'execute', '--type', 'listSshKeys', '--task-queue', WORKFLOW_TASK_QUEUE],
      ...['--workflow-id', 'by-temporal', '--input', '{}'],
    );

    const shown = (text: string) => {
      const data = [...text.matchAll(/"data": "([^"]*)"/g)].map(([, one = '']) => one);
      const clear = data.map((one) => Buffer.from(one, 'base64').toString()).join('\n');
      return scan([{ name: 'CLI', text: clear }], instance.canaries);
    };
    expect(shown(plain)).toEqual([]);
    expect(shown(decoded)).toHaveLength(instance.canaries.length);
    // The CLI repeats a refused call, and may end by its own time limit.
    expect(refused).toContain('Command failed');
    expect(shown(refused)).toEqual([]);
  } finally {
    await server.close();
  }
  const own = new Client({ connection, namespace: world.namespace });
  const other = createGcoreWorkflows({ client: own, codec: await openCodec({ file: keysFile }) });
  expect(await other.result('listSshKeys', 'by-temporal')).toHaveProperty('keys');
}
