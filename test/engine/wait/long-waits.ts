import { extendUpdate, pauseUpdate, statusQuery } from '../../../src/engine/core/messages.js';
import { DEFAULT_POLL_POLICY } from '../../../src/contract/wire/tasks.js';
import { scalePollPolicy, type PollPolicy } from '../../../src/engine/core/run-policy.js';
import type { FaultAction } from '../../../src/simulator/index.js';
import { growingDelay, probeDelay } from '../../../src/engine/run/growing-delay.js';
import { protectInput } from '../../support/inputs/protect-input.js';
import { CREATE_PATH, provisionInput } from '../../support/inputs/provision-input.js';
import { Mark, measured, standing } from './measured-waits.js';
import { looksIn90Days } from '../../support/runs/looks-in-90-days.js';
import { endOfRun } from '../../support/runs/run-failure.js';
import type { Scenario, ScenarioOptions } from '../../support/runs/scenario.js';
import { until } from '../../support/timing/until.js';
import { holdTaskReads } from '../../support/worlds/hold-task-reads.js';
import { manyVideos } from '../../support/worlds/videos.js';

const CREATE = { method: 'POST', path: /^\/cloud\/v2\/instances\//, times: Infinity };
const forbidden = (exception_class: string, message: string) =>
  ({ kind: 'status', status: 403, body: { exception_class, message } }) as const;
const QUOTA = forbidden('QuotaLimitExceed', 'Quota limit exceeded: cpu_count_limit');
const FULL = forbidden('ForbiddenError', 'Not enough capacity for this flavor');
const TASK_FAILS = {
  kind: 'task-error',
  error: 'Quota limit exceeded: cpu_count_limit',
  leftovers: 'instance',
} as const;
const BUSY = { kind: 'status', status: 409, body: { message: 'locked by task 4711' } } as const;
const NO_ANSWER = { kind: 'status', status: 503 } as const;
const TURNED_AWAY = { kind: 'status', status: 429, retryAfter: '0' } as const;

/** The simulated cloud has fewer regions: this answers for the others. */
const EMPTY_REGIONS = {
  match: { method: 'GET', path: /^\/cloud\/v1\/instances\/1\/(?:[3-9]|1\d)$/, times: Infinity },
  action: { kind: 'status', status: 200, body: { count: 0, results: [] } },
} as const;
/** A third of a dozen regions, with the one of the request: a dozen takes a busy machine too long. */
const A_THIRD = [2, 3, 4].map((regionId) => ({ regionId }));

/** Looks as soon as the machine can. */
const AT_ONCE: PollPolicy = {
  ...scalePollPolicy(DEFAULT_POLL_POLICY, 1 / 1000),
  typical: {},
  otherwise: { firstMs: 1, usualMs: 1 },
};
const HASTY = { poll: AT_ONCE, probeMs: 1 };

/** Looks of a wait as production paces them, by the events of one look. */
const Pace = {
  probes: (events: number) =>
    looksIn90Days((elapsedMs) => probeDelay({ elapsedMs, events, random: 0.5 })),
  waits: (poll: PollPolicy) => (events: number) =>
    looksIn90Days((elapsedMs) =>
      growingDelay({ type: 'list of the API', elapsedMs, events, random: 0.5 }, poll),
    ),
} as const;
const SLOWER_TURNS = { ...DEFAULT_POLL_POLICY, maxMs: 300_000, shareOfElapsed: 0.2 };
const WATCHED = { ...DEFAULT_POLL_POLICY, minMs: 600_000, maxMs: 3_600_000, shareOfElapsed: 0.5 };

/** One kind of wait. */
export interface LongWait {
  options?: ScenarioOptions;
  /** Lets a run wait and returns the events of one look. */
  look: (scenario: Scenario) => Promise<number>;
  /** How often it looks in 90 days. */
  looks: (events: number) => number;
  /** The run continues in a new history after so many looks. */
  mostLooks?: number;
}

const provisioned = ({ start }: Scenario) => start('provisionInstance', provisionInput());

/** Every create is answered so. */
const answered =
  (action: FaultAction, isMark = Mark.timer) =>
  async (scenario: Scenario): Promise<number> => {
    scenario.simulator.faults.add({ match: CREATE, action });
    return measured(await provisioned(scenario), isMark);
  };

async function held({ start }: Scenario) {
  const run = await start('protectIp', protectInput({ holdFor: '1 hour' }));
  await until('it holds', async () => {
    const { steps } = await run.query(statusQuery);
    return steps.some(({ name, state }) => name === 'hold protection' && state === 'waiting');
  });
  return run;
}

/** Every kind of wait that may last for months. */
export const LONG_WAITS: Record<string, LongWait> = {
  'blocked: the API refuses the call': {
    options: { policy: HASTY },
    look: answered(QUOTA),
    looks: Pace.probes,
  },
  'blocked: the task fails, and its rest is removed': {
    options: { policy: { ...HASTY, reconcileGraceMs: 1 }, speed: 10_000 },
    look: answered(TASK_FAILS, Mark.activity('createInstance')),
    looks: Pace.probes,
  },
  'blocked: no capacity in a dozen regions': {
    options: { policy: HASTY },
    look: async ({ start, simulator }) => {
      simulator.faults.add({ match: CREATE, action: FULL });
      simulator.faults.add(EMPTY_REGIONS);
      const input = provisionInput({}, { alternatives: A_THIRD });
      const run = await start('provisionInstance', input);
      return 3 * (await measured(run, Mark.timer, { counted: 1 }));
    },
    looks: Pace.probes,
  },
  'looking at a dozen regions through the grace': {
    options: { policy: { ...HASTY, reconcileGraceMs: 600_000 } },
    look: async ({ start, simulator }) => {
      simulator.faults.add(EMPTY_REGIONS);
      const release = holdTaskReads(simulator);
      const input = provisionInput({}, { alternatives: A_THIRD });
      const first = await start('provisionInstance', input, 'a-dozen-regions');
      await first.terminate();
      release();
      const run = await start('provisionInstance', input, 'a-dozen-regions');
      return 3 * (await measured(run, Mark.timer, { atOnce: 4 }));
    },
    looks: Pace.waits(DEFAULT_POLL_POLICY),
  },
  'blocked: busy (409)': {
    options: { policy: HASTY },
    look: answered(BUSY, Mark.probe),
    looks: Pace.probes,
  },
  'a parked rollback': {
    options: { policy: HASTY },
    look: async ({ start, simulator }) => {
      simulator.faults.add({ match: { method: 'DELETE', times: Infinity }, action: BUSY });
      const run = await start('provisionInstance', provisionInput());
      await until('it has sent its call', () =>
        simulator.requests.some(({ path }) => path === CREATE_PATH),
      );
      await run.cancel();
      return measured(run, Mark.timer);
    },
    looks: Pace.probes,
  },
  'the API takes no call': {
    options: { policy: HASTY },
    look: answered(TURNED_AWAY),
    looks: Pace.waits(DEFAULT_POLL_POLICY),
  },
  'the API answers no call': {
    options: { policy: { ...HASTY, reconcileGraceMs: 1 } },
    look: answered(NO_ANSWER, Mark.activity('createInstance')),
    looks: Pace.waits(DEFAULT_POLL_POLICY),
  },
  'the API takes no batch of an import': {
    options: { policy: HASTY },
    look: async ({ start, simulator }) => {
      const match = { method: 'POST', times: Infinity };
      simulator.faults.add({ match, action: TURNED_AWAY });
      return measured(await start('importVideos', { videos: manyVideos(3) }), Mark.timer);
    },
    looks: Pace.waits(DEFAULT_POLL_POLICY),
  },
  'its turn': {
    options: { policy: HASTY },
    look: async (scenario) => {
      const first = await held(scenario);
      const run = await scenario.start('protectIp', protectInput());
      const events = await measured(run, Mark.child);
      await first.terminate();
      return events;
    },
    looks: Pace.waits(SLOWER_TURNS),
  },
  'a task that does not end, and the watcher says nothing': {
    options: { policy: HASTY, watchWorker: false, speed: 0.001 },
    look: async (scenario) =>
      measured(await provisioned(scenario), Mark.activity('watchTask'), {
        counted: 4,
        cheapest: true,
      }),
    looks: (events) => Math.min(Pace.waits(WATCHED)(events), 60) + 40,
  },
  'a task that does not end, without a watcher': {
    options: { policy: { ...HASTY, watcher: false }, speed: 0.001 },
    look: async (scenario) => measured(await provisioned(scenario), Mark.timer),
    looks: () => 40,
  },
  'an outage of the API': {
    options: { policy: { longestRetryMs: 1_000 } },
    look: async ({ start, simulator }) => {
      simulator.faults.add({
        match: { times: Infinity },
        action: { kind: 'status', status: 503 },
      });
      const run = await start('provisionInstance', provisionInput());
      await until('it asks', () => simulator.requests.length > 0);
      return standing(run, () => until('it asks again', () => simulator.requests.length > 2));
    },
    looks: () => 0,
  },
  paused: {
    look: async ({ start, simulator }) => {
      simulator.faults.add({
        match: { times: 1 },
        action: { kind: 'status', status: 503 },
      });
      const run = await start('provisionInstance', provisionInput());
      await run.executeUpdate(pauseUpdate);
      await until('it stands still', async () => {
        const { pendingActivities } = (await run.describe()).raw;
        return (pendingActivities ?? []).length === 0;
      });
      return standing(run, async () => {
        await run.query(statusQuery);
      });
    },
    looks: () => 0,
  },
  'a hold that is extended every minute': {
    look: async (scenario) => {
      const run = await held(scenario);
      for (let alerts = 0; alerts < 5; alerts++) {
        await run.executeUpdate(extendUpdate, { args: [{ holdFor: '2 hours' }] });
      }
      const events = await measured(run, Mark.update);
      await endOfRun(run);
      return events;
    },
    looks: () => 90 * 24 * 60,
    mostLooks: 500,
  },
};
