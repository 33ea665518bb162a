import { setTimeout as delay } from 'node:timers/promises';

import { describe, expect, it } from '@jest/globals';

import { percentile } from '../../bench/statistics.js';
import { createBreakers, placeOf } from '../../src/activities/gcore-api.js';
import { describeCircuit } from '../../src/engine/http/api-description.js';
import { DEFAULT_POLL_POLICY } from '../../src/contract/wire/tasks.js';
import { scalePollPolicy } from '../../src/engine/core/run-policy.js';
import { mostWithin } from '../support/timing/most-within.js';
import { createOutage, OUTAGE_FORMS } from '../support/worlds/outage.js';
import { provisionInput } from '../support/inputs/provision-input.js';
import {
  createCallRecorder,
  firstSuccesses,
  type RecordedCall,
} from '../support/http/record-calls.js';
import { inScenario } from '../simulation/scenario.js';
import { until } from '../support/timing/until.js';
const RUNS = 40;
const REQUESTS_PER_SECOND = 20;
/** A tenth of the value in production. */
const PROBE_MS = 500;
/** Tasks and polls are five times as fast as in production. */
const SPEED = 5;
/** Long enough for a few probes in each form of the outage. */
const FORM_MS = 2_000;

/** After the outage: the request budget alone takes 12 s. What is above it depends on how fast this machine is now. */
const P90_CONTINUE_WITHIN_MS = 15_000;
/** Of the time that the runs needed to begin. */
const MORE_ON_A_BUSY_MACHINE = 10;
/** One run once took a minute, on a busy machine. */
const ALL_CONTINUE_WITHIN_MS = 120_000;

/** Calls that go out when a breaker opens, because nothing like them has failed. */
const FRESH = 3;

/** Each collection of an area, and of a region, has a breaker of its own. */
function partOfCall({ path }: RecordedCall): string {
  const { circuit, collection } = placeOf(path);
  return `${collection} in ${describeCircuit(circuit)}`;
}

describe('an outage of the API', () => {
  it('fails no run in any form, gets only single probes, and all runs continue soon', async () => {
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
        const startedAt = Date.now();
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
        // At this moment some runs wait for their task, and some have not sent anything yet.
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
        const continued = firstSuccesses(calls, endedAt);
        // On a busy machine the first runs may have ended before the outage.
        const interrupted = results.filter(({ atMs }) => atMs >= endedAt);
        expect(interrupted.length).toBeGreaterThan(RUNS / 2);
        const interruptedIds = interrupted.map(({ workflowId }) => workflowId);
        expect([...continued.keys()]).toEqual(expect.arrayContaining(interruptedIds));
        const waits = [...continued.values()].map((atMs) => atMs - endedAt);
        const slack = MORE_ON_A_BUSY_MACHINE * (begunAt - startedAt);
        expect(percentile(waits, 90)).toBeLessThan(P90_CONTINUE_WITHIN_MS + slack);
        expect(percentile(waits, 100)).toBeLessThan(ALL_CONTINUE_WITHIN_MS);
        // On a busy machine answers may be late, so a breaker may open before the outage too, and stay open.
        const [firstAt = Number.NaN] = opened;
        const openedInside = opened.find((atMs) => atMs >= begunAt && atMs < endedAt);
        const openedAt = openedInside ?? Math.max(firstAt, begunAt);
        const probes = calls.filter(({ atMs }) => atMs > openedAt && atMs < endedAt);
        expect(probes.length).toBeGreaterThan(5);
        // Their first calls time out side by side.
        const lastOpenedAt = Math.max(...opened);
        // A 429 is an answer: from then on the request budget sets the pace, not the breaker.
        const unanswered = probes.filter(
          ({ atMs, status }) => atMs > lastOpenedAt && status !== 429,
        );
        for (const part of new Set(unanswered.map(partOfCall))) {
          const sent = unanswered.filter((call) => partOfCall(call) === part);
          expect(sent.length).toBeLessThanOrEqual((endedAt - lastOpenedAt) / PROBE_MS + 1 + FRESH);
        }
        const times = calls.map(({ atMs }) => atMs);
        for (const seconds of [0.2, 1, 10]) {
          const limit = REQUESTS_PER_SECOND * (seconds + 1) + 2;
          expect(mostWithin(times, seconds * 1_000)).toBeLessThanOrEqual(limit);
        }
      },
    );
  });
});
