import { setTimeout as delay } from 'node:timers/promises';

import proto from '@temporalio/proto';

import { createGcoreWorkflows, type GcoreWorkflows } from '../../src/client/index.js';
import { inBatches } from '../../test/support/timing/in-batches.js';
import {
  PROFILES_PATH,
  protectInput,
  stateWithProfiles,
} from '../../test/support/inputs/protect-input.js';
import { createCallRecorder, type RecordedCall } from '../../test/support/http/record-calls.js';
import { inScenario, type Scenario } from '../../test/support/runs/scenario.js';

const REQUESTS_PER_SECOND = 10;
/** An incident affects a few addresses; it is not a bulk job itself. */
const ALERT_INTERVAL_MS = 3_000;
const BACKLOG_POLL_MS = 2_000;
const MAX_BACKLOG_MS = 15 * 60_000;
const STARTS_IN_PARALLEL = 50;
const MAX_LATENCY_MS = 60_000;

export interface IncidentPlan {
  /** Bulk runs of the same account. */
  bulk: number;
  /** Alerts in each situation, one after the other. */
  alerts: number;
  onProgress?: (text: string) => void;
}

/** Milliseconds from each alert to the PATCH that protects its address. */
export interface IncidentFigures {
  situation: string;
  latencies: number[];
}

interface Incident extends IncidentPlan {
  scenario: Scenario;
  gcore: GcoreWorkflows;
  addresses: readonly string[];
  calls: readonly RecordedCall[];
  onProgress: (text: string) => void;
}

/** Raises alerts alone, while many bulk runs of the same account start, and while the calls of those runs wait. */
export async function measureIncident(plan: IncidentPlan): Promise<IncidentFigures[]> {
  const { calls, fetch } = createCallRecorder();
  const addresses = Array.from({ length: plan.alerts * 3 }, (_, index) => `203.0.113.${index}`);
  let figures: IncidentFigures[] = [];
  const options = {
    ...{ speed: 5, realPolls: true, replays: false, requestsPerSecond: REQUESTS_PER_SECOND },
    calls: { fetch },
    state: stateWithProfiles(addresses),
  };
  await inScenario(options, async (scenario) => {
    const gcore = createGcoreWorkflows(scenario);
    const onProgress = plan.onProgress ?? (() => undefined);
    figures = await measure({ ...plan, scenario, gcore, addresses, calls, onProgress });
  });
  return figures;
}

async function measure(incident: Incident): Promise<IncidentFigures[]> {
  const { scenario, bulk, onProgress } = incident;
  const figures = [{ situation: 'alone', latencies: await raiseAlerts(incident, 0) }];
  await startBulk(incident);
  const undecided = await countUndecided(scenario);
  onProgress(`${bulk} runs started, ${undecided} without a first workflow task`);
  const starting = await raiseAlerts(incident, 1);
  figures.push({ situation: `${bulk} bulk runs start`, latencies: starting });
  await untilAllDecided(scenario);
  onProgress(`all had their first workflow task, ${countWaiting(incident)} sent no call yet`);
  const waiting = await raiseAlerts(incident, 2);
  figures.push({ situation: `their calls wait`, latencies: waiting });
  onProgress(`${countWaiting(incident)} sent no call yet`);
  return figures;
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
async function raiseAlerts(incident: Incident, round: number): Promise<number[]> {
  const { scenario, gcore, addresses, alerts, calls } = incident;
  const { account } = scenario;
  const latencies: number[] = [];
  for (const address of addresses.slice(alerts * round, alerts * (round + 1))) {
    const id = addresses.indexOf(address) + 1;
    const profile = { ...protectInput().profile, ip_address: address };
    const alertedAt = Date.now();
    await gcore.start('protectIp', { input: { ...protectInput({ profile }), account } });
    const patch = await waitForCall(
      calls,
      (call) => call.method === 'PATCH' && call.path === `${PROFILES_PATH}/${id}`,
    );
    latencies.push(patch.atMs - alertedAt);
    await delay(ALERT_INTERVAL_MS);
  }
  return latencies;
}

async function waitForCall(
  calls: readonly RecordedCall[],
  matches: (call: RecordedCall) => boolean,
): Promise<RecordedCall> {
  const until = Date.now() + MAX_LATENCY_MS;
  while (Date.now() < until) {
    const call = calls.find(matches);
    if (call !== undefined) return call;
    await delay(10);
  }
  throw new Error('The PATCH was not sent within a minute');
}
