import { randomUUID } from 'node:crypto';

import type { WorkflowHandle } from '@temporalio/client';

import {
  createAccountWorkers,
  createProcessParts,
  createWorkflowWorker,
} from '../../../src/worker/create-workers.js';
import type { Runnable } from '../../../src/worker/runnable.js';
import { runWorkers } from '../../../src/worker/run-workers.js';
import { testPolicy } from '../runs/test-policy.js';
import { inScenario } from '../../simulation/scenario.js';
import { starterOf, type Scenario, type ScenarioOptions } from '../runs/scenario.js';
import { until } from '../timing/until.js';
import { OWN_BUNDLE } from './newer-version.js';

/** Workers that stop and start while all others go on, as a deployment of their process does it. */
export interface Part {
  start: () => Promise<void>;
  /**
   * Stops them. They take nothing from the moment when `letGo` is called; what it lets go is still answered.
   */
  stop: (letGo?: () => void) => Promise<void>;
}

export interface SplitWorkers extends Scenario {
  /** Run the workflows. */
  workflows: Part;
  /** Make the calls of the account. */
  calls: Part;
}

const SPEED = 100;

/** Runs `test` with a workflow worker and workers of an account that stop and start alone. All run at its start. */
export function withSplitWorkers(
  { policy, ...options }: Pick<ScenarioOptions, 'state' | 'speed' | 'policy'>,
  test: (split: SplitWorkers) => Promise<void>,
): Promise<void> {
  return inScenario(options, async (scenario) => {
    const { client, api, connectNative } = scenario;
    const account = `split-${randomUUID().slice(0, 8)}`;
    const taskQueue = account;
    const shared = {
      connection: await connectNative(),
      namespace: 'default',
      prepare: {
        defaults: { projectId: 1, regionId: 1 },
        policy: { ...testPolicy({ speed: SPEED, ...options }), watcher: false, ...policy },
      },
    };
    const workflows = createPart(async () => [
      await createWorkflowWorker({
        ...shared,
        workflowBundle: { codePath: OWN_BUNDLE },
        nexus: false,
        workflowTaskQueue: taskQueue,
      }),
    ]);
    const calls = createPart(() =>
      createAccountWorkers(
        { ...shared, ...createProcessParts(shared) },
        { name: account, requestsPerSecond: 1_000, api },
      ),
    );
    await Promise.all([workflows.start(), calls.start()]);
    try {
      await test({
        ...scenario,
        account,
        taskQueue,
        workflows,
        calls,
        start: starterOf({ client, account, taskQueue }),
      });
    } finally {
      await Promise.all([workflows.stop(), calls.stop()]);
    }
  });
}

function createPart(create: () => Promise<Runnable[]>): Part {
  let workers: Runnable[] = [];
  let stopping = new AbortController();
  let ended = Promise.resolve();
  return {
    async start() {
      workers = await create();
      stopping = new AbortController();
      ended = runWorkers(workers, stopping.signal);
    },
    async stop(letGo) {
      stopping.abort();
      if (letGo !== undefined) {
        // The polls of all end together: those that have nothing to do show when.
        await until('all but one have stopped', () => workers.filter(isUp).length <= 1);
        letGo();
      }
      await ended;
    },
  };
}

function isUp(worker: Runnable): boolean {
  return worker.getState() !== 'STOPPED';
}

/** A call that a run waits for. */
export interface PendingCall {
  /** Its activity. */
  name: string;
  /** False: no worker has it. */
  isTaken: boolean;
}

export async function pendingCallsOf(run: WorkflowHandle): Promise<PendingCall[]> {
  const { pendingActivities } = (await run.describe()).raw;
  return (pendingActivities ?? []).map(({ activityType, lastStartedTime }) => ({
    name: activityType?.name ?? '',
    isTaken: lastStartedTime !== undefined && lastStartedTime !== null,
  }));
}

/** Waits until a call of this activity waits for a worker. */
export function untilQueued(run: WorkflowHandle, name: string): Promise<void> {
  return until(`${name} waits for a worker`, async () =>
    (await pendingCallsOf(run)).some((call) => call.name === name && !call.isTaken),
  );
}
