import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, describe, expect, it } from '@jest/globals';
import type { WorkflowHandle } from '@temporalio/client';

import { createWorkflowWorker, runWorkers } from '../../../src/worker/create-workers.js';
import { replayErrors } from '../../support/replay/replay-all.js';
import { inScenario, type Scenario } from '../../support/runs/scenario.js';
import { testPolicy } from '../../support/runs/test-policy.js';
import { provisionInput } from '../../support/inputs/provision-input.js';
import { until } from '../../support/timing/until.js';
import { NEW_FIELD, OWN_BUNDLE, writeNewerBundle } from '../../support/workers/newer-version.js';
import { holdTaskReads } from '../../support/worlds/hold-task-reads.js';

const folder = mkdtempSync(join(tmpdir(), 'newer-version-'));

afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** A workflow bundle, and what its workers record in addition. */
interface Version {
  codePath: string;
  records: Record<string, unknown>;
}

const NEWER_BUNDLE = writeNewerBundle(folder);
const THIS: Version = { codePath: OWN_BUNDLE, records: {} };
/** It records a field of the policy that this version does not know. */
const NEWER: Version = { codePath: NEWER_BUNDLE, records: { [NEW_FIELD]: true } };
/** The release before it: it knows the field, and does not record it yet. */
const BETWEEN: Version = { codePath: NEWER_BUNDLE, records: {} };

interface Turns {
  scenario: Scenario;
  /** It waits for the task of its instance. */
  run: WorkflowHandle;
  /** Lets its task be read. */
  letGo: () => void;
  /** A worker of this version is the only one while `use` runs. */
  work: <T>(version: Version, use: () => Promise<T>) => Promise<T>;
}

/** Versions work on one run in turns. The first one begins it. */
async function inTurns(first: Version, test: (turns: Turns) => Promise<void>): Promise<void> {
  await inScenario({}, async (scenario) => {
    const { client, account, simulator } = scenario;
    const taskQueue = `turns-${randomUUID().slice(0, 8)}`;
    const letGo = holdTaskReads(simulator);
    const work: Turns['work'] = (version, use) => withWorker(scenario, { taskQueue, version }, use);
    const run = await work(first, async () => {
      const started = await client.workflow.start('provisionInstance', {
        workflowId: taskQueue,
        taskQueue,
        args: [{ ...provisionInput(), account }],
      });
      await until('the run waits', async () => {
        const events = await eventsOf(started);
        return events.some(({ timerStartedEventAttributes: timer }) => timer);
      });
      return started;
    });
    await test({ scenario, run, letGo, work });
  });
}

async function withWorker<T>(
  { connectNative }: Scenario,
  { taskQueue, version }: { taskQueue: string; version: Version },
  use: () => Promise<T>,
): Promise<T> {
  const worker = await createWorkflowWorker({
    connection: await connectNative(),
    namespace: 'default',
    prepare: {
      defaults: { projectId: 1, regionId: 1 },
      policy: { ...testPolicy({ speed: 100 }), watcher: false, ...version.records },
    },
    workflowBundle: version,
    workflowTaskQueue: taskQueue,
    nexus: false,
  });
  const stop = new AbortController();
  const running = runWorkers([worker], stop.signal);
  try {
    return await use();
  } finally {
    stop.abort();
    await running;
  }
}

async function eventsOf(run: WorkflowHandle) {
  return (await run.fetchHistory()).events ?? [];
}

async function failedTasksOf(run: WorkflowHandle): Promise<string[]> {
  return (await eventsOf(run)).flatMap(({ workflowTaskFailedEventAttributes: failed }) =>
    failed ? [failed.failure?.message ?? ''] : [],
  );
}

describe('a run that a newer version has prepared', () => {
  it('is refused by this version, waits, and ends with a worker of the newer one', async () => {
    await inTurns(NEWER, async ({ scenario: { client, simulator }, run, letGo, work }) => {
      await work(THIS, async () => {
        letGo();
        await until('this version refuses it', async () => (await failedTasksOf(run)).length > 0);
      });
      const refusals = await failedTasksOf(run);
      const { status } = await run.describe();

      const result: unknown = await work(NEWER, () => run.result());

      expect(refusals).toEqual([expect.stringContaining(`policy.${NEW_FIELD}`)]);
      expect(refusals[0]).toContain('docs/upgrade.md');
      expect(status.name).toBe('RUNNING');
      expect(result).toMatchObject({ status: 'ACTIVE' });
      expect(simulator.inventory().instances).toHaveLength(1);
      // The older worker failed its workflow tasks, once in the history, and the newer one made all decisions.
      const [found = ''] = await replayErrors(client, [run.workflowId], NEWER);
      expect(found.split('\n')).toEqual([
        expect.stringContaining('a workflow task failed: A newer version of the worker wrote'),
      ]);
    });
  });

  it('goes on with this version when the newer one does not record its field yet', async () => {
    await inTurns(BETWEEN, async ({ scenario: { client }, run, letGo, work }) => {
      letGo();

      const result: unknown = await work(THIS, () => run.result());

      expect(result).toMatchObject({ status: 'ACTIVE' });
      expect(await failedTasksOf(run)).toEqual([]);
      expect(await replayErrors(client, [run.workflowId], BETWEEN)).toEqual(['']);
    });
  });
});

describe('a run that this version has prepared', () => {
  it('goes on with a newer one, as it began', async () => {
    await inTurns(THIS, async ({ scenario: { client }, run, letGo, work }) => {
      letGo();

      const result: unknown = await work(NEWER, () => run.result());

      expect(result).toMatchObject({ status: 'ACTIVE' });
      expect(await failedTasksOf(run)).toEqual([]);
      expect(await replayErrors(client, [run.workflowId], THIS)).toEqual(['']);
    });
  });
});
