import { describe, expect, it } from '@jest/globals';
import type { WorkflowHandle } from '@temporalio/client';
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';

import { requestOptions } from '../../../src/client/start-once.js';
import { SearchAttribute } from '../../../src/contract/wire/names.js';
import {
  abortUpdate,
  resumeUpdate,
  restoreUpdate,
  statusQuery,
} from '../../../src/engine/core/messages.js';
import { inScenario, type Scenario } from '../../simulation/scenario.js';
import { PORTS } from '../../support/inputs/protect-input.js';
import { endOfRun, failureOfRun } from '../../support/runs/run-failure.js';
import { until } from '../../support/timing/until.js';
import { instanceIdOf, stateWithInstances } from '../../support/worlds/instances.js';
import { idsFrom } from '../../support/worlds/ssh-keys.js';

const ALWAYS = { method: 'POST', path: /\/action$/, times: 1_000 } as const;
const AWAY = { kind: 'status', status: 503 } as const;
const QUOTA = {
  kind: 'status',
  status: 403,
  body: { exception_class: 'QuotaLimitExceed', message: 'quota' },
} as const;
const running = (count: number) => stateWithInstances(idsFrom(1, count).map((of) => ({ of })));
const stop = (of: number) => ({ instanceId: instanceIdOf(of), action: 'stop' as const });
const isPhase = (run: WorkflowHandle, wanted: string) => async () =>
  (await run.query(statusQuery)).phase === wanted;
const pendingOf = async (batch: WorkflowHandle) =>
  (await batch.query(statusQuery)).items?.pending ?? 0;

/** What the step of the batch says that runs its items. */
async function noteOf(batch: WorkflowHandle): Promise<string> {
  const { steps } = await batch.query(statusQuery);
  return steps.map(({ note = '' }) => note).join('; ');
}

/** A person has asked for one of the two, and the batch joins that run. */
async function joinOne(scenario: Scenario) {
  const { start, account } = scenario;
  const idOf = (name: string) => `set-instance-power/${account}/${name}`;
  const mine = await start('setInstancePower', stop(1), idOf('mine'));
  const items = [
    { ...stop(1), requestId: 'mine' },
    { ...stop(2), requestId: 'own' },
  ];
  const input = { operation: 'setInstancePower', items, onAbort: 'cancel' } as const;
  const batch = await start('runBatch', input, `run-batch/${account}/night`);
  const own = scenario.client.workflow.getHandle(idOf('own'));
  return { batch, mine, own };
}

describe('a batch and the runs that it has joined', () => {
  it('cancels those alone that it has started', () =>
    inScenario({ state: running(2) }, async (scenario) => {
      scenario.simulator.faults.add({ match: ALWAYS, action: AWAY });
      const { batch, mine, own } = await joinOne(scenario);
      await until('both go on', async () => (await pendingOf(batch)) === 2);
      await batch.executeUpdate(abortUpdate, { args: [{ by: 'anna' }] });

      expect(await failureOfRun(batch)).toMatchObject({ type: 'Aborted' });
      expect(await noteOf(batch)).toContain('1 run asked to cancel; 1 run goes on');
      scenario.simulator.faults.clear();
      expect(await endOfRun(own)).toMatchObject({ name: 'CancelledFailure' });
      await mine.result();
    }));

  it('never ends the hold of somebody else', () =>
    inScenario({}, async (scenario) => {
      const { start, account } = scenario;
      const profile = { ip_address: '203.0.113.7', profile_template: 12, fields: [PORTS] };
      const input = { profile, holdFor: '1 hour' };
      const held = await start('protectIp', input, `protect-ip/${account}/203.0.113.7`);
      const { simulator } = scenario;
      simulator.faults.add({ match: { method: 'POST', path: /./, times: 1_000 }, action: AWAY });
      const batch = await start('runBatch', {
        operation: 'protectIp',
        items: [input],
        onAbort: 'cancel',
      });
      await until('it has joined', async () => (await pendingOf(batch)) === 1);
      await batch.cancel();
      expect(await endOfRun(batch)).toMatchObject({ name: 'CancelledFailure' });
      simulator.faults.clear();

      await until('the address is held', async () => {
        return (await held.query(statusQuery)).waiting?.holds !== undefined;
      });
      expect(simulator.inventory().ddosProfiles).toHaveLength(1);
      await held.executeUpdate(restoreUpdate);
      await held.result();
    }));

  it('does not call done what it was to protect for ever, and the hold of somebody else ends', () =>
    inScenario({}, async (scenario) => {
      const { start, account } = scenario;
      const profile = { ip_address: '203.0.113.7', profile_template: 12, fields: [PORTS] };
      const hold = await start(
        'protectIp',
        { profile, holdFor: '1 hour' },
        `protect-ip/${account}/203.0.113.7`,
      );
      await until('the address is held', async () => {
        return (await hold.query(statusQuery)).waiting?.holds !== undefined;
      });

      const input = { operation: 'protectIp' as const, items: [{ profile }] };
      const batch = await start('runBatch', input, `run-batch/${account}/night`);

      expect((await failureOfRun(batch)).details.counts).toMatchObject({
        byClass: { RequestConflict: 1 },
      });
      await hold.executeUpdate(restoreUpdate);
      await hold.result();
    }));

  it('resumes those alone that it has started, and says so', () =>
    inScenario({ state: running(2), policy: { probeMs: 600_000 } }, async (scenario) => {
      const { simulator } = scenario;
      simulator.faults.add({ match: ALWAYS, action: QUOTA });
      const { batch, mine, own } = await joinOne(scenario);
      await until('the batch is blocked', isPhase(batch, 'blocked'));
      expect((await batch.query(statusQuery)).blocked?.advice).toContain(
        'Resume by itself what it has joined (1 run that somebody else has started).',
      );
      simulator.faults.clear();
      await batch.executeUpdate(resumeUpdate, { args: [{}] });
      await own.result();

      expect((await mine.query(statusQuery)).phase).toBe('blocked');
      await mine.executeUpdate(resumeUpdate, { args: [{}] });
      expect((await batch.result()).counts).toMatchObject({ succeeded: 2 });
    }));

  it('resumes the others while one does not answer, and goes on', () =>
    inScenario({ state: running(3), policy: { probeMs: 600_000 } }, async (scenario) => {
      const { start, simulator, account } = scenario;
      const silent = await startSilent(scenario);
      simulator.faults.add({ match: ALWAYS, action: QUOTA });
      const items = [{ ...stop(1), requestId: 'silent' }, stop(2), stop(3)];
      const input = { operation: 'setInstancePower', items, atOnce: 2 } as const;
      const batch = await start('runBatch', input, `run-batch/${account}/night`);
      await until('the batch is blocked', isPhase(batch, 'blocked'));
      simulator.faults.clear();
      await batch.executeUpdate(resumeUpdate, { args: [{}] });

      await until('the others are done', async () => {
        return (await batch.query(statusQuery)).items?.succeeded === 2;
      });
      expect(await noteOf(batch)).toContain('(1 blocked, no answer of 1 run to the last resume)');
      await silent.terminate();
      const { details } = await failureOfRun(batch);
      expect(details.counts).toMatchObject({ succeeded: 2, failed: 1, untried: 0 });
    }));

  it.each([
    ['in one history', {}],
    ['that is about to continue in a new history', { mostEvents: 20 }],
  ])('hears a resume that comes while it still carries out the one before, %s', (_, policy) =>
    inScenario({ state: running(3), policy: { probeMs: 600_000, ...policy } }, async (scenario) => {
      const { start, simulator, account, mutations } = scenario;
      const silent = await startSilent(scenario);
      simulator.faults.add({ match: ALWAYS, action: QUOTA });
      const items = [{ ...stop(1), requestId: 'silent' }, stop(2), stop(3)];
      const input = { operation: 'setInstancePower', items } as const;
      const batch = await start('runBatch', input, `run-batch/${account}/night`);
      await until('the batch is blocked', isPhase(batch, 'blocked'));
      const before = mutations().length;
      await batch.executeUpdate(resumeUpdate, { args: [{}] });
      // Two runs, and five tries to get an answer of the third one.
      await until('its last try goes on', () => mutations().length === before + 10);
      simulator.faults.clear();

      await batch.executeUpdate(resumeUpdate, { args: [{}] });

      await until('the others are done', async () => {
        return (await batch.query(statusQuery)).items?.succeeded === 2;
      });
      await silent.terminate();
      expect((await failureOfRun(batch)).details.counts).toMatchObject({ succeeded: 2 });
    }),
  );
});

const PHASE = defineSearchAttributeKey(SearchAttribute.phase, SearchAttributeType.KEYWORD);

/** An item that an earlier try of the batch has started, and that no worker answers for. */
function startSilent({ client, account }: Scenario): Promise<WorkflowHandle> {
  const options = requestOptions({
    operation: 'setInstancePower',
    input: { ...stop(1), account, labels: { group: 'night' } },
    requestId: 'silent',
    workflowId: `set-instance-power/${account}/silent`,
    taskQueue: 'nobody',
    priorityKey: 3,
    reuse: 'ALLOW_DUPLICATE',
    startedBy: { by: 'anna', as: 'start', for: `run-batch/${account}/night/earlier` },
  });
  const typedSearchAttributes = [{ key: PHASE, value: 'blocked' }];
  return client.workflow.start('setInstancePower', { ...options, typedSearchAttributes });
}
