import { randomUUID } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';
import type { Client, WorkflowHandle } from '@temporalio/client';

import { createGcoreWorkflows, type GcoreWorkflows } from '../../../src/client/index.js';
import { abortUpdate, statusQuery } from '../../../src/engine/core/messages.js';
import { addressResource } from '../../../src/contract/wire/names.js';
import { turnIdFor } from '../../../src/engine/core/names.js';
import { ADDRESS, protectInput, stateWithProfiles } from '../../support/inputs/protect-input.js';
import { lateStatusOf } from '../../support/runs/late-status.js';
import { resetRun } from '../../support/runs/reset-run.js';
import { endOfRun } from '../../support/runs/run-failure.js';
import { inScenario, type Scenario } from '../../simulation/scenario.js';
import { inBatches } from '../../support/timing/in-batches.js';
import { until } from '../../support/timing/until.js';
/** Each history takes only a few updates. */
const SHORT = { state: stateWithProfiles([ADDRESS]), policy: { mostUpdates: 5 } };

const DEADLINE_MS = 15_000;

/** What 10 callers at a time can add to 40 updates, while a history waits up to ten times for its answers. */
const MOST_UPDATES = 40 + 10 * 10;

interface Long {
  scenario: Scenario;
  gcore: GcoreWorkflows;
  workflowId: string;
  run: WorkflowHandle;
}

describe('a hold that is extended again and again', () => {
  it(
    'continues in new histories: every alert is taken, and the earlier profile comes back',
    () =>
      whileHeld({ ...SHORT, policy: { mostUpdates: 40 } }, async (long) => {
        const { gcore, workflowId, scenario } = long;
        const alerts = Array.from({ length: 200 }, (_, index) => index);
        await inBatches(alerts, 10, () => gcore.extend(workflowId, { holdFor: '2 hours' }));

        await gcore.restore(workflowId);
        const result = await gcore.result('protectIp', workflowId);

        expect(result).toMatchObject({ restored: true, before: { active: false } });
        expect(scenario.simulator.inventory().ddosProfiles).toMatchObject([
          { id: 1, profile_template: { id: 13 }, options: { active: false } },
        ]);
        const taken = await updatesInHistories(scenario.client, workflowId);
        expect(taken.length).toBeGreaterThanOrEqual(2);
        expect(taken.reduce((sum, updates) => sum + updates)).toBeGreaterThan(alerts.length);
        expect(Math.max(...taken)).toBeLessThanOrEqual(MOST_UPDATES);
      }),
    600_000,
  );

  it('keeps its end, its steps, its request and what can be searched for', () =>
    whileHeld(SHORT, async (long) => {
      const { gcore, workflowId, run, scenario } = long;
      const first = await run.describe();
      await gcore.extend(workflowId, { holdFor: '5 hours' });
      const before = await gcore.status(workflowId);
      await untilContinued(long);

      const [after, now] = [await gcore.status(workflowId), await run.describe()];

      expect(after).toEqual({ ...before, asked: expect.anything() });
      expect(now.runId).not.toBe(first.runId);
      expect(now.memo).toMatchObject(first.memo ?? {});
      expect(now.raw.workflowExecutionInfo?.priority).toEqual(
        first.raw.workflowExecutionInfo?.priority,
      );
      const { client, account } = scenario;
      const query = `GcoreResourceId = "1" AND GcoreAccount = "${account}" AND ExecutionStatus = "Running"`;
      await until('the new history is found by its profile', async () => {
        for await (const { runId } of client.workflow.list({ query })) {
          if (runId === now.runId) return true;
        }
        return false;
      });
      const input = { ...inputOf(long.scenario), holdFor: '1 minute' };
      expect((await gcore.start('protectIp', { input, workflowId })).outcome).toBe('joined');
      const other = { ...input, active: false };
      await expect(gcore.start('protectIp', { input: other, workflowId })).rejects.toMatchObject({
        name: 'RequestConflictError',
      });
      const { paragraph, facts } = await gcore.explain(workflowId);
      expect(paragraph).toContain('the end of the hold');
      expect(facts.run?.startedAt).toBe(first.startTime.toISOString());
      await gcore.restore(workflowId);
      await gcore.result('protectIp', workflowId);
    }));

  it('is asked by the Run Id of any of its histories, and by no other', () =>
    whileHeld(SHORT, async (long) => {
      const { gcore, workflowId, run } = long;
      const runIds = [(await run.describe()).runId];
      for (let histories = 1; histories < 3; histories++) {
        await untilContinued(long);
        runIds.push((await run.describe()).runId);
      }
      for (const runId of runIds) {
        const named = { workflowId, runId };
        expect(await gcore.extend(named, { holdFor: '2 hours' })).toMatchObject({
          operation: 'protectIp',
        });
      }

      const other = { workflowId, runId: randomUUID() };
      await expect(gcore.restore(other)).rejects.toThrow('another run has begun since');
      await expect(gcore.cancel(other)).rejects.toThrow('another run has begun since');
      await gcore.restore({ workflowId, runId: runIds[1] ?? '' });
      expect(await run.result()).toMatchObject({ restored: true });
    }));

  it('does not end by a deadline that its protection was in time for', () =>
    whileHeld(
      SHORT,
      async (long) => {
        const { gcore, workflowId, run } = long;
        const { executionTime, startTime } = await run.describe();
        const deadline = (executionTime ?? startTime).getTime() + DEADLINE_MS;
        await until('the deadline has passed', () => Date.now() > deadline);
        await untilContinued(long);

        expect((await gcore.status(workflowId)).waiting).not.toHaveProperty('deadline');
        await untilContinued(long);
        await gcore.restore(workflowId);
        expect(await run.result()).toMatchObject({ restored: true });
      },
      { deadline: `${DEADLINE_MS / 1_000} seconds` },
    ));

  it('never lets another run of the address get in between', () =>
    whileHeld(SHORT, async (long) => {
      const { gcore, workflowId, run, scenario } = long;
      const { start, client, account } = scenario;
      const other = await start('protectIp', protectInput());
      const lock = client.workflow.getHandle(turnIdFor(account, addressResource(ADDRESS)));
      const { runId } = await lock.describe();
      for (let histories = 0; histories < 5; histories++) await untilContinued(long);

      expect((await lock.describe()).runId).toBe(runId);
      expect((await other.query(statusQuery)).waiting?.holder).toBe(workflowId);
      await gcore.restore(workflowId);
      expect(await run.result()).toMatchObject({ restored: true });
      expect(await other.result()).toMatchObject({ before: { active: false } });
    }));

  it('gives its turn to the next run also when a later history is terminated', () =>
    whileHeld(SHORT, async (long) => {
      const { start } = long.scenario;
      await untilContinued(long);
      await long.run.terminate();

      const other = await start('protectIp', protectInput());

      expect(await other.result()).toMatchObject({ before: { active: true } });
    }));

  it('gets its turn again before it restores when it was reset while another run had it', () =>
    whileHeld({ ...SHORT, replays: false }, async (long) => {
      const { gcore, workflowId, run, scenario } = long;
      await run.terminate();
      const other = await scenario.start('protectIp', protectInput({ holdFor: '1 hour' }));
      await untilHeld(other);
      await resetRun(scenario.client, run, 'the last workflow task');
      // That task may be the one with which the hold begins.
      await untilHeld(run);
      await untilContinued(long);
      await gcore.restore(workflowId);

      await until('it waits for its turn, or has ended', async () => {
        const { phase, waiting } = await run.query(statusQuery);
        return phase === 'succeeded' || waiting?.holder !== undefined;
      });

      expect((await run.query(statusQuery)).waiting?.state).toContain(other.workflowId);
      await Promise.all([run.terminate(), other.terminate()]);
    }));

  it.each([
    ['cancelled', (run: WorkflowHandle) => run.cancel()],
    ['aborted', (run: WorkflowHandle) => run.executeUpdate(abortUpdate, { args: [{}] })],
  ])('restores the earlier profile also when a later history is %s', (_, end) =>
    whileHeld(SHORT, async (long) => {
      await untilContinued(long);

      await end(long.run);
      await endOfRun(long.run);

      const status = await lateStatusOf(long.run);
      expect(status.steps.slice(1, 3)).toMatchObject([{ state: 'undone' }, { state: 'undone' }]);
      expect(long.scenario.simulator.inventory().ddosProfiles).toMatchObject([
        { profile_template: { id: 13 }, options: { active: false } },
      ]);
    }),
  );

  it('removes the profile that an earlier history has made', () =>
    whileHeld({ policy: { mostUpdates: 5 } }, async (long) => {
      await untilContinued(long);
      await long.gcore.restore(long.workflowId);

      expect(await long.run.result()).toMatchObject({ created: true, restored: true });

      expect(long.scenario.simulator.inventory().ddosProfiles).toEqual([]);
    }));
});

function inputOf({ account }: Scenario) {
  return { ...protectInput({ holdFor: '1 hour' }), account };
}

function whileHeld(
  options: Parameters<typeof inScenario>[0],
  test: (long: Long) => Promise<void>,
  fields: { deadline?: string } = {},
): Promise<void> {
  return inScenario(options, async (scenario) => {
    const { client, taskQueue } = scenario;
    // Ten callers at a time keep a busy machine occupied for some seconds.
    const gcore = createGcoreWorkflows({ client, taskQueue, answerWithinMs: 60_000 });
    const workflowId = `hold-${randomUUID()}`;
    await gcore.start('protectIp', { input: { ...inputOf(scenario), ...fields }, workflowId });
    const run = client.workflow.getHandle(workflowId);
    await untilHeld(run);
    await test({ scenario, gcore, workflowId, run });
  });
}

const untilHeld = (run: WorkflowHandle) =>
  until('the protection is held', async () => {
    const { waiting } = await run.query(statusQuery);
    return waiting?.for === 'the end of the hold';
  });

/** Extends until the next history has begun. */
async function untilContinued({ run, gcore, workflowId }: Long): Promise<void> {
  const { runId } = await run.describe();
  await until('the run goes on in a new history', async () => {
    await gcore.extend(workflowId, { holdFor: '1 minute' });
    return (await run.describe()).runId !== runId;
  });
}

type History = Awaited<ReturnType<WorkflowHandle['fetchHistory']>>;
type Started = NonNullable<History['events']>[number]['workflowExecutionStartedEventAttributes'];

/** How many updates each history of a request took, the last history first. */
async function updatesInHistories(client: Client, workflowId: string): Promise<number[]> {
  const taken: number[] = [];
  let runId: string | undefined = (await client.workflow.getHandle(workflowId).describe()).runId;
  while (runId) {
    const { events }: History = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    const updates = events?.filter((event) => event.workflowExecutionUpdateAcceptedEventAttributes);
    taken.push(updates?.length ?? 0);
    const started: Started = events?.[0]?.workflowExecutionStartedEventAttributes;
    runId = started?.continuedExecutionRunId ?? undefined;
  }
  return taken;
}
