/**
 * `npm run bench:outage -- [--runs 300] [--minutes 30] [--form mixed]`: an outage of the API while
 * runs are open, in real time, with the policies of production. Prints what came of it.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { areaOf } from '../src/activities/http/circuit-breaker.js';
import { resolveTemporalExecutable } from '../src/dev/temporal-executable.js';
import { startTemporalServer } from '../src/dev/temporal-server.js';
import { createAccountBreakers } from '../src/worker/account-breakers.js';
import { createLogger } from '../src/worker/logger.js';
import { mostWithin } from '../test/support/timing/most-within.js';
import { createOutage, OUTAGE_FORMS, type OutageForm } from '../test/support/worlds/outage.js';
import { provisionInput } from '../test/support/inputs/provision-input.js';
import {
  createCallRecorder,
  firstSuccesses,
  type RecordedCall,
} from '../test/support/http/record-calls.js';
import { closeScenarios, inScenario, type Scenario } from '../test/support/runs/scenario.js';

const REQUESTS_PER_SECOND = 10;
const HTTP_TIMEOUT_MS = 15_000;
const GRACE_MS = 120_000;
const RETRY_AFTER = '30';
/** The outage begins then: this part of the runs waits for a task, none has ended yet. */
const CREATED = 1 / 3;
/** A mixed outage goes through all forms, twice if there is the time, none for less than this. */
const SHORTEST_FORM_MS = 20_000;

interface Times {
  startedAt: number;
  begunAt: number;
  /** When the breaker opened for the first time: from then on there are probes only. */
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

const { path: executable } = await resolveTemporalExecutable({
  cliPath: process.env['TEMPORAL_CLI_PATH'],
  path: process.env['PATH'],
});
const temporal = await startTemporalServer({ executable });
process.env['TEMPORAL_ADDRESS'] = temporal.address;
const { calls, fetch } = createCallRecorder();
const opened: number[] = [];
const account = { name: 'bench', requestsPerSecond: REQUESTS_PER_SECOND };
const logger = createLogger('INFO', (line) => {
  if (line.includes('calls wait')) opened.push(Date.now());
  process.stdout.write(`${line}\n`);
});

await inScenario(
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
);
await closeScenarios();
await temporal.close();

async function measure(scenario: Scenario): Promise<void> {
  const startedAt = Date.now();
  const runs = await Promise.all(
    Array.from({ length: runCount }, (_, index) =>
      scenario.start('provisionInstance', provisionInput({ name: `web-${index}` })),
    ),
  );
  const outcomes = Promise.allSettled(runs.map((run) => run.result()));
  while (scenario.mutations().length < runCount * CREATED) await delay(100);
  const begunAt = Date.now();
  const open = runCount - countVerified(scenario);
  await outageOf(scenario);
  const endedAt = Date.now();
  const results = await outcomes;
  const failed = results.filter(({ status }) => status === 'rejected').length;
  const made = scenario.simulator.inventory().instances.length;
  report({ startedAt, begunAt, openedAt: opened[0] ?? Number.NaN, endedAt }, [
    ['open runs when the outage began', `${open} of ${runCount}`],
    ['failed', failed],
    ['instances beyond one a run', made - runCount],
  ]);
}

/** Runs that have looked at their instance: they may have ended. */
function countVerified({ simulator }: Scenario): number {
  return simulator.requests.filter(({ path }) => /\/instances\/1\/1\/.+/.test(path)).length;
}

async function outageOf(scenario: Scenario): Promise<void> {
  const outage = createOutage(scenario, RETRY_AFTER);
  const rounds = outageMs / forms.length / 2 < SHORTEST_FORM_MS ? 1 : 2;
  const turns = Array.from({ length: rounds }, () => forms).flat();
  const end = Date.now() + outageMs;
  for (const [index, form] of turns.entries()) {
    process.stdout.write(`${new Date().toISOString()} the API: ${form}\n`);
    await outage.take(form);
    await delay((end - Date.now()) / (turns.length - index));
  }
  await outage.end();
  process.stdout.write(`${new Date().toISOString()} the API is back\n`);
}

function report({ startedAt, begunAt, openedAt, endedAt }: Times, rows: [string, unknown][]): void {
  const during = (from: number) => calls.filter(({ atMs }) => atMs >= from && atMs < endedAt);
  const probes = during(openedAt);
  const wentOn = firstSuccesses(calls, endedAt);
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
    ['most of them in any 5 s, one area', Math.max(0, ...byArea(probes))],
    ['runs that made a call after the outage', wentOn.size],
    ['first of these succeeded after', seconds(Math.min(...wentOn.values()) - endedAt)],
    ['last run had gone on after', seconds(Math.max(...wentOn.values()) - endedAt)],
    ['all runs had ended after', seconds(Date.now() - endedAt)],
    ['requests in all', calls.length],
    ['most in any 10 s', mostWithin(times, 10_000)],
    ['most in any 10 s after the outage', mostWithin(afterwards, 10_000)],
    ['most in any 1 s', mostWithin(times, 1_000)],
    ['the bench took', seconds(Date.now() - startedAt)],
  ];
  for (const [name, value] of table) process.stdout.write(`${name}\t${String(value)}\n`);
}

function byArea(probes: readonly RecordedCall[]): number[] {
  const areas = new Map<string, number[]>();
  for (const { path, atMs } of probes) {
    areas.set(areaOf(path), [...(areas.get(areaOf(path)) ?? []), atMs]);
  }
  return [...areas.values()].map((times) => mostWithin(times, 5_000));
}

function formsOf(name: string): readonly OutageForm[] {
  if (name === 'mixed') return OUTAGE_FORMS;
  const form = OUTAGE_FORMS.find((known) => known === name);
  if (form === undefined) throw new Error(`--form is mixed or one of ${OUTAGE_FORMS.join(', ')}`);
  return [form];
}
