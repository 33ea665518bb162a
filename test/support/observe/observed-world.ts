import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { Client, Connection } from '@temporalio/client';

import { withNewKey } from '../../../src/codec/new-key.js';
import { openCodec } from '../../../src/codec/open-codec.js';
import { createGcoreWorkflows, type GcoreWorkflows } from '../../../src/client/index.js';
import { freePort } from '../../../src/dev/temporal-ports.js';
import { withReceiver, type Receiver } from '../webhooks/receiver.js';
import { startScript, type WorkerProcess } from '../workers/worker-process.js';
import { openFaultWorld, type FaultWorld } from '../worlds/fault-world.js';
import { receiveTraces, type TraceReceiver } from './trace-receiver.js';

/** A worker process with everything that can be seen, and encryption. */
export interface ObservedWorld extends Omit<FaultWorld, 'gcore'> {
  gcore: GcoreWorkflows;
  client: Client;
  worker: WorkerProcess;
  /** Starts a gateway process that traces too. */
  startGateway: () => Promise<{ url: string; lines: string[] }>;
  traces: TraceReceiver;
  webhooks: Receiver;
  /** Address of a path of the health port. */
  health: (path: string) => string;
  metricsUrl: string;
}

export const API_KEY = '1234$observed-canary-0123456789abcdef';

/** @param settings more variables of the worker */
export function inObservedWorld(
  use: (world: ObservedWorld) => Promise<void>,
  settings: Readonly<Record<string, string>> = {},
): Promise<void> {
  return withReceiver(async (webhooks) => {
    const traces = await receiveTraces();
    const folder = await mkdtemp(join(tmpdir(), 'observed-'));
    const webhooksFile = join(folder, 'webhooks.json');
    await writeFile(webhooksFile, JSON.stringify(webhooks.settings));
    const keys = JSON.stringify(withNewKey(undefined, Date.now()).ring);
    const [healthPort, metricsPort] = [await freePort(), await freePort()];
    const shared = {
      GCORE_CODEC_KEYS: keys,
      OTEL_EXPORTER_OTLP_ENDPOINT: traces.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '200',
    };
    const world = await openFaultWorld({
      apiKey: API_KEY,
      timeScale: 1 / 100,
      spawn: ({ address, baseUrl }) =>
        startScript(resolve('test/support/workers/quick-worker.js'), {
          ...shared,
          ...settings,
          GCORE_API_KEY: API_KEY,
          GCORE_BASE_URL: baseUrl,
          GCORE_RECONCILE_GRACE_SECONDS: '1',
          GCORE_REQUESTS_PER_SECOND: '100',
          GCORE_WEBHOOKS_FILE: webhooksFile,
          GCORE_WORKFLOWS_HEALTH_PORT: String(healthPort),
          GCORE_WORKFLOWS_METRICS_PORT: String(metricsPort),
          TEMPORAL_ADDRESS: address,
        }),
    });
    const { address } = world;
    const connection = await Connection.connect({ address });
    const codec = await openCodec({ text: keys });
    const client = new Client({ connection, dataConverter: { payloadCodecs: [codec] } });
    const gateways: WorkerProcess[] = [];
    try {
      await use({
        ...world,
        gcore: createGcoreWorkflows({ client }),
        client,
        worker: await world.startWorker(),
        traces,
        webhooks,
        startGateway: async () => {
          const gateway = startScript(
            resolve('dist/cli/main.js'),
            { ...shared, TEMPORAL_ADDRESS: address },
            ['gateway', '--port', String(await freePort())],
          );
          gateways.push(gateway);
          const line = await gateway.says('Listening at');
          return { url: /http:[^ ]*/.exec(line)?.[0] ?? line, lines: gateway.lines };
        },
        health: (path) => `http://127.0.0.1:${healthPort}${path}`,
        metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`,
      });
    } finally {
      for (const { child } of gateways) child.kill('SIGKILL');
      await Promise.all(gateways.map(({ exit }) => exit));
      await connection.close();
      await world.close();
      await traces.close();
      await rm(folder, { recursive: true });
    }
  });
}
