import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { Client, Connection } from '@temporalio/client';

import { withNewKey } from '../../../src/codec/new-key.js';
import { openCodec } from '../../../src/codec/open-codec.js';
import { createGcoreWorkflows, type GcoreWorkflows } from '../../../src/client/index.js';
import { resolveTemporalExecutable } from '../../../src/dev/temporal-executable.js';
import { freePort } from '../../../src/dev/temporal-ports.js';
import { startTemporalServer, type TemporalServer } from '../../../src/dev/temporal-server.js';
import { createSimulator, type Simulator } from '../../../src/simulator/index.js';
import { withReceiver, type Receiver } from '../webhooks/receiver.js';
import { startScript, type WorkerProcess } from '../workers/worker-process.js';
import { receiveTraces, type TraceReceiver } from './trace-receiver.js';

/** A worker process with everything that can be seen, and encryption, on a Temporal server of its own. */
export interface ObservedWorld {
  gcore: GcoreWorkflows;
  client: Client;
  simulator: Simulator;
  worker: WorkerProcess;
  /** Starts a gateway process that traces too. */
  startGateway: () => Promise<{ url: string; lines: string[] }>;
  traces: TraceReceiver;
  webhooks: Receiver;
  /** Address of a path of the health port. */
  health: (path: string) => string;
  metricsUrl: string;
  temporal: TemporalServer;
  /** Starts the server again at its address, after it was killed. */
  restartTemporal: () => Promise<void>;
}

export const API_KEY = '1234$observed-canary-0123456789abcdef';

export function inObservedWorld(use: (world: ObservedWorld) => Promise<void>): Promise<void> {
  return withReceiver(async (webhooks) => {
    const { path: executable } = await resolveTemporalExecutable({
      cliPath: process.env['TEMPORAL_CLI_PATH'],
      path: process.env['PATH'],
    });
    const [port, healthPort, metricsPort] = [await freePort(), await freePort(), await freePort()];
    let temporal = await startTemporalServer({ executable, port, exactTimers: true });
    const simulator = createSimulator({ apiKey: API_KEY, timeScale: 1 / 100 });
    const api = await simulator.listen();
    const traces = await receiveTraces();
    const folder = await mkdtemp(join(tmpdir(), 'observed-'));
    const webhooksFile = join(folder, 'webhooks.json');
    await writeFile(webhooksFile, JSON.stringify(webhooks.settings));
    const processes: WorkerProcess[] = [];
    const keys = JSON.stringify(withNewKey(undefined, Date.now()).ring);
    const shared = {
      GCORE_CODEC_KEYS: keys,
      OTEL_EXPORTER_OTLP_ENDPOINT: traces.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '200',
    };
    const worker = startScript(resolve('test/support/workers/quick-worker.js'), {
      ...shared,
      GCORE_API_KEY: API_KEY,
      GCORE_BASE_URL: api.url,
      GCORE_RECONCILE_GRACE_SECONDS: '1',
      GCORE_REQUESTS_PER_SECOND: '100',
      GCORE_WEBHOOKS_FILE: webhooksFile,
      GCORE_WORKFLOWS_HEALTH_PORT: String(healthPort),
      GCORE_WORKFLOWS_METRICS_PORT: String(metricsPort),
      TEMPORAL_ADDRESS: temporal.address,
    });
    processes.push(worker);
    const connection = await Connection.connect({ address: temporal.address });
    const codec = await openCodec({ text: keys });
    const client = new Client({ connection, dataConverter: { payloadCodecs: [codec] } });
    try {
      await worker.says('Worker is ready');
      await use({
        gcore: createGcoreWorkflows({ client }),
        client,
        simulator,
        worker,
        traces,
        webhooks,
        temporal,
        startGateway: async () => {
          const gateway = startScript(
            resolve('dist/cli/main.js'),
            { ...shared, TEMPORAL_ADDRESS: temporal.address },
            ['gateway', '--port', String(await freePort())],
          );
          processes.push(gateway);
          const line = await gateway.says('Listening at');
          return { url: /http:[^ ]*/.exec(line)?.[0] ?? line, lines: gateway.lines };
        },
        health: (path) => `http://127.0.0.1:${healthPort}${path}`,
        metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`,
        restartTemporal: async () => {
          temporal = await startTemporalServer({ executable, port, exactTimers: true });
        },
      });
    } finally {
      for (const { child } of processes) child.kill('SIGKILL');
      await Promise.all(processes.map(({ exit }) => exit));
      await connection.close();
      await temporal.close();
      await api.close();
      await traces.close();
      await rm(folder, { recursive: true });
    }
  });
}
