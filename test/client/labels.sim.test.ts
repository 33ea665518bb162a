import { randomUUID } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';

import { createGcoreWorkflows } from '../../src/client/index.js';
import { statusQuery } from '../../src/engine/core/messages.js';
import { provisionInput } from '../support/inputs/provision-input.js';
import { inScenario, type Scenario } from '../simulation/scenario.js';
import { createGate } from '../support/timing/gate.js';
import { until } from '../support/timing/until.js';

const newGroup = () => `incident-${randomUUID().slice(0, 8)}`;

function started({ client, account }: Scenario, taskQueue: string) {
  const gcore = createGcoreWorkflows({ client, taskQueue });
  const start = (requestId: string, labels: Record<string, string>) =>
    gcore.start('listSshKeys', { requestId, input: { account, labels } });
  return { gcore, start };
}

describe('the labels of a run', () => {
  it('find it before a worker has taken it, all together', () =>
    inScenario({}, async (scenario) => {
      const { gcore, start } = started(scenario, 'nobody');
      const group = newGroup();
      const { workflowId } = await start(`one-${group}`, { group, team: 'media' });
      const other = await start(`two-${group}`, { group });
      const idsOf = async (labels: Record<string, string>) =>
        (await gcore.list({ labels })).map((run) => run.workflowId).sort();
      await until('the list knows both', async () => (await idsOf({ group })).length === 2);

      expect(await idsOf({ group, team: 'media' })).toEqual([workflowId]);
      expect(await idsOf({ team: group })).toEqual([]);
      await Promise.all([workflowId, other.workflowId].map((id) => gcore.cancel(id)));
    }));

  it('are part of its status, and do not make a repeat another request', () =>
    inScenario({}, async (scenario) => {
      const { gcore, start } = started(scenario, scenario.taskQueue);
      const group = newGroup();
      const { workflowId } = await start('keys', { group });
      await gcore.result('listSshKeys', workflowId);

      const again = await start('keys', { group: newGroup() });

      expect(again).toMatchObject({ workflowId, outcome: 'succeeded-before' });
      expect(await gcore.status(workflowId)).toMatchObject({ labels: { group } });
    }));

  it('are found too when another client has started the run', () =>
    inScenario({}, async ({ client, start }) => {
      const group = newGroup();
      const run = await start('listSshKeys', { labels: { group } });
      await run.result();
      const gcore = createGcoreWorkflows({ client });

      await until('the list knows it', async () => {
        const [found] = await gcore.list({ labels: { group } });
        return found?.workflowId === run.workflowId;
      });
      expect((await run.query(statusQuery)).labels).toEqual({ group });
    }));

  it('are those of its corrected input, and none when that has none', () =>
    inScenario({}, async ({ client, account, simulator, start }) => {
      const gate = createGate();
      const held = { kind: 'delay', until: gate.opened } as const;
      simulator.faults.add({ match: { method: 'GET' }, action: held });
      const [before, after] = [newGroup(), newGroup()];
      const run = await start('listSshKeys', { labels: { group: before, team: 'media' } });
      const { workflowId } = run;
      const gcore = createGcoreWorkflows({ client });
      const isFoundBy = async (labels: Record<string, string>) =>
        (await gcore.list({ labels })).some((found) => found.workflowId === workflowId);
      const correct = async (labels?: Record<string, string>) => {
        await gcore.pause(workflowId);
        const input = { account, ...(labels && { labels }) };
        await gcore.resume(workflowId, { operation: 'listSshKeys', input });
      };
      await until('it has begun', () => Promise.resolve(simulator.inFlight().length > 0));

      await correct({ group: after });
      await until('the list knows it', () => isFoundBy({ group: after }));
      const still = await isFoundBy({ team: 'media' });
      await correct();
      await until('the list has let go of it', async () => !(await isFoundBy({ group: after })));
      gate.open();
      await run.result();

      expect(still).toBe(false);
      expect(await isFoundBy({ group: before })).toBe(false);
    }));

  it('are those of the protection that it starts', () =>
    inScenario({}, async ({ client, start }) => {
      const group = newGroup();
      const protect = { profile_template: 12, fields: [] };
      const run = await start('provisionInstance', {
        ...provisionInput(),
        protect,
        labels: { group },
      });
      await run.result().catch(() => undefined);
      const gcore = createGcoreWorkflows({ client });

      await until('the list knows both', async () => {
        const runs = await gcore.list({ labels: { group } });
        return runs.length === 2;
      });
    }));

  it.each([
    ['a name with capitals', { Team: 'media' }, 'labels.Team'],
    ['a value with a quote', { team: 'a"b' }, 'labels.team'],
    [
      'too many',
      Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`l${at}`, 'x'])),
      'labels',
    ],
  ])('are refused: %s', (_, labels, path) =>
    inScenario({}, async (scenario) => {
      const { start } = started(scenario, 'nobody');

      await expect(start('refused', labels)).rejects.toMatchObject({
        faults: [expect.objectContaining({ path: expect.stringContaining(path) })],
      });
    }),
  );
});
