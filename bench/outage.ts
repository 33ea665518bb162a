/**
 * `npm run bench:outage -- [--runs 300] [--minutes 30] [--form mixed]`: an outage of the API while
 * runs are open, in real time and with the policies of production. Prints the effects.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { describeCircuit } from '../src/engine/http/api-description.js';
import { placeOf } from '../src/activities/gcore-api.js';
import { createAccountBreakers } from '../src/worker/account-breakers.js';
import { createLogger } from '../src/observe/logger.js';
import { mostWithin } from '../test/support/timing/most-within.js';
import { createOutage, OUTAGE_FORMS, type OutageForm } from '../test/support/worlds/outage.js';
import { provisionInput } from '../test/support/inputs/provision-input.js';
import {
  createCallRecorder,
  firstSuccesses,
  type RecordedCall,
} from '../test/support/http/record-calls.js';
import { inScenario, type Scenario } from '../test/support/runs/scenario.js';
import { withTemporal } from './with-temporal.js';

const REQUESTS_PER_SECOND = 10;
const HTTP_TIMEOUT_MS = 15_000;
const GRACE_MS = 120_000;
const RETRY_AFTER = '30';
/** The outage begins when this share of the runs has created its instance. No run has ended by then. */
const CREATED_SHARE = 1 / 3;
/** A mixed outage goes through all forms, twice if each form can last this long. */
const MIN_FORM_MS = 20_000;

interface Times {
  startedAt: number;
  begunAt: number;
  /** When the breaker opened for the first time. After it there are only probes. */
  openedAt: number;
  endedAt: number;
}

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '300' },
    minutes: { type: 'string', default: '30' },
    form: { type: 'string', default: 'mixed' },
  },
});
const runCount = Number(values.runs);
const outageMs = Number(values.minutes) * 60_000;
const forms = formsOf(values.form);

const { calls, fetch } = createCallRecorder();
const opened: number[] = [];
const account = { name: 'bench', requestsPerSecond: REQUESTS_PER_SECOND };
const logger = createLogger('INFO', (line) => {
  if (line.includes('calls wait')) opened.push(Date.now());
  process.stdout.write(`${line}\n`);
});

await withTemporal({}, () =>
  inScenario(
    {
      speed: 1,
      realPolls: true,
      replays: false,
      timeoutMs: HTTP_TIMEOUT_MS,
      requestsPerSecond: REQUESTS_PER_SECOND,
      calls: { fetch, breakers: createAccountBreakers(account, logger) },
      policy: { reconcileGraceMs: GRACE_MS },
    },
    measure,
  ),
);

async function measure(scenario: Scenario): Promise<void> {
  const startedAt = Date.now();
  const runs = await Promise.all(
    Array.from({ length: runCount }, (_, index) =>
      scenario.start('provisionInstance', provisionInput({ name: `web-${index}` })),
    ),
  );
  const outcomes = Promise.allSettled(runs.map((run) => run.result()));
  while (scenario.mutations().length < runCount * CREATED_SHARE) await delay(100);
  const begunAt = Date.now();
  const open = runCount - countVerified(scenario);
  await runOutage(scenario);
  const endedAt = Date.now();
  const results = await outcomes;
  const failed = results.filter(({ status }) => status === 'rejected').length;
  const created = scenario.simulator.inventory().instances.length;
  report({ startedAt, begunAt, openedAt: opened[0] ?? Number.NaN, endedAt }, [
    ['open runs when the outage began', `${open} of ${runCount}`],
    ['failed', failed],
    ['instances beyond one per run', created - runCount],
  ]);
}

/** Runs that have read their instance: they may have ended. */
function countVerified({ simulator }: Scenario): number {
  return simulator.requests.filter(({ path }) => /\/instances\/1\/1\/.+/.test(path)).length;
}

async function runOutage(scenario: Scenario): Promise<void> {
  const outage = createOutage(scenario, RETRY_AFTER);
  const rounds = outageMs / forms.length / 2 < MIN_FORM_MS ? 1 : 2;
  const sequence = Array.from({ length: rounds }, () => forms).flat();
  const end = Date.now() + outageMs;
  for (const [index, form] of sequence.entries()) {
    process.stdout.write(`${new Date().toISOString()} the API: ${form}\n`);
    await outage.take(form);
    await delay((end - Date.now()) / (sequence.length - index));
  }
  await outage.end();
  process.stdout.write(`${new Date().toISOString()} the API is back\n`);
}

function report({ startedAt, begunAt, openedAt, endedAt }: Times, rows: [string, unknown][]): void {
  const during = (from: number) => calls.filter(({ atMs }) => atMs >= from && atMs < endedAt);
  const probes = during(openedAt);
  const resumed = firstSuccesses(calls, endedAt);
  const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
  const times = calls.map(({ atMs }) => atMs);
  const afterwards = times.filter((atMs) => atMs >= endedAt);
  const table: [string, unknown][] = [
    ['form', values.form],
    ...rows,
    ['length of the outage', seconds(endedAt - begunAt)],
    ['requests before a breaker opened', during(begunAt).length - probes.length],
    ['time until it opened', seconds(openedAt - begunAt)],
    ['requests in the rest of the outage', probes.length],
    ['maximum of them in any 5 s in one area', Math.max(0, ...mostPerArea(probes))],
    ['runs that sent a call after the outage', resumed.size],
    ['first call succeeded after', seconds(Math.min(...resumed.values()) - endedAt)],
    ['last run had continued after', seconds(Math.max(...resumed.values()) - endedAt)],
    ['all runs had ended after', seconds(Date.now() - endedAt)],
    ['all requests', calls.length],
    ['maximum in any 10 s', mostWithin(times, 10_000)],
    ['maximum in any 10 s after the outage', mostWithin(afterwards, 10_000)],
    ['maximum in any 1 s', mostWithin(times, 1_000)],
    ['duration of the bench', seconds(Date.now() - startedAt)],
  ];
  for (const [name, value] of table) process.stdout.write(`${name}\t${String(value)}\n`);
}

function mostPerArea(probes: readonly RecordedCall[]): number[] {
  const areas = new Map<string, number[]>();
  for (const { path, atMs } of probes) {
    const circuit = describeCircuit(placeOf(path).circuit);
    areas.set(circuit, [...(areas.get(circuit) ?? []), atMs]);
  }
  return [...areas.values()].map((times) => mostWithin(times, 5_000));
}

function formsOf(name: string): readonly OutageForm[] {
  if (name === 'mixed') return OUTAGE_FORMS;
  const form = OUTAGE_FORMS.find((known) => known === name);
  if (form === undefined)
    throw new Error(`--form must be mixed or one of ${OUTAGE_FORMS.join(', ')}`);
  return [form];
}
