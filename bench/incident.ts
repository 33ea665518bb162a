/**
 * `npm run bench:incident -- [--bulk 10000] [--alerts 20]`: how long from an alert until the PATCH that
 * protects is sent, alone and while a bulk job on the same account fills its queue, at 10 requests a
 * second. Real time; the bulk job is so many runs of low urgency that wait for their one call.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { createGcoreWorkflows, type GcoreWorkflows } from '../src/client/index.js';
import { PROFILES_PATH, protectInput, stateWithProfiles } from '../test/support/protect-input.js';
import { createCallRecorder, type RecordedCall } from '../test/support/record-calls.js';
import { inScenario, type Scenario } from '../test/support/scenario.js';
import { percentile } from './percentile.js';
import { withTemporal } from './with-temporal.js';

const REQUESTS_PER_SECOND = 10;
/** Between alerts: an incident is some addresses, not a bulk job of its own. */
const BETWEEN_MS = 3_000;
const SETTLE_MS = 10_000;
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
const addresses = Array.from({ length: alerts * 2 }, (_, index) => `203.0.113.${index}`);

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
  print('alone', await alarm(scenario, gcore, addresses.slice(0, alerts)));
  const startedAt = Date.now();
  await startBulk(scenario, gcore);
  // Until all of them wait for their call: what is measured is the queue, not 10,000 starts.
  await delay(SETTLE_MS);
  const done = calls.filter(({ path }) => path.includes('ssh_keys')).length;
  const seconds = Math.round((Date.now() - startedAt) / 1_000);
  process.stdout.write(`bulk: ${bulk} runs started in ${seconds} s, ${bulk - done} calls wait\n`);
  print('beside the bulk job', await alarm(scenario, gcore, addresses.slice(alerts)));
  const left = bulk - calls.filter(({ path }) => path.includes('ssh_keys')).length;
  process.stdout.write(`bulk: ${left} calls still wait\n`);
}

async function startBulk({ account }: Scenario, gcore: GcoreWorkflows): Promise<void> {
  for (let first = 0; first < bulk; first += STARTS) {
    const requestIds = Array.from({ length: STARTS }, (_, index) => `bulk-${first + index}`);
    await Promise.all(
      requestIds.map((requestId) =>
        gcore.start('listSshKeys', { requestId, urgency: 'bulk', input: { account } }),
      ),
    );
  }
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
