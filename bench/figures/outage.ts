import { setTimeout as delay } from 'node:timers/promises';

import { z } from 'zod';

import { placeOf } from '../../src/activities/gcore-api.js';
import { describeCircuit } from '../../src/engine/http/api-description.js';
import { createLogger } from '../../src/observe/logger.js';
import { createAccountBreakers } from '../../src/worker/account-breakers.js';
import {
  createCallRecorder,
  firstSuccesses,
  type RecordedCall,
} from '../../test/support/http/record-calls.js';
import { provisionInput } from '../../test/support/inputs/provision-input.js';
import { inScenario, type Scenario } from '../../test/support/runs/scenario.js';
import { mostWithin } from '../../test/support/timing/most-within.js';
import { createOutage, OUTAGE_FORMS } from '../../test/support/worlds/outage.js';
import { defineBench, number } from '../bench.js';
import type { FigureRow, Measured } from '../document/figure.js';
import { tell } from '../tell.js';
import { withTemporal } from '../worlds.js';

const REQUESTS_PER_SECOND = 10;
const HTTP_TIMEOUT_MS = 15_000;
const GRACE_MS = 120_000;
const RETRY_AFTER = '30';
/** The outage begins when this share of the runs has created its instance. No run has ended by then. */
const CREATED_SHARE = 1 / 3;
/** A mixed outage goes through all forms, twice if each form can last this long. */
const MIN_FORM_MS = 20_000;

const settings = z.strictObject({
  runs: number(300),
  minutes: number(30),
  form: z.enum(['mixed', ...OUTAGE_FORMS]).default('mixed'),
});
type Plan = z.output<typeof settings>;

/** In real time and with the policies of production. */
export const outage = defineBench({
  id: 'outage',
  title: 'An outage of the API',
  summary:
    '300 runs through 30 minutes in which the API is away: requests, probes, how soon all go on',
  minutes: 50,
  columns: [
    { key: 'what', title: 'what' },
    { key: 'value', title: 'value' },
    { key: 'seconds', title: 'time', unit: 's' },
  ],
  settings,
  quick: { runs: 6, minutes: 0.5, form: '503' },
  measure: measureOutage,
});

/** What one outage was, in milliseconds since the epoch. */
interface Seen {
  calls: readonly RecordedCall[];
  startedAt: number;
  begunAt: number;
  /** When the breaker opened for the first time. After it there are only probes. */
  openedAt: number;
  endedAt: number;
}

function measureOutage(plan: Plan): Promise<Measured> {
  const { calls, fetch } = createCallRecorder();
  const opened: number[] = [];
  const logger = createLogger('INFO', (line) => {
    if (line.includes('calls wait')) opened.push(Date.now());
    process.stderr.write(`${line}\n`);
  });
  const account = { name: 'bench', requestsPerSecond: REQUESTS_PER_SECOND };
  const options = {
    speed: 1,
    realPolls: true,
    replays: false,
    timeoutMs: HTTP_TIMEOUT_MS,
    requestsPerSecond: REQUESTS_PER_SECOND,
    calls: { fetch, breakers: createAccountBreakers(account, logger) },
    policy: { reconcileGraceMs: GRACE_MS },
  };
  return withTemporal({}, () =>
    inScenario(options, (scenario) =>
      measureRuns(scenario, plan, { calls, openedAt: () => opened[0] ?? Number.NaN }),
    ),
  );
}

async function measureRuns(
  scenario: Scenario,
  plan: Plan,
  { calls, openedAt }: { calls: readonly RecordedCall[]; openedAt: () => number },
): Promise<Measured> {
  const startedAt = Date.now();
  const runs = await Promise.all(
    Array.from({ length: plan.runs }, (_, index) =>
      scenario.start('provisionInstance', provisionInput({ name: `web-${index}` })),
    ),
  );
  const outcomes = Promise.allSettled(runs.map((run) => run.result()));
  while (scenario.mutations().length < plan.runs * CREATED_SHARE) await delay(100);
  const begunAt = Date.now();
  const open = plan.runs - countVerified(scenario);
  await runOutage(scenario, plan);
  const endedAt = Date.now();
  const failed = (await outcomes).filter(({ status }) => status === 'rejected').length;
  const more = scenario.simulator.inventory().instances.length - plan.runs;
  return {
    rows: [
      { what: 'open runs when the outage began', value: open },
      { what: 'failed runs', value: failed },
      { what: 'instances beyond one per run', value: more },
      ...describe({ calls, startedAt, begunAt, openedAt: openedAt(), endedAt }),
    ],
    checks: [
      { promise: 'No run fails', kept: failed === 0 },
      { promise: 'One instance for each run', kept: more === 0 },
    ],
  };
}

/** Runs that have read their instance: they may have ended. */
function countVerified({ simulator }: Scenario): number {
  return simulator.requests.filter(({ path }) => /\/instances\/1\/1\/.+/.test(path)).length;
}

async function runOutage(scenario: Scenario, { minutes, form: wanted }: Plan): Promise<void> {
  const away = createOutage(scenario, RETRY_AFTER);
  const forms = wanted === 'mixed' ? OUTAGE_FORMS : [wanted];
  const outageMs = minutes * 60_000;
  const rounds = outageMs / forms.length / 2 < MIN_FORM_MS ? 1 : 2;
  const sequence = Array.from({ length: rounds }, () => forms).flat();
  const end = Date.now() + outageMs;
  for (const [index, form] of sequence.entries()) {
    tell(`the API: ${form}`);
    await away.take(form);
    await delay((end - Date.now()) / (sequence.length - index));
  }
  await away.end();
  tell('the API is back');
}

function describe({ calls, startedAt, begunAt, openedAt, endedAt }: Seen): FigureRow[] {
  const during = (from: number) => calls.filter(({ atMs }) => atMs >= from && atMs < endedAt);
  const probes = during(openedAt);
  const resumed = firstSuccesses(calls, endedAt);
  const resumedAfter = [...resumed.values()].map((atMs) => (atMs - endedAt) / 1_000);
  const times = calls.map(({ atMs }) => atMs);
  const afterwards = times.filter((atMs) => atMs >= endedAt);
  const [count, time] = [
    (what: string, value: number) => ({ what, value }),
    (what: string, seconds: number) => ({ what, seconds }),
  ];
  return [
    time('length of the outage', (endedAt - begunAt) / 1_000),
    count('requests before a breaker opened', during(begunAt).length - probes.length),
    time('time until it opened', (openedAt - begunAt) / 1_000),
    count('requests in the rest of the outage', probes.length),
    count('maximum of them in any 5 s in one area', Math.max(0, ...mostPerArea(probes))),
    count('runs that sent a call after the outage', resumed.size),
    time('first call succeeded after', Math.min(...resumedAfter)),
    time('last run had continued after', Math.max(...resumedAfter)),
    time('all runs had ended after', (Date.now() - endedAt) / 1_000),
    count('all requests', calls.length),
    count('maximum in any 10 s', mostWithin(times, 10_000)),
    count('maximum in any 10 s after the outage', mostWithin(afterwards, 10_000)),
    count('maximum in any 1 s', mostWithin(times, 1_000)),
    time('duration of the bench', (Date.now() - startedAt) / 1_000),
  ];
}

function mostPerArea(probes: readonly RecordedCall[]): number[] {
  const areas = new Map<string, number[]>();
  for (const { path, atMs } of probes) {
    const circuit = describeCircuit(placeOf(path).circuit);
    areas.set(circuit, [...(areas.get(circuit) ?? []), atMs]);
  }
  return [...areas.values()].map((times) => mostWithin(times, 5_000));
}
