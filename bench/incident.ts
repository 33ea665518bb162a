/**
 * `npm run bench:incident -- [--bulk 10000] [--alerts 20]`: time from an alert to the PATCH that
 * protects the address, at 10 requests per second and in real time. Measured three times: alone, while
 * many bulk runs of the same account start, and while the calls of those runs wait in its queue.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import proto from '@temporalio/proto';

import { createGcoreWorkflows, type GcoreWorkflows } from '../src/client/index.js';
import { inBatches } from '../test/support/timing/in-batches.js';
import {
  PROFILES_PATH,
  protectInput,
  stateWithProfiles,
} from '../test/support/inputs/protect-input.js';
import { createCallRecorder, type RecordedCall } from '../test/support/http/record-calls.js';
import { inScenario, type Scenario } from '../test/support/runs/scenario.js';
import { percentile } from './percentile.js';
import { withTemporal } from './with-temporal.js';

const REQUESTS_PER_SECOND = 10;
/** An incident affects a few addresses; it is not a bulk job itself. */
const ALERT_INTERVAL_MS = 3_000;
const BACKLOG_POLL_MS = 2_000;
const MAX_BACKLOG_MS = 15 * 60_000;
const STARTS_IN_PARALLEL = 50;
const MAX_LATENCY_MS = 60_000;

const { values } = parseArgs({
  options: {
    bulk: { type: 'string', default: '10000' },
    alerts: { type: 'string', default: '20' },
  },
});
const bulk = Number(values.bulk);
const alerts = Number(values.alerts);

const { calls, fetch } = createCallRecorder();
const addresses = Array.from({ length: alerts * 3 }, (_, index) => `203.0.113.${index}`);

await withTemporal({}, () =>
  inScenario(
    {
      speed: 5,
      realPolls: true,
      replays: false,
      requestsPerSecond: REQUESTS_PER_SECOND,
      calls: { fetch },
      state: stateWithProfiles(addresses),
    },
    measure,
  ),
);

async function measure(scenario: Scenario): Promise<void> {
  const gcore = createGcoreWorkflows(scenario);
  const attacked = (round: number) => addresses.slice(alerts * round, alerts * (round + 1));
  printLatencies('alone', await raiseAlerts(scenario, gcore, attacked(0)));
  await startBulk(scenario, gcore);
  printBulk(
    `${bulk} runs started, ${await countUndecided(scenario)} without a first workflow task`,
  );
  printLatencies('while bulk runs start', await raiseAlerts(scenario, gcore, attacked(1)));
  printBulk(`${await countUndecided(scenario)} without a first workflow task`);
  await untilAllDecided(scenario);
  printBulk(`all had their first workflow task, ${countWaiting()} sent no call yet`);
  printLatencies('while calls of bulk runs wait', await raiseAlerts(scenario, gcore, attacked(2)));
  printBulk(`${countWaiting()} sent no call yet`);
}

function printBulk(facts: string): void {
  process.stdout.write(`bulk: ${facts}\n`);
}

/** Bulk runs that have sent no call yet. */
function countWaiting(): number {
  const callers = calls.filter(({ path }) => path.includes('ssh_keys'));
  return bulk - new Set(callers.map(({ workflowId }) => workflowId)).size;
}

/** Runs whose first workflow task waits at the Temporal server. */
async function countUndecided({ client, taskQueue }: Scenario): Promise<number> {
  const { stats } = await client.workflowService.describeTaskQueue({
    namespace: 'default',
    taskQueue: { name: taskQueue },
    taskQueueType: proto.temporal.api.enums.v1.TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW,
    reportStats: true,
  });
  return Number(stats?.approximateBacklogCount ?? 0);
}

async function untilAllDecided(scenario: Scenario): Promise<void> {
  const until = Date.now() + MAX_BACKLOG_MS;
  while ((await countUndecided(scenario)) > 0) {
    if (Date.now() > until) throw new Error('Runs still wait for their first workflow task');
    await delay(BACKLOG_POLL_MS);
  }
}

async function startBulk({ account }: Scenario, gcore: GcoreWorkflows): Promise<void> {
  const requestIds = Array.from({ length: bulk }, (_, index) => `bulk-${index}`);
  await inBatches(requestIds, STARTS_IN_PARALLEL, (requestId) =>
    gcore.start('listSshKeys', { requestId, urgency: 'bulk', input: { account } }),
  );
}

/** Milliseconds from each alert to its PATCH. */
async function raiseAlerts(
  { account }: Scenario,
  gcore: GcoreWorkflows,
  attacked: readonly string[],
): Promise<number[]> {
  const latencies: number[] = [];
  for (const address of attacked) {
    const id = addresses.indexOf(address) + 1;
    const profile = { ...protectInput().profile, ip_address: address };
    const alertedAt = Date.now();
    await gcore.start('protectIp', { input: { ...protectInput({ profile }), account } });
    const patch = await waitForCall(
      (call) => call.method === 'PATCH' && call.path === `${PROFILES_PATH}/${id}`,
    );
    latencies.push(patch.atMs - alertedAt);
    await delay(ALERT_INTERVAL_MS);
  }
  return latencies;
}

async function waitForCall(matches: (call: RecordedCall) => boolean): Promise<RecordedCall> {
  const until = Date.now() + MAX_LATENCY_MS;
  while (Date.now() < until) {
    const call = calls.find(matches);
    if (call !== undefined) return call;
    await delay(10);
  }
  throw new Error('The PATCH was not sent within a minute');
}

function printLatencies(title: string, latencies: readonly number[]): void {
  const [p50, p95, max] = [50, 95, 100].map((percent) => percentile(latencies, percent));
  process.stdout.write(
    `alert to PATCH, ${title}: p50 ${p50} ms, p95 ${p95} ms, max ${max} ms (${latencies.length} alerts)\n`,
  );
}
