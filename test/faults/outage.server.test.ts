import { setTimeout as delay } from 'node:timers/promises';

import { afterAll, describe, expect, it } from '@jest/globals';

import { percentile } from '../../bench/percentile.js';
import { createBreakers } from '../../src/activities/http/circuit-breaker.js';
import { DEFAULT_POLL_POLICY, scalePollPolicy } from '../../src/contract/run-policy.js';
import { mostWithin } from '../support/timing/most-within.js';
import { createOutage, OUTAGE_FORMS } from '../support/worlds/outage.js';
import { provisionInput } from '../support/inputs/provision-input.js';
import { createCallRecorder, firstSuccesses } from '../support/http/record-calls.js';
import { closeScenarios, inScenario } from '../support/runs/scenario.js';
import { until } from '../support/timing/until.js';

afterAll(closeScenarios);

const RUNS = 40;
const REQUESTS_PER_SECOND = 20;
/** A tenth of what it is in production; tasks and looks are five times as fast as there. */
const PROBE_MS = 500;
const SPEED = 5;
/** Each form lasts for a few probes. */
const FORM_MS = 2_000;

/** After the end of the outage: measured 4 s for all of them, also beside other tests. */
const SOON_MS = 15_000;
/** For each of them: one was once seen to take a minute, on a machine that had no time. */
const ALL_MS = 120_000;

describe('an outage of the API', () => {
  it('in all its forms fails no run, is met with single probes, and ends for all soon', async () => {
    const { calls, fetch } = createCallRecorder();
    const opened: number[] = [];
    const breakers = createBreakers({
      probeMs: PROBE_MS,
      maxPauseMs: 2 * PROBE_MS,
      requestsPerSecond: REQUESTS_PER_SECOND,
      onOpen: () => opened.push(Date.now()),
    });
    await inScenario(
      {
        speed: SPEED,
        requestsPerSecond: REQUESTS_PER_SECOND,
        timeoutMs: 2 * PROBE_MS,
        calls: { breakers, fetch },
        policy: { poll: { ...scalePollPolicy(DEFAULT_POLL_POLICY, 1 / SPEED), maxMs: 2_000 } },
      },
      async (scenario) => {
        const outage = createOutage(scenario, '1');
        const runs = await Promise.all(
          Array.from({ length: RUNS }, (_, index) =>
            scenario.start('provisionInstance', provisionInput({ name: `web-${index}` })),
          ),
        );
        const ends = Promise.all(
          runs.map(async (run) => {
            const { instanceId } = await run.result();
            return { instanceId, workflowId: run.workflowId, atMs: Date.now() };
          }),
        );
        // Some runs wait for their task then, some have not sent anything yet.
        await until('some instances are being made', () => scenario.mutations().length >= RUNS / 4);

        const begunAt = Date.now();
        for (const form of OUTAGE_FORMS) {
          await outage.take(form);
          await delay(FORM_MS);
        }
        await outage.end();
        const endedAt = Date.now();
        const results = await ends;

        const ids = results.map(({ instanceId }) => instanceId).sort();
        const made = scenario.simulator.inventory().instances.map(({ id }) => id);
        expect(made.sort()).toEqual(ids);
        expect(new Set(ids).size).toBe(RUNS);
        const wentOn = firstSuccesses(calls, endedAt);
        // On a busy machine the first runs may have ended before the outage.
        const lasted = results.filter(({ atMs }) => atMs >= endedAt);
        expect(lasted.length).toBeGreaterThan(RUNS / 2);
        const lastedIds = lasted.map(({ workflowId }) => workflowId);
        expect([...wentOn.keys()]).toEqual(expect.arrayContaining(lastedIds));
        const waits = [...wentOn.values()].map((atMs) => atMs - endedAt);
        expect(percentile(waits, 90)).toBeLessThan(SOON_MS);
        expect(percentile(waits, 100)).toBeLessThan(ALL_MS);
        // On a busy machine answers may be late, and a breaker may open before the outage too.
        const openedAt = opened.find((atMs) => atMs >= begunAt) ?? Number.NaN;
        const probes = calls
          .map(({ atMs }) => atMs)
          .filter((atMs) => atMs > openedAt && atMs < endedAt);
        expect(probes.length).toBeGreaterThan(5);
        expect(mostWithin(probes, PROBE_MS - 5)).toBe(1);
        const times = calls.map(({ atMs }) => atMs);
        for (const seconds of [0.2, 1, 10]) {
          const most = REQUESTS_PER_SECOND * (seconds + 1) + 2;
          expect(mostWithin(times, seconds * 1_000)).toBeLessThanOrEqual(most);
        }
      },
    );
  }, 240_000);
});
