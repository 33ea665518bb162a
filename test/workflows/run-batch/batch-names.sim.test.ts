import { describe, expect, it } from '@jest/globals';

import { batchLines } from '../../../src/contract/batch-lines.js';
import type { RunBatchInput } from '../../../src/contract/operations/types.js';
import { batchReportQuery } from '../../../src/contract/wire/messages.js';
import { createGcoreWorkflows } from '../../../src/client/index.js';
import { restoreUpdate, statusQuery } from '../../../src/engine/core/messages.js';
import { inScenario, type Scenario } from '../../simulation/scenario.js';
import { provisionInput } from '../../support/inputs/provision-input.js';
import { PORTS } from '../../support/inputs/protect-input.js';
import { resetRun } from '../../support/runs/reset-run.js';
import { failureOfRun } from '../../support/runs/run-failure.js';
import { firstRunIdOf } from '../../support/webhooks/while-told.js';
import { instanceIdOf, stateWithInstances } from '../../support/worlds/instances.js';

const machine = (name: string, flavor = 'g2-standard-2-4') => provisionInput({ name, flavor });
/** The second line names a flavor that does not exist. */
const LIST = [machine('web-a'), machine('web-b', 'g9-unknown'), machine('web-c')];

const KEY_REFUSED = {
  match: { method: 'GET', path: /\/tasks\//, times: 1_000 },
  action: { kind: 'status', status: 401, body: { message: 'no such key' } },
} as const;

const fleet = (items: RunBatchInput['items'], more: Partial<RunBatchInput> = {}) => ({
  operation: 'provisionInstance' as const,
  items,
  ...more,
});

function namesIn({ simulator }: Scenario): string[] {
  return simulator
    .inventory()
    .instances.map(({ name }) => name)
    .sort();
}

/** A first try, of which the second line fails. */
async function tryFirst(scenario: Scenario, input = fleet(LIST), id = 'fleet') {
  const { start, account } = scenario;
  const batch = await start('runBatch', input, `run-batch/${account}/${id}`);
  expect((await failureOfRun(batch)).details.counts).toMatchObject({ succeeded: 2, failed: 1 });
  const lines = [...batchLines(await batch.query(batchReportQuery))];
  return lines.map(({ workflowId }) => workflowId);
}

describe('the lines of a batch', () => {
  it('are told apart by what they say: a corrected one starts, and the others join wherever they stand', () =>
    inScenario({}, async (scenario) => {
      const { start, account } = scenario;
      const [first, , third] = await tryFirst(scenario);

      const corrected = fleet([machine('web-c'), machine('web-a'), machine('web-b')]);
      const again = await start('runBatch', corrected, `run-batch/${account}/fleet`);
      const { counts, report } = await again.result();

      expect(counts).toMatchObject({ succeeded: 3, failed: 0 });
      expect(report.before).toBe('1-2');
      expect([...batchLines(report)].slice(0, 2).map(({ workflowId }) => workflowId)).toEqual([
        third,
        first,
      ]);
      expect(namesIn(scenario)).toEqual(['web-a', 'web-b', 'web-c']);
    }));

  it('make nothing twice when the one that failed is taken out', () =>
    inScenario({}, async (scenario) => {
      const { start, account } = scenario;
      const [, , third] = await tryFirst(scenario);

      const shorter = fleet([machine('web-a'), machine('web-c')]);
      const again = await start('runBatch', shorter, `run-batch/${account}/fleet`);
      const { counts, report } = await again.result();

      expect(counts).toMatchObject({ asked: 2, succeeded: 2 });
      expect([...batchLines(report)].at(-1)).toMatchObject({ line: 2, workflowId: third });
      expect(namesIn(scenario)).toEqual(['web-a', 'web-c']);
    }));

  it('are refused by their numbers where they may be changed forms of what is made', () =>
    inScenario({}, async (scenario) => {
      const { start, account, mutations } = scenario;
      await tryFirst(scenario);
      const before = mutations();

      const changed = fleet([machine('web-A'), machine('web-b', 'g9-unknown'), machine('web-c')]);
      const again = await start('runBatch', changed, `run-batch/${account}/fleet`);

      expect(await failureOfRun(again)).toMatchObject({
        type: 'InvalidInput',
        details: {
          faults: [{ path: 'items[0]', message: expect.stringContaining('is new here') }],
        },
      });
      expect(mutations()).toEqual(before);
    }));

  it('are refused so also where the run of one has failed and may have left what it made', () =>
    inScenario({}, async ({ start, account, simulator, mutations }) => {
      const id = `run-batch/${account}/fleet`;
      const ask = (name: string) =>
        start('runBatch', { ...fleet([machine(name)]), onBlocked: 'fail' as const }, id);
      simulator.faults.add(KEY_REFUSED);
      expect(await failureOfRun(await ask('web-a'))).toMatchObject({ type: 'ItemsFailed' });
      simulator.faults.clear();

      expect(await failureOfRun(await ask('web-A'))).toMatchObject({
        details: { faults: [{ message: expect.stringContaining('is new here') }] },
      });
      await (await ask('web-a')).result();
      expect(mutations()).toHaveLength(1);
    }));

  it('are refused so also where the server lists runs late', () =>
    inScenario({ visibilityLagMs: 10_000 }, async (scenario) => {
      const { client, taskQueue, account } = scenario;
      const gcore = createGcoreWorkflows({ client, taskQueue });
      const ask = (items: RunBatchInput['items']) =>
        gcore.start('runBatch', { requestId: 'fleet', input: { ...fleet(items), account } });
      const run = await ask(LIST);
      await gcore.result('runBatch', run).catch(() => undefined);

      const again = await ask([machine('web-A'), machine('web-b', 'g9-unknown'), machine('web-c')]);
      await gcore.result('runBatch', again).catch(() => undefined);

      expect(namesIn(scenario)).toEqual(['web-a', 'web-c']);
    }));

  it('are refused so also when somebody resets the batch before the server lists its runs', () => {
    const manifests = { 'fleet.jsonl': [machine('web-a'), machine('web-c')] };
    return inScenario({ manifests, visibilityLagMs: 600_000 }, async (scenario) => {
      const { client, start, writeManifest } = scenario;
      const manifest = { url: 'file:fleet.jsonl' };
      const batch = await start('runBatch', { operation: 'provisionInstance', manifest });
      await batch.result();
      writeManifest('fleet.jsonl', [machine('web-A'), machine('web-c')]);

      const again = await resetRun(client, batch, 'the first workflow task');

      expect(await failureOfRun(again)).toMatchObject({ type: 'InvalidInput' });
      expect(namesIn(scenario)).toEqual(['web-a', 'web-c']);
    });
  });

  it('are refused so also when it is repeated after such a reset', () => {
    const manifests = { 'fleet.jsonl': [machine('web-a'), machine('web-c')] };
    return inScenario({ manifests, visibilityLagMs: 600_000 }, async (scenario) => {
      const { client, taskQueue, account, writeManifest } = scenario;
      const gcore = createGcoreWorkflows({ client, taskQueue });
      const manifest = { url: 'file:fleet.jsonl' };
      const input = { operation: 'provisionInstance', manifest, account } as const;
      const { workflowId } = await gcore.start('runBatch', { requestId: 'fleet', input });
      await gcore.result('runBatch', workflowId);
      writeManifest('fleet.jsonl', [machine('web-A'), machine('web-c')]);
      const run = client.workflow.getHandle(workflowId);
      await failureOfRun(await resetRun(client, run, 'the first workflow task'));

      const again = await gcore.start('runBatch', { requestId: 'fleet', input });
      await gcore.result('runBatch', again).catch(() => undefined);

      expect(namesIn(scenario)).toEqual(['web-a', 'web-c']);
    });
  });

  it('are refused so also when it is reset once more', () => {
    const manifests = { 'fleet.jsonl': [machine('web-a')] };
    return inScenario({ manifests, visibilityLagMs: 600_000 }, async (scenario) => {
      const { client, start, writeManifest } = scenario;
      const manifest = { url: 'file:fleet.jsonl' };
      const batch = await start('runBatch', { operation: 'provisionInstance', manifest });
      await batch.result();
      writeManifest('fleet.jsonl', [machine('web-a'), machine('web-c')]);
      const second = await resetRun(client, batch, 'the first workflow task');
      await second.result();
      writeManifest('fleet.jsonl', [machine('web-a'), machine('web-C')]);

      const third = await resetRun(client, second, 'the first workflow task');

      expect(await failureOfRun(third)).toMatchObject({ type: 'InvalidInput' });
      expect(namesIn(scenario)).toEqual(['web-a', 'web-c']);
    });
  });

  it('are refused so also when a later history had begun it before the reset', () => {
    const manifests = { 'fleet.jsonl': ['a', 'b', 'c'].map((id) => machine(`web-${id}`)) };
    const policy = { mostEvents: 15 };
    return inScenario({ manifests, policy, visibilityLagMs: 600_000 }, async (scenario) => {
      const { client, start, writeManifest } = scenario;
      const manifest = { url: 'file:fleet.jsonl' };
      const input = { operation: 'provisionInstance', manifest, atOnce: 1 } as const;
      const batch = await start('runBatch', input);
      const first = await firstRunIdOf(client, batch.workflowId);
      await batch.result();
      expect((await batch.describe()).runId).not.toBe(first);
      writeManifest('fleet.jsonl', [machine('web-a'), machine('web-b'), machine('web-C')]);

      const again = await resetRun(client, batch, { beginOf: first });

      expect(await failureOfRun(again)).toMatchObject({ type: 'InvalidInput' });
      expect(namesIn(scenario)).toEqual(['web-a', 'web-b', 'web-c']);
    });
  });

  it('have the names that a key gives them, whatever the batch is called', () =>
    inScenario({}, async (scenario) => {
      const { start, account } = scenario;
      const byName = { key: 'instance.name' };
      await tryFirst(scenario, fleet(LIST, byName));

      const corrected = fleet([machine('web-b'), machine('web-a'), machine('web-c')], byName);
      const again = await start('runBatch', corrected, `run-batch/${account}/another`);
      const { counts, report } = await again.result();

      expect(counts).toMatchObject({ succeeded: 3 });
      expect([...batchLines(report)][0]?.workflowId).toBe(`provision-instance/${account}/web-b`);
      expect(namesIn(scenario)).toEqual(['web-a', 'web-b', 'web-c']);
    }));
});

describe('a repeated batch', () => {
  const ADDRESSES = ['203.0.113.7', '203.0.113.8'];
  const protect: RunBatchInput = {
    operation: 'protectIp',
    items: ADDRESSES.map((ip_address) => ({ profile: { ip_address } })),
    defaults: { profile: { profile_template: 12, fields: [PORTS] }, holdFor: '1 hour' },
  };

  it('protects again after its holds have ended', () =>
    inScenario({}, async (scenario) => {
      const { client, account, simulator } = scenario;
      const gcore = createGcoreWorkflows({ client, taskQueue: scenario.taskQueue });
      const request = { requestId: 'incident-42', input: { ...protect, account } };
      const runs = ADDRESSES.map((address) => `protect-ip/${account}/${address}`);
      const { workflowId } = await gcore.start('runBatch', request);
      await gcore.result('runBatch', workflowId);
      for (const run of runs) {
        await client.workflow.getHandle(run).executeUpdate(restoreUpdate);
        await client.workflow.getHandle(run).result();
      }
      expect(simulator.inventory().ddosProfiles).toEqual([]);

      const again = await gcore.start('runBatch', request);
      const { counts, report } = await gcore.result('runBatch', workflowId);

      expect(again.outcome).toBe('started');
      expect(counts).toMatchObject({ succeeded: 2 });
      expect(report.before).toBe('');
      expect(simulator.inventory().ddosProfiles).toHaveLength(2);
      for (const run of runs) {
        await client.workflow.getHandle(run).executeUpdate(restoreUpdate);
        await client.workflow.getHandle(run).result();
      }
    }));

  it('of another name makes the holds that go on longer', () =>
    inScenario({}, async (scenario) => {
      const { start, client, account } = scenario;
      const run = client.workflow.getHandle(`protect-ip/${account}/203.0.113.7`);
      const endOf = async (): Promise<number> =>
        Date.parse((await run.query(statusQuery)).waiting?.nextCheckAt ?? '');
      const alert = async (id: string, holdFor: string) => {
        const input = { ...protect, defaults: { ...protect.defaults, holdFor } };
        return (await start('runBatch', input, `run-batch/${account}/${id}`)).result();
      };
      await alert('first', '1 hour');
      const before = await endOf();

      expect((await alert('second', '3 hours')).counts).toMatchObject({ succeeded: 2 });

      expect((await endOf()) - before).toBeGreaterThan(3_600_000);
      for (const address of ADDRESSES) {
        const held = client.workflow.getHandle(`protect-ip/${account}/${address}`);
        await held.executeUpdate(restoreUpdate);
        await held.result();
      }
    }));

  it('of another name lets be so now what is not so any more, and says what it has not done', () =>
    inScenario({ state: stateWithInstances([{ of: 1 }, { of: 2 }]) }, async (scenario) => {
      const { start, account, mutations } = scenario;
      const power = (action: string, named: object = {}): RunBatchInput => ({
        operation: 'setInstancePower',
        items: [
          { instanceId: instanceIdOf(1), action },
          { instanceId: instanceIdOf(2), action, ...named },
        ],
      });
      const named = { requestId: 'stop-2' };
      const run = async (input: RunBatchInput, id: string) =>
        (await start('runBatch', input, `run-batch/${account}/${id}`)).result();
      await run(power('stop', named), 'first');
      await run(power('start'), 'second');

      const { counts, report } = await run(power('stop', named), 'third');

      expect(counts).toMatchObject({ succeeded: 2 });
      expect(report.before).toBe('2');
      expect(mutations()).toHaveLength(5);
    }));
});
