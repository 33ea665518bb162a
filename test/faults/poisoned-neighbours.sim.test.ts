import { describe, expect, it } from '@jest/globals';

import type { SimulatorState } from '../../src/simulator/index.js';
import { PORTS } from '../support/inputs/protect-input.js';
import { provisionInput } from '../support/inputs/provision-input.js';
import { inScenario, type Scenario } from '../simulation/scenario.js';
import { until } from '../support/timing/until.js';
import { instanceIdOf, stateWithInstances } from '../support/worlds/instances.js';
import { kvInput, stateWithStores } from '../support/worlds/kv-stores.js';
/** Polls and tasks are five times as fast as in production, and so are the probes. */
const SPEED = 5;
const PROBE_MS = 1_000;
/** Until then every breaker that may open has opened. */
const FAILED_CALLS = 15;
/** A busy machine is slow now and then, and one call may meet a probe. */
const SLACK_MS = 2_000;

const PROTECT = { profile_template: 12, fields: [PORTS] };

interface World {
  title: string;
  state?: SimulatorState;
  /** Paths that are answered with 503. */
  broken: RegExp;
  startPoisoned: (scenario: Scenario, index: number) => Promise<{ result(): Promise<unknown> }>;
  startHealthy: (scenario: Scenario, index: number) => Promise<{ result(): Promise<unknown> }>;
}

const startProvision: World['startHealthy'] = ({ start }, index) =>
  start('provisionInstance', provisionInput({ name: `healthy-${index}` }));

const WORLDS: readonly World[] = [
  {
    title: 'whose protection is not answered',
    broken: /^\/cloud\/v1\/ddos\//,
    startPoisoned: ({ start }, index) =>
      start(
        'provisionInstance',
        provisionInput({ name: `poisoned-${index}` }, { protect: PROTECT }),
      ),
    startHealthy: startProvision,
  },
  {
    title: 'whose machines cannot be read',
    state: stateWithInstances([1, 2, 3, 4, 5].map((of) => ({ of }))),
    broken: new RegExp([1, 2, 3, 4, 5].map((of) => instanceIdOf(of)).join('|')),
    startPoisoned: ({ start }, index) =>
      start('deleteInstance', {
        instanceId: instanceIdOf(index + 1),
        volumes: 'delete',
        floatingIps: 'delete',
      }),
    startHealthy: startProvision,
  },
  {
    title: 'whose stores are broken',
    state: stateWithStores(8),
    broken: /^\/fastedge\/v1\/kv\/[1-5](\/|$)/,
    startPoisoned: ({ start }, index) => start('modifyKvStore', kvInput({ storeId: index + 1 })),
    startHealthy: ({ start }, index) => start('modifyKvStore', kvInput({ storeId: index + 6 })),
  },
];

async function timed(run: Promise<{ result(): Promise<unknown> }>): Promise<number> {
  const begunAt = performance.now();
  await (await run).result();
  return performance.now() - begunAt;
}

describe('a healthy run beside five', () => {
  it.each(WORLDS)('$title takes hardly longer than alone', async (world) => {
    const { state, broken, startPoisoned, startHealthy } = world;
    await inScenario(
      { speed: SPEED, breakers: { probeMs: PROBE_MS }, ...(state && { state }) },
      async (scenario) => {
        const { simulator } = scenario;
        const aloneMs = await timed(startHealthy(scenario, 0));
        simulator.faults.add({
          match: { path: broken, times: Infinity },
          action: { kind: 'status', status: 503 },
        });
        const poisoned = await Promise.all(
          [0, 1, 2, 3, 4].map((index) => startPoisoned(scenario, index)),
        );
        await until(
          'the poisoned runs have failed often',
          () => simulator.requests.filter(({ path }) => broken.test(path)).length >= FAILED_CALLS,
        );

        const besideMs = await timed(startHealthy(scenario, 1));

        expect(besideMs).toBeLessThanOrEqual(aloneMs * 1.5 + SLACK_MS);
        simulator.faults.clear();
        await Promise.all(poisoned.map((run) => run.result()));
      },
    );
  });
});
