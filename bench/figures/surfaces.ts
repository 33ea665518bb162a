import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { Client, Connection, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { z } from 'zod';

import { connectGcoreWorkflows, type GcoreWorkflows } from '../../src/client/index.js';
import { Operation, WORKFLOW_TASK_QUEUE, workflowIdFor } from '../../src/contract/wire/names.js';
import { createGateway } from '../../src/gateway/create-gateway.js';
import { serveGateway } from '../../src/gateway/serve-gateway.js';
import { createCliWorld, type CliWorld } from '../../test/support/cli/cli-world.js';
import { provisionInput } from '../../test/support/inputs/provision-input.js';
import { runIn } from '../../test/support/packaging/run-in.js';
import { inBatches } from '../../test/support/timing/in-batches.js';
import { until } from '../../test/support/timing/until.js';
import { defineBench, number } from '../bench.js';
import type { Measured } from '../document/figure.js';
import { withTemporal } from '../worlds.js';

/** Requests that are sent at once, each by every surface. */
const BATCH = 5;

/** The command line is a process that must start first. The others wait a part of that, so each is first at times. */
const HEAD_START_MS = 4_000;

const COMMAND_LINE = 'command line';
const SURFACES = ['client', 'gateway', COMMAND_LINE, 'Temporal client'];
const MAX_NAMED = 3;

/** Each request is sent at once by every surface. */
export const surfaces = defineBench({
  id: 'surfaces',
  title: 'The same request by four ways',
  summary:
    'requests that come at once by client, HTTP, command line and Temporal client: one run each',
  minutes: 10,
  columns: [
    { key: 'surface', title: 'surface' },
    { key: 'starts', title: 'starts' },
    { key: 'first', title: 'was told that it started the run' },
  ],
  settings: z.strictObject({ requests: number(100) }),
  quick: { requests: 2 },
  measure: ({ requests }) =>
    withTemporal({}, async () => {
      const world = await createCliWorld();
      try {
        return toMeasured(await measureSurfaces(world, requests));
      } finally {
        await world.close();
      }
    }),
});

function toMeasured({
  requests,
  startedBy,
  runs,
  instances,
  ...figures
}: SurfaceFigures): Measured {
  const { refused, wrong } = figures;
  return {
    rows: SURFACES.map((surface) => ({
      surface,
      starts: requests,
      first: startedBy[surface] ?? 0,
    })),
    remarks: [
      `${figures.starts} starts of ${requests} requests: ${runs} runs, ${instances} instances.`,
      ...refused.slice(0, MAX_NAMED).map((fault) => `Refused: ${fault}`),
    ],
    checks: [
      { promise: 'One run for each request', kept: runs === requests },
      { promise: 'One instance for each request', kept: instances === requests },
      { promise: 'No start is refused', kept: refused.length === 0 },
      { promise: 'Each request has exactly one of both', kept: wrong.length === 0 },
    ],
  };
}

interface SurfaceFigures {
  requests: number;
  /** Starts that were sent: one for each request and surface. */
  starts: number;
  /** Starts that were answered with an error, or with the id of another run. */
  refused: string[];
  /** How often each surface was told that it started the run. A plain Temporal client is not told. */
  startedBy: Record<string, number>;
  /** Runs of all requests. */
  runs: number;
  /** Instances at the simulated API. */
  instances: number;
  /** Requests that do not have exactly one run and one instance. */
  wrong: string[];
}

interface Started {
  workflowId: string;
  outcome: string;
}

/** Starts one request. */
type Surface = (requestId: string) => Promise<Started>;

const startedSchema = z.object({ workflowId: z.string(), outcome: z.string() });

/** Sends each request by every surface at once, and counts what came of it. */
export async function measureSurfaces(world: CliWorld, requests: number): Promise<SurfaceFigures> {
  const { address, namespace } = world;
  const connection = await Connection.connect({ address });
  const temporal = new Client({ connection, namespace });
  const gcore = await connectGcoreWorkflows({
    config: { connectionOptions: { address }, namespace },
  });
  const app = createGateway({ gcore, requestsPerSecond: 10_000 });
  const gateway = await serveGateway(app, { host: '127.0.0.1', port: 0 });
  const ids = Array.from({ length: requests }, (_, number) => `order-${number}`);
  const [client, http] = [byClient(gcore), byGateway(gateway.url)];
  const ways = [client, http, byCommandLine(world), byTemporal(temporal)];
  try {
    return await world.withWorker(async () => {
      const starts = (await inBatches(ids, BATCH, (id) => startByAll(ways, id))).flat();
      await inBatches(ids, BATCH, (id) => gcore.result('provisionInstance', runOf(id)));
      const runs = await runsOf(temporal, ids);
      return { ...judgeStarts(starts), ...judgeRuns(world, ids, runs) };
    });
  } finally {
    await gateway.close();
    await gcore.close();
    await connection.close();
  }
}

function inputOf(requestId: string) {
  return provisionInput({ name: requestId });
}

function runOf(requestId: string): string {
  return workflowIdFor(Operation.provisionInstance, 'default', requestId);
}

function byClient(gcore: GcoreWorkflows): Surface {
  return (requestId) => gcore.start('provisionInstance', { requestId, input: inputOf(requestId) });
}

function byGateway(url: string): Surface {
  return async (requestId) => {
    const answer = await fetch(`${url}/v1/runs/provisionInstance`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': requestId },
      body: JSON.stringify(inputOf(requestId)),
    });
    if (answer.status !== 202) throw new Error(await answer.text());
    return startedSchema.parse(await answer.json());
  };
}

function byCommandLine({ folder, server }: CliWorld): Surface {
  return async (requestId) => {
    const file = join(folder, `${requestId}.json`);
    await writeFile(file, JSON.stringify(inputOf(requestId)));
    const request = ['provision', '--file', file, '--request-id', requestId];
    const { code, stdout, stderr } = await runIn('.', process.execPath, [
      ...['dist/cli/main.js', ...request, '--no-wait', '--output', 'json'],
      ...server,
    ]);
    if (code !== 0) throw new Error(stderr);
    return startedSchema.parse(JSON.parse(stdout));
  };
}

/** As a client in another language does, with the two policies of docs/trigger.md. */
function byTemporal({ workflow }: Client): Surface {
  return async (requestId) => {
    const workflowId = runOf(requestId);
    try {
      await workflow.start(Operation.provisionInstance, {
        args: [inputOf(requestId)],
        workflowId,
        taskQueue: WORKFLOW_TASK_QUEUE,
        workflowIdConflictPolicy: 'USE_EXISTING',
        workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
      });
      return { workflowId, outcome: 'untold' };
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
      return { workflowId, outcome: 'succeeded-before' };
    }
  };
}

interface Start {
  surface: string;
  outcome: string;
  /** Empty when the surface named the run of the request. */
  fault: string;
}

/** The ways in the order of `SURFACES`. */
function startByAll(ways: readonly Surface[], requestId: string): Promise<Start[]> {
  return Promise.all(
    ways.map(async (start, index) => {
      const surface = SURFACES[index] ?? '';
      if (surface !== COMMAND_LINE) await delay(Math.random() * HEAD_START_MS);
      try {
        const { workflowId, outcome } = await start(requestId);
        const fault = workflowId === runOf(requestId) ? '' : `${surface}: ${workflowId}`;
        return { surface, outcome, fault };
      } catch (error) {
        return { surface, outcome: 'refused', fault: `${surface}: ${String(error)}` };
      }
    }),
  );
}

/** How many runs each request has had, closed ones too. */
async function runsOf({ workflow }: Client, ids: readonly string[]): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  // The list of the server lags behind its runs.
  await until('every run is listed', async () => {
    counts.clear();
    for await (const { workflowId } of workflow.list({
      query: 'WorkflowType="provisionInstance"',
    })) {
      counts.set(workflowId, (counts.get(workflowId) ?? 0) + 1);
    }
    return ids.every((id) => counts.has(runOf(id)));
  });
  return counts;
}

function judgeStarts(starts: readonly Start[]) {
  const startedBy: Record<string, number> = {};
  for (const { surface, outcome } of starts) {
    if (outcome === 'started') startedBy[surface] = (startedBy[surface] ?? 0) + 1;
  }
  const refused = starts.map(({ fault }) => fault).filter((fault) => fault !== '');
  return { starts: starts.length, refused, startedBy };
}

function judgeRuns({ simulator }: CliWorld, ids: readonly string[], runs: Map<string, number>) {
  const { instances } = simulator.inventory();
  const wrong = ids.filter((id) => {
    const made = instances.filter(({ name }) => name === id);
    return runs.get(runOf(id)) !== 1 || made.length !== 1;
  });
  const allRuns = [...runs.values()].reduce((sum, count) => sum + count, 0);
  return { requests: ids.length, runs: allRuns, instances: instances.length, wrong };
}
