import { setTimeout as pass } from 'node:timers/promises';

import { connectGcoreWorkflows } from '../../../src/client/index.js';
import { freePort } from '../../../src/dev/temporal-ports.js';
import { createSimulator, DEFAULT_API_KEY } from '../../../src/simulator/index.js';
import { provisionInput } from '../../support/inputs/provision-input.js';
import { runContainer, type Container } from '../image/container.js';
import { buildImage, configOfImage, IMAGE, NODE_BASE, sizeOf } from '../image/image.js';
import { say, type Row } from '../report.js';
import { leftOut, reads } from '../supported.js';
import type { ProductionServer } from '../server/production-server.js';
import { debianPackages } from '../tools/packages.js';
import { uniqueName } from './account.js';
import { writeTokens } from './gateways.js';

const PART = 'image';
const HEALTH_PORT = 'GCORE_WORKFLOWS_HEALTH_PORT';
const READY_WITHIN_MS = 60_000;

function row(what: string, result: string, isSound?: boolean): Row {
  return { part: PART, what, result, ...(isSound !== undefined && { isSound }) };
}

/** Builds the image and runs each part of the product in it, hardened, against the production server. */
export async function checkImage(server: ProductionServer): Promise<Row[]> {
  await debianPackages({ buildah: 'buildah', runc: 'runc', mmdebstrap: 'mmdebstrap' });
  const ms = await buildImage();
  const [size, base] = [await sizeOf(IMAGE), await sizeOf(NODE_BASE)];
  const { User, Labels, Healthcheck, StopSignal } = await configOfImage();
  const labels = Object.keys(Labels).filter((name) => name.startsWith('org.opencontainers.image.'));
  return [
    row('Dockerfile built by buildah', `${(ms / 1_000).toFixed(0)} s`, true),
    row('size, unpacked', `${size} MB, of them ${size - base} MB above its base`),
    row('user, signal', `${User}, ${StopSignal}`, User === '1000:1000' && StopSignal === 'SIGTERM'),
    row('OCI labels', labels.map((name) => name.split('.').at(-1)).join(', '), labels.length >= 5),
    ...(await checkWorker(server, Healthcheck.Test)),
    ...(await checkGateway(server, Healthcheck.Test)),
    await checkCommandLine(server),
  ];
}

async function checkWorker(
  { address }: ProductionServer,
  healthcheck: readonly string[],
): Promise<Row[]> {
  const simulator = createSimulator({ timeScale: 0.0001 });
  const api = await simulator.listen();
  const [account, healthPort] = [uniqueName('image'), await freePort()];
  const startedAt = Date.now();
  const worker = await runContainer({
    name: uniqueName('worker'),
    env: {
      TEMPORAL_ADDRESS: address,
      GCORE_ACCOUNT: account,
      GCORE_API_KEY: DEFAULT_API_KEY,
      GCORE_BASE_URL: api.url,
      GCORE_REQUESTS_PER_SECOND: '100',
      GCORE_WORKFLOWS_HEALTH_PORT: String(healthPort),
    },
  });
  try {
    await untilReady(worker, 'Worker is ready');
    const readyMs = Date.now() - startedAt;
    const gcore = await connectGcoreWorkflows({ config: { connectionOptions: { address } } });
    const name = uniqueName('web');
    const input = { ...provisionInput({ name }), account };
    const { workflowId } = await gcore.start('provisionInstance', { requestId: name, input });
    await gcore.result('provisionInstance', workflowId);
    await gcore.close();
    return [
      row('worker, read-only root: ready', `${(readyMs / 1_000).toFixed(1)} s`, true),
      row(
        'worker: a run',
        `${simulator.inventory().instances.length} instance`,
        simulator.inventory().instances.length === 1,
      ),
      ...(await checkInside(worker, healthcheck)),
      await memoryOf(worker, 'worker'),
      await stopped(worker, 'worker'),
    ];
  } finally {
    await worker.remove();
    await api.close();
  }
}

async function checkGateway(
  { address }: ProductionServer,
  healthcheck: readonly string[],
): Promise<Row[]> {
  const { file, token } = await writeTokens();
  const port = await freePort();
  const mounted = '/tokens.json';
  const gateway = await runContainer({
    name: uniqueName('gateway'),
    command: [
      'gcore-workflows',
      'gateway',
      '--host',
      '0.0.0.0',
      '--port',
      String(port),
      '--tokens',
      mounted,
    ],
    env: { TEMPORAL_ADDRESS: address, GCORE_WORKFLOWS_HEALTH_PORT: String(port) },
    files: { [mounted]: file },
  });
  try {
    await untilReady(gateway, 'Listening at');
    const headers = { Authorization: `Bearer ${token}` };
    const { status } = await fetch(`http://127.0.0.1:${port}/v1/runs`, { headers });
    const { status: without } = await fetch(`http://127.0.0.1:${port}/v1/runs`);
    return [
      row(
        'gateway: list with and without token',
        `${status}, ${without}`,
        status === 200 && without === 401,
      ),
      await healthOf(gateway, healthcheck, 'gateway'),
      await memoryOf(gateway, 'gateway'),
      await stopped(gateway, 'gateway'),
    ];
  } finally {
    await gateway.remove();
  }
}

async function checkCommandLine({ address }: ProductionServer): Promise<Row> {
  const container = await runContainer({
    name: uniqueName('cli'),
    command: ['gcore-workflows', 'list', '-o', 'json'],
    env: { TEMPORAL_ADDRESS: address },
  });
  try {
    const code = await container.exit;
    return row('command line: list', `exit code ${String(code)}`, code === 0);
  } finally {
    await container.remove();
  }
}

async function checkInside(worker: Container, healthcheck: readonly string[]): Promise<Row[]> {
  const write = await worker.exec('touch', '/app/dist/x');
  const user = await worker.exec('id', '-u');
  return [
    row(
      'a write into the container',
      write.stderr.trim(),
      write.code !== 0 && write.stderr.includes('Read-only'),
    ),
    row('user inside', user.stdout.trim(), user.stdout.trim() === '1000'),
    reads(HEALTH_PORT)
      ? await healthOf(worker, healthcheck, 'worker')
      : leftOut(PART, 'HEALTHCHECK in the worker', HEALTH_PORT),
  ];
}

async function healthOf(
  container: Container,
  [, ...command]: readonly string[],
  name: string,
): Promise<Row> {
  const startedAt = Date.now();
  const { code, stderr } = await container.exec(...command);
  const result = `exit code ${String(code)} in ${Date.now() - startedAt} ms ${stderr.trim()}`;
  return row(`HEALTHCHECK in the ${name}`, result, code === 0);
}

async function memoryOf(container: Container, name: string): Promise<Row> {
  const { stdout } = await container.exec('cat', '/proc/1/status');
  const kilobytes = Number(/^VmRSS:\s+(\d+)/m.exec(stdout)?.[1]);
  return row(`${name}: memory`, `${(kilobytes / 1_024).toFixed(0)} MiB resident`);
}

async function stopped(container: Container, name: string): Promise<Row> {
  const startedAt = Date.now();
  await container.signal('SIGTERM');
  const code = await container.exit;
  const seconds = ((Date.now() - startedAt) / 1_000).toFixed(2);
  return row(
    `${name} stopped by SIGTERM`,
    `exit code ${String(code)} after ${seconds} s`,
    code === 0,
  );
}

async function untilReady(container: Container, text: string): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MS;
  while (!container.output().includes(text)) {
    if (container.process.exitCode !== null || Date.now() > deadline) {
      say(container.output());
      throw new Error(`The container did not say "${text}"`);
    }
    await pass(20);
  }
}
