import { describe, expect, it } from '@jest/globals';
import type { WorkflowHandle } from '@temporalio/client';
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';

import { createGcoreWorkflows } from '../../../src/client/index.js';
import { batchLines } from '../../../src/contract/batch-lines.js';
import { SearchAttribute } from '../../../src/contract/wire/names.js';
import { batchReportQuery } from '../../../src/contract/wire/messages.js';
import {
  abortUpdate,
  pauseUpdate,
  resumeUpdate,
  statusQuery,
} from '../../../src/engine/core/messages.js';
import { endOfRun, failureOfRun } from '../../support/runs/run-failure.js';
import { inScenario, type Scenario } from '../../simulation/scenario.js';
import { until } from '../../support/timing/until.js';
import { instanceIdOf, stateWithInstances } from '../../support/worlds/instances.js';
import { idsFrom } from '../../support/worlds/ssh-keys.js';
import { pass } from '../../support/timing/pass.js';

const PHASE = defineSearchAttributeKey(SearchAttribute.phase, SearchAttributeType.KEYWORD);
const ACTION = { method: 'POST', path: /\/action$/ } as const;
const ALWAYS = { ...ACTION, times: 1_000 } as const;
const QUOTA = {
  kind: 'status',
  status: 403,
  body: { exception_class: 'QuotaLimitExceed', message: 'quota' },
} as const;
const running = (count: number) => stateWithInstances(idsFrom(1, count).map((of) => ({ of })));
const stopAll = (count: number, more: object = {}) => ({
  operation: 'setInstancePower' as const,
  items: idsFrom(1, count).map((of) => ({
    requestId: `night-${of}`,
    instanceId: instanceIdOf(of),
    action: 'stop',
  })),
  ...more,
});
const countsOf = async (batch: WorkflowHandle) => (await batch.query(statusQuery)).items;

function itemOf({ client, account }: Scenario, id: string): WorkflowHandle {
  return client.workflow.getHandle(`set-instance-power/${account}/${id}`);
}

interface BesidePaused {
  batch: WorkflowHandle;
  /** Resumes the batch. Returns the phase of the paused one, once the others are done. */
  resumeAll: () => Promise<string>;
}

/** Of three items that are blocked, somebody has just paused one. */
function besidePaused(
  policy: { searchAttributes?: boolean },
  test: (beside: BesidePaused) => Promise<void>,
): Promise<void> {
  const slow = { probeMs: 600_000, ...policy };
  return inScenario({ state: running(3), policy: slow }, async (scenario) => {
    const { start, simulator, account } = scenario;
    simulator.faults.add({ match: ALWAYS, action: QUOTA });
    const batch = await start('runBatch', stopAll(3), `run-batch/${account}/night`);
    const phaseOf = async (run: WorkflowHandle) => (await run.query(statusQuery)).phase;
    await until('the batch is blocked', async () => (await phaseOf(batch)) === 'blocked');
    const paused = itemOf(scenario, 'night-2');
    await paused.executeUpdate(pauseUpdate);
    const resumeAll = async (): Promise<string> => {
      simulator.faults.clear();
      await batch.executeUpdate(resumeUpdate, { args: [{}] });
      await until('the others are done', async () => (await countsOf(batch))?.succeeded === 2);
      return phaseOf(paused);
    };

    await test({ batch, resumeAll });

    await paused.executeUpdate(resumeUpdate, { args: [{}] });
    expect((await batch.result()).counts).toMatchObject({ succeeded: 3 });
  });
}

describe('runBatch, operated', () => {
  it('starts no further item while it is paused, and all others after that', () =>
    inScenario({ state: running(4) }, async (scenario) => {
      const { start, simulator, mutations } = scenario;
      simulator.faults.add({ match: ALWAYS, action: { kind: 'status', status: 503 } });
      const batch = await start('runBatch', stopAll(4, { atOnce: 1 }));
      await until('the batch is there', async () => (await countsOf(batch))?.pending === 1);
      await batch.executeUpdate(pauseUpdate);
      simulator.faults.clear();
      await until('the batch is there', async () => (await countsOf(batch))?.succeeded === 1);

      expect(await batch.query(statusQuery)).toMatchObject({
        phase: 'paused',
        items: { untried: 3 },
      });
      await batch.executeUpdate(resumeUpdate, { args: [{}] });

      expect((await batch.result()).counts).toMatchObject({ succeeded: 4 });
      expect(new Set(mutations())).toHaveProperty('size', 4);
    }));

  it('goes on in new histories while it is paused, and stays so', () => {
    const policy = { probeMs: 600_000, mostEvents: 30 };
    return inScenario({ state: running(3), policy, realPolls: true }, async (scenario) => {
      const { start, simulator, account } = scenario;
      simulator.faults.add({ match: ALWAYS, action: QUOTA });
      const input = stopAll(3, { atOnce: 2 });
      const batch = await start('runBatch', input, `run-batch/${account}/night`);
      await until(
        'it is blocked',
        async () => (await batch.query(statusQuery)).phase === 'blocked',
      );
      await batch.executeUpdate(pauseUpdate);
      const { runId } = await batch.describe();
      // It looks at its runs for ten minutes at most.
      await pass(3_600_000);

      const now = await batch.describe();
      expect(now.runId).not.toBe(runId);
      expect(now.historyLength).toBeLessThan(60);
      expect(now.typedSearchAttributes.get(PHASE)).toBe('paused');
      const status = await batch.query(statusQuery);
      expect(status).toMatchObject({ phase: 'paused', items: { pending: 2, untried: 1 } });
      expect(status.asked?.at(-1)).toMatchObject({ for: 'pause' });
      simulator.faults.clear();
      await batch.executeUpdate(resumeUpdate, { args: [{}] });

      // The runs would try again by themselves only later.
      const at = Date.now();
      expect((await batch.result()).counts).toMatchObject({ succeeded: 3 });
      expect(Date.now() - at).toBeLessThan(60_000);
    });
  });

  it('starts the rest only when the canary has succeeded', () =>
    inScenario({ state: running(5) }, async ({ start, simulator, mutations }) => {
      simulator.faults.add({
        match: { ...ACTION, times: 1 },
        action: { kind: 'status', status: 400, body: { message: 'no' } },
      });
      const batch = await start('runBatch', stopAll(5, { canary: 2 }));

      const { type, message } = await failureOfRun(batch);

      expect(type).toBe('ItemsFailed');
      expect(message).toContain('1 of 2 items failed (1 InvalidRequest)');
      expect(message).toContain('other 3 were not tried');
      expect(mutations()).toHaveLength(2);
    }));

  it('starts no further item once one has failed as it was told', () =>
    inScenario({ state: running(5) }, async ({ start, simulator, mutations }) => {
      simulator.faults.add({
        match: { ...ACTION, times: 1 },
        action: { kind: 'status', status: 400, body: { message: 'no' } },
      });
      const stopOn = ['InvalidRequest'];
      const batch = await start(
        'runBatch',
        stopAll(5, { atOnce: 1, stopOn, tolerate: { count: 5 } }),
      );

      const { type, details } = await failureOfRun(batch);

      expect(type).toBe('ItemsFailed');
      expect(details.counts).toMatchObject({ failed: 1, untried: 4 });
      expect(mutations()).toHaveLength(1);
    }));

  it('joins a run that somebody has started by hand', () =>
    inScenario({ state: running(2) }, async (scenario) => {
      const { start, account, mutations } = scenario;
      const [item = {}] = stopAll(1).items;
      const byHand = await start(
        'setInstancePower',
        { instanceId: instanceIdOf(1), action: 'stop' },
        `set-instance-power/${account}/mine`,
      );
      const items = [{ ...item, requestId: 'mine' }, ...stopAll(2).items.slice(1)];
      const batch = await start('runBatch', stopAll(2, { items }));

      expect((await batch.result()).counts).toMatchObject({ succeeded: 2 });
      await byHand.result();
      expect(mutations()).toHaveLength(2);
    }));

  it('refuses an item whose request has a run with another input, and runs the others', () =>
    inScenario({ state: running(3) }, async (scenario) => {
      const { start, account } = scenario;
      const target = { instanceId: instanceIdOf(3), action: 'stop' } as const;
      const other = await start('setInstancePower', target, `set-instance-power/${account}/mine`);
      await other.result();
      const [first = {}, second = {}] = stopAll(2).items;
      const items = [first, { ...second, requestId: 'mine' }];
      const batch = await start('runBatch', stopAll(2, { items }));

      const { details } = await failureOfRun(batch);

      expect(details.counts).toMatchObject({ succeeded: 1, byClass: { RequestConflict: 1 } });
    }));

  it('is blocked when none of its items can go on, and resumes them', () =>
    inScenario({ state: running(2), policy: { probeMs: 600_000 } }, async (scenario) => {
      const { start, simulator, account } = scenario;
      simulator.faults.add({ match: ALWAYS, action: QUOTA });
      const batch = await start('runBatch', stopAll(2), `run-batch/${account}/night`);
      await until('the batch is blocked', async () => {
        return (await batch.query(statusQuery)).phase === 'blocked';
      });

      expect((await batch.query(statusQuery)).blocked).toMatchObject({
        type: 'QuotaExceeded',
        message: expect.stringContaining('All 2 runs'),
      });
      const { blocked: groups } = await batch.query(batchReportQuery);
      expect(groups.map(({ lines }) => lines)).toEqual(['1', '2']);
      simulator.faults.clear();
      await batch.executeUpdate(resumeUpdate, { args: [{}] });

      // They would try again by themselves only much later.
      expect((await batch.result()).counts).toMatchObject({ succeeded: 2, failed: 0 });
    }));

  it('says that it waits for a person while all that goes on is paused', () =>
    inScenario({ state: running(1) }, async (scenario) => {
      const { start, simulator, account, client } = scenario;
      simulator.faults.add({ match: ALWAYS, action: { kind: 'status', status: 503 } });
      const batch = await start('runBatch', stopAll(1), `run-batch/${account}/night`);
      await until('the item goes on', async () => (await countsOf(batch))?.pending === 1);
      await itemOf(scenario, 'night-1').executeUpdate(pauseUpdate);

      await until('the batch says so', async () => {
        const { phase, waiting } = await batch.query(statusQuery);
        return phase === 'waiting' && waiting?.for.startsWith('1 run to be resumed') === true;
      });
      const { next } = await createGcoreWorkflows({ client }).explain(batch.workflowId);
      expect(next).toBe(
        'resume each of them by itself; to find them: gcore-workflows list --group night --phase paused',
      );
      simulator.faults.clear();
      await itemOf(scenario, 'night-1').executeUpdate(resumeUpdate, { args: [{}] });
      await batch.result();
    }));

  it.each([
    ['its phase is recorded', true],
    ['no phases are recorded', false],
  ] as const)('is blocked beside a paused item where %s', (_, searchAttributes) =>
    besidePaused({ searchAttributes }, async ({ batch, resumeAll }) => {
      await until('the batch has seen it', async () => {
        const { steps } = await batch.query(statusQuery);
        return steps.at(-1)?.note?.includes('2 blocked, 1 paused: resume it by itself') === true;
      });

      expect(await batch.query(statusQuery)).toMatchObject({
        phase: 'blocked',
        blocked: {
          type: 'QuotaExceeded',
          message: expect.stringContaining('2 runs are blocked, and 1 run is paused.'),
          advice: expect.stringContaining('Resume by itself what somebody has paused (1 run)'),
        },
      });
      expect(await resumeAll()).toBe('paused');
    }),
  );

  it('lifts no pause of an item that it has seen blocked', () =>
    besidePaused({}, async ({ resumeAll }) => {
      expect(await resumeAll()).toBe('paused');
    }));

  it.each(['leave', 'cancel'] as const)('ends by an abort, and what goes on is to %s', (onAbort) =>
    inScenario({ state: running(3) }, async (scenario) => {
      const { start, simulator, account } = scenario;
      simulator.faults.add({ match: ALWAYS, action: { kind: 'status', status: 503 } });
      const batch = await start(
        'runBatch',
        stopAll(3, { atOnce: 2, onAbort }),
        `run-batch/${account}/night`,
      );
      await until('the batch is there', async () => (await countsOf(batch))?.pending === 2);
      await batch.executeUpdate(abortUpdate, { args: [{ by: 'anna' }] });

      expect(await failureOfRun(batch)).toMatchObject({ type: 'Aborted' });
      simulator.faults.clear();
      const ends = await Promise.all(
        ['night-1', 'night-2'].map((id) =>
          itemOf(scenario, id)
            .result()
            .then(
              () => 'done',
              () => 'cancelled',
            ),
        ),
      );
      expect(ends).toEqual(onAbort === 'leave' ? ['done', 'done'] : ['cancelled', 'cancelled']);
      await expect(itemOf(scenario, 'night-3').describe()).rejects.toThrow();
      expect(await batch.query(batchReportQuery)).toMatchObject({ open: '1-2' });
    }),
  );

  it('ends as cancelled when it is cancelled', () =>
    inScenario({ state: running(1) }, async ({ start, simulator }) => {
      simulator.faults.add({ match: ALWAYS, action: { kind: 'status', status: 503 } });
      const batch = await start('runBatch', stopAll(1));
      await until('the batch is there', async () => (await countsOf(batch))?.pending === 1);
      await batch.cancel();

      expect(await endOfRun(batch)).toMatchObject({ name: 'CancelledFailure' });
      simulator.faults.clear();
    }));

  it('knows of every run that it has started, also when it is aborted while it starts them', () =>
    inScenario({ state: running(14) }, async (scenario) => {
      const { start, simulator, account } = scenario;
      simulator.faults.add({ match: ALWAYS, action: { kind: 'status', status: 503 } });
      const wanted = stopAll(14, { atOnce: 14, onAbort: 'cancel' });
      const batch = await start('runBatch', wanted, `run-batch/${account}/night`);
      const exists = (line: number) =>
        itemOf(scenario, `night-${line}`)
          .describe()
          .then(
            () => true,
            () => false,
          );
      await until('the first run is there', () => exists(1));
      await batch.executeUpdate(abortUpdate, { args: [{}] });
      await failureOfRun(batch);

      const known = [...batchLines(await batch.query(batchReportQuery))]
        .filter(({ outcome }) => outcome !== 'untried')
        .map(({ line }) => line);
      const lines = idsFrom(1, 14);
      const there = await Promise.all(lines.map(exists));
      expect(known).toEqual(lines.filter((_, at) => there[at]));
      simulator.faults.clear();
      await Promise.allSettled(known.map((line) => itemOf(scenario, `night-${line}`).result()));
    }));

  it('follows its runs while its list cannot be read, says why it starts no other, and goes on', () => {
    const { items } = stopAll(3);
    const manifests = { 'off.jsonl': items };
    return inScenario({ state: running(3), manifests }, async (scenario) => {
      const { start, simulator, writeManifest, mutations } = scenario;
      const away = { kind: 'status', status: 503 } as const;
      simulator.faults.add({ match: ALWAYS, action: away });
      const manifest = { url: 'file:off.jsonl' };
      const input = { operation: 'setInstancePower', manifest, atOnce: 2 } as const;
      const batch = await start('runBatch', input);
      await until('two go on', async () => (await countsOf(batch))?.pending === 2);
      writeManifest('off.jsonl', items.slice(0, 2));
      simulator.faults.clear();
      const second = { method: 'POST', path: new RegExp(instanceIdOf(2)), times: 1_000 } as const;
      simulator.faults.add({ match: second, action: away });

      await until('it says why it does not start the third', async () => {
        const { steps } = await batch.query(statusQuery);
        return steps.some(({ note = '' }) => /1 of 3 done.*1 put off: .*off\.jsonl/.test(note));
      });
      writeManifest('off.jsonl', items);
      simulator.faults.clear();

      expect((await batch.result()).counts).toMatchObject({ succeeded: 3 });
      expect(new Set(mutations())).toHaveProperty('size', 3);
    });
  });
});
