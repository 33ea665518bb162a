import { setTimeout as delay } from 'node:timers/promises';

import proto from '@temporalio/proto';
import { z } from 'zod';

import { createGcoreWorkflows, type GcoreWorkflows } from '../../src/client/index.js';
import { createCallRecorder, type RecordedCall } from '../../test/support/http/record-calls.js';
import {
  PROFILES_PATH,
  protectInput,
  stateWithProfiles,
} from '../../test/support/inputs/protect-input.js';
import { inScenario, type Scenario } from '../../test/support/runs/scenario.js';
import { inBatches } from '../../test/support/timing/in-batches.js';
import { defineBench, number } from '../bench.js';
import type { FigureRow } from '../document/figure.js';
import { percentile } from '../statistics.js';
import { tell } from '../tell.js';
import { withTemporal } from '../worlds.js';

/** Trigger to PATCH, beside bulk work of 10,000 runs on the same key. */
const MAX_P95_MS = 2_000;
const REQUESTS_PER_SECOND = 10;
/** An incident affects a few addresses; it is not a bulk job itself. */
const ALERT_INTERVAL_MS = 3_000;
const BACKLOG_POLL_MS = 2_000;
const MAX_BACKLOG_MS = 15 * 60_000;
const STARTS_IN_PARALLEL = 50;
const MAX_LATENCY_MS = 60_000;

const settings = z.strictObject({
  /** Bulk runs of the same account. */
  bulk: number(10_000),
  /** Alerts in each situation, one after the other. */
  alerts: number(20),
});
type Plan = z.output<typeof settings>;

export const incident = defineBench({
  id: 'incident',
  title: 'From an alert to the PATCH',
  summary:
    'from an alert to the PATCH that protects the address, alone and beside 10,000 bulk runs',
  minutes: 8,
  columns: [
    { key: 'situation', title: 'beside it' },
    { key: 'p50', title: 'p50', unit: 'ms' },
    { key: 'p95', title: 'p95', unit: 'ms' },
    { key: 'max', title: 'max', unit: 'ms' },
    { key: 'alerts', title: 'alerts' },
  ],
  page: {
    about: `The time from the start of a \`protectIp\` until the PATCH that protects the address reaches the API: alone, while 10,000 bulk runs of the
same account start, and while the calls of these runs wait for a budget of 10 requests a second. 20 alerts each, one every three seconds, in
real time.`,
    chart: { kind: 'bar', x: 'situation', panels: [['p50', 'p95', 'max']] },
  },
  settings,
  parts: { 'all situations': {} },
  quick: { bulk: 10, alerts: 1 },
  async measure(plan) {
    const rows = await withTemporal({}, () => measureSituations(plan));
    const promise = `p95 below ${MAX_P95_MS / 1_000} s in every situation`;
    return { rows, checks: [{ promise, kept: rows.every(({ p95 }) => Number(p95) < MAX_P95_MS) }] };
  },
});

interface Incident extends Plan {
  scenario: Scenario;
  gcore: GcoreWorkflows;
  addresses: readonly string[];
  calls: readonly RecordedCall[];
}

/** Raises alerts alone, while many bulk runs of the same account start, and while the calls of those runs wait. */
function measureSituations(plan: Plan): Promise<FigureRow[]> {
  const { calls, fetch } = createCallRecorder();
  const addresses = Array.from({ length: plan.alerts * 3 }, (_, index) => `203.0.113.${index}`);
  const options = {
    speed: 5,
    realPolls: true,
    replays: false,
    requestsPerSecond: REQUESTS_PER_SECOND,
    calls: { fetch },
    state: stateWithProfiles(addresses),
  };
  return inScenario(options, async (scenario) => {
    const gcore = createGcoreWorkflows(scenario);
    const raised = { ...plan, scenario, gcore, addresses, calls };
    const alone = toRow('alone', await raiseAlerts(raised, 0));
    await startBulk(raised);
    tell(`${plan.bulk} runs started, ${await countUndecided(scenario)} without a workflow task`);
    const starting = toRow(`${plan.bulk} bulk runs start`, await raiseAlerts(raised, 1));
    await untilAllDecided(scenario);
    tell(`all had their first workflow task, ${countWaiting(raised)} sent no call yet`);
    const waiting = toRow('their calls wait', await raiseAlerts(raised, 2));
    tell(`${countWaiting(raised)} sent no call yet`);
    return [alone, starting, waiting];
  });
}

function toRow(situation: string, latencies: readonly number[]): FigureRow {
  const [p50, p95, max] = [50, 95, 100].map((percent) => percentile(latencies, percent));
  return {
    situation,
    p50: p50 ?? null,
    p95: p95 ?? null,
    max: max ?? null,
    alerts: latencies.length,
  };
}

/** Bulk runs that have sent no call yet. */
function countWaiting({ calls, bulk }: Incident): number {
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

async function startBulk({ scenario: { account }, gcore, bulk }: Incident): Promise<void> {
  const requestIds = Array.from({ length: bulk }, (_, index) => `bulk-${index}`);
  await inBatches(requestIds, STARTS_IN_PARALLEL, (requestId) =>
    gcore.start('listSshKeys', { requestId, urgency: 'bulk', input: { account } }),
  );
}

/** Milliseconds from each alert of this round to its PATCH. */
async function raiseAlerts(raised: Incident, round: number): Promise<number[]> {
  const { scenario, gcore, addresses, alerts, calls } = raised;
  const { account } = scenario;
  const latencies: number[] = [];
  for (const address of addresses.slice(alerts * round, alerts * (round + 1))) {
    const path = `${PROFILES_PATH}/${addresses.indexOf(address) + 1}`;
    const profile = { ...protectInput().profile, ip_address: address };
    const alertedAt = Date.now();
    await gcore.start('protectIp', { input: { ...protectInput({ profile }), account } });
    const patch = await waitForPatch(calls, path);
    latencies.push(patch.atMs - alertedAt);
    await delay(ALERT_INTERVAL_MS);
  }
  return latencies;
}

async function waitForPatch(calls: readonly RecordedCall[], path: string): Promise<RecordedCall> {
  const until = Date.now() + MAX_LATENCY_MS;
  while (Date.now() < until) {
    const call = calls.find((each) => each.method === 'PATCH' && each.path === path);
    if (call !== undefined) return call;
    await delay(10);
  }
  throw new Error('The PATCH was not sent within a minute');
}
