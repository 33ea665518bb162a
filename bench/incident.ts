/**
 * `npm run bench:incident -- [--bulk 10000] [--alerts 20]`: how long from an alert until the PATCH that
 * protects is sent: alone, while so many runs of low urgency on the same account are being begun, and
 * while their calls wait in the account's queue, at 10 requests a second. Real time.
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
/** Between alerts: an incident is some addresses, not a bulk job of its own. */
const BETWEEN_MS = 3_000;
/** Between two looks at how many runs nobody has decided on yet. */
const LOOK_MS = 2_000;
const LONGEST_BACKLOG_MS = 15 * 60_000;
/** So many starts at a time. */
const STARTS = 50;
const LONGEST_MS = 60_000;

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
  print('alone', await alarm(scenario, gcore, attacked(0)));
  await startBulk(scenario, gcore);
  tell(`${bulk} runs started, ${await undecided(scenario)} without a decision`);
  print('while they begin', await alarm(scenario, gcore, attacked(1)));
  tell(`${await undecided(scenario)} without a decision`);
  await untilDecided(scenario);
  tell(`all have decided, ${waiting()} have not called`);
  print('while their calls wait', await alarm(scenario, gcore, attacked(2)));
  tell(`${waiting()} have not called`);
}

function tell(facts: string): void {
  process.stdout.write(`bulk: ${facts}\n`);
}

/** Runs of the bulk job that have made no call yet. */
function waiting(): number {
  const callers = calls.filter(({ path }) => path.includes('ssh_keys'));
  return bulk - new Set(callers.map(({ workflowId }) => workflowId)).size;
}

/** Runs whose first decision waits at the Temporal server. */
async function undecided({ client, taskQueue }: Scenario): Promise<number> {
  const { stats } = await client.workflowService.describeTaskQueue({
    namespace: 'default',
    taskQueue: { name: taskQueue },
    taskQueueType: proto.temporal.api.enums.v1.TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW,
    reportStats: true,
  });
  return Number(stats?.approximateBacklogCount ?? 0);
}

async function untilDecided(scenario: Scenario): Promise<void> {
  const until = Date.now() + LONGEST_BACKLOG_MS;
  while ((await undecided(scenario)) > 0) {
    if (Date.now() > until) throw new Error('Runs still wait for their first decision');
    await delay(LOOK_MS);
  }
}

async function startBulk({ account }: Scenario, gcore: GcoreWorkflows): Promise<void> {
  const requestIds = Array.from({ length: bulk }, (_, index) => `bulk-${index}`);
  await inBatches(requestIds, STARTS, (requestId) =>
    gcore.start('listSshKeys', { requestId, urgency: 'bulk', input: { account } }),
  );
}

/** Milliseconds from each alert to its PATCH. */
async function alarm(
  { account }: Scenario,
  gcore: GcoreWorkflows,
  attacked: readonly string[],
): Promise<number[]> {
  const latencies: number[] = [];
  for (const address of attacked) {
    const id = addresses.indexOf(address) + 1;
    const profile = { ...protectInput().profile, ip_address: address };
    const at = Date.now();
    await gcore.start('protectIp', { input: { ...protectInput({ profile }), account } });
    const call = await sent(
      (one) => one.method === 'PATCH' && one.path === `${PROFILES_PATH}/${id}`,
    );
    latencies.push(call.atMs - at);
    await delay(BETWEEN_MS);
  }
  return latencies;
}

async function sent(isIt: (call: RecordedCall) => boolean): Promise<RecordedCall> {
  const until = Date.now() + LONGEST_MS;
  while (Date.now() < until) {
    const call = calls.find(isIt);
    if (call !== undefined) return call;
    await delay(10);
  }
  throw new Error('The PATCH was not sent within a minute');
}

function print(title: string, latencies: readonly number[]): void {
  const [p50, p95, most] = [50, 95, 100].map((percent) => percentile(latencies, percent));
  process.stdout.write(
    `alert to PATCH, ${title}: p50 ${p50} ms, p95 ${p95} ms, longest ${most} ms (${latencies.length} alerts)\n`,
  );
}
