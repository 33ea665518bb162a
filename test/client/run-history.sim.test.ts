import { randomUUID } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';

import { createGcoreWorkflows, type GcoreWorkflows } from '../../src/client/index.js';
import { Phase } from '../../src/engine/core/status.js';
import { protectInput } from '../support/inputs/protect-input.js';
import { CREATE_PATH, provisionInput } from '../support/inputs/provision-input.js';
import { inScenario, type Scenario } from '../simulation/scenario.js';
import { untilBlocked } from '../support/runs/until-blocked.js';
import { until } from '../support/timing/until.js';
import { video } from '../support/worlds/videos.js';

const MOST_BYTES = 65_536;
const CREATE = { method: 'POST', path: CREATE_PATH } as const;
const FORBIDDEN = { kind: 'status', status: 403 } as const;

const gcoreOf = ({ client, taskQueue }: Scenario): GcoreWorkflows =>
  createGcoreWorkflows({ client, taskQueue });

describe('the history of a run', () => {
  it('shows its input, its result, and what it has called and waited for', () =>
    inScenario({}, async (scenario) => {
      const run = await scenario.start('provisionInstance', provisionInput());
      const { instanceId, taskIds } = await run.result();

      const history = await gcoreOf(scenario).history(run.workflowId, MOST_BYTES);

      expect(history).toMatchObject({
        input: { value: { instance: { name: 'web-1' } } },
        isCorrected: false,
        result: { value: { instanceId } },
        isCut: false,
      });
      expect(history.spans).toContainEqual({
        kind: 'call',
        name: `watch task ${taskIds[0] ?? ''}`,
        from: expect.any(String),
        to: expect.any(String),
        end: 'done',
      });
    }));

  it('has the input that the run works on, not a correction that it has refused', () =>
    inScenario({}, async (scenario) => {
      const gcore = gcoreOf(scenario);
      scenario.simulator.faults.add({ match: CREATE, action: FORBIDDEN });
      const run = await scenario.start('provisionInstance', provisionInput());
      const { workflowId } = run;
      await untilBlocked(run, 'Unauthorized');
      const { account } = scenario;
      const named = (name: string) => {
        const input = { ...provisionInput(), account };
        return { ...input, instance: { ...input.instance, name } };
      };
      const asked = await gcore
        .resume(workflowId, {
          operation: 'provisionInstance',
          input: { ...named('web-2'), account: 'elsewhere' },
        })
        .catch((error: unknown) => error);
      const before = await gcore.history(workflowId, MOST_BYTES);
      await gcore.resume(workflowId, { operation: 'provisionInstance', input: named('web-3') });
      await run.result();

      const after = await gcore.history(workflowId, MOST_BYTES);

      expect(asked).toBeInstanceOf(Error);
      expect(before).toMatchObject({ isCorrected: false });
      expect(before.input).toMatchObject({ value: { instance: { name: 'web-1' } } });
      expect(after).toMatchObject({ isCorrected: true });
      expect(after.input).toMatchObject({ value: { instance: { name: 'web-3' } } });
    }));

  it('decodes no value that is larger than its reader wants', () =>
    inScenario({}, async (scenario) => {
      const run = await scenario.start('provisionInstance', provisionInput());
      await run.result();

      const { input, result } = await gcoreOf(scenario).history(run.workflowId, 100);

      const tooLarge = { bytes: expect.any(Number), left: 'too-large' };
      expect([input, result]).toEqual([tooLarge, tooLarge]);
    }));

  it('still has the input of a long run, and says that its calls are not all there', () =>
    inScenario({}, async (scenario) => {
      const gcore = gcoreOf(scenario);
      const run = await scenario.start('protectIp', protectInput({ holdFor: '2 hours' }));
      const { workflowId } = run;
      await until('it holds', async () => {
        const { waiting } = await gcore.status(workflowId);
        return waiting?.for === 'the end of the hold';
      });
      for (let times = 0; times < 60; times++)
        await gcore.extend(workflowId, { holdFor: '1 hour' });

      const history = await gcore.history(workflowId, MOST_BYTES);
      await gcore.restore(workflowId);
      await run.result();

      expect(history).toMatchObject({
        isCut: true,
        input: { value: { profile: { ip_address: '203.0.113.7' } } },
      });
    }));
});

describe('the failure of a run', () => {
  it('is told without the advice, and only of a run that has failed', () =>
    inScenario({}, async (scenario) => {
      const gcore = gcoreOf(scenario);
      const failed = await scenario.start('importVideos', { videos: [video('bad', 'broken')] });
      await failed.result().catch((error: unknown) => error);
      const succeeded = await scenario.start('listSshKeys', {});
      await succeeded.result();

      const failure = await gcore.failure(failed.workflowId);

      expect(failure).toEqual({
        startedAt: expect.any(String),
        type: 'ItemsFailed',
        cause: '1 of 1 video failed (1 encoding); 0 may fail.',
      });
      expect(await gcore.failure(succeeded.workflowId)).toBeUndefined();
    }));
});

describe('counts', () => {
  it('are by phase, of the account alone that is asked for', () =>
    inScenario({ replays: false }, async (scenario) => {
      const { client } = scenario;
      const gcore = gcoreOf(scenario);
      const account = `count-${randomUUID().slice(0, 8)}`;
      const keyword = (name: string) => defineSearchAttributeKey(name, SearchAttributeType.KEYWORD);
      const start = (phase: string, named = true) =>
        client.workflow.start('provisionInstance', {
          workflowId: `count-${randomUUID()}`,
          taskQueue: 'nobody',
          typedSearchAttributes: [
            { key: keyword('GcorePhase'), value: phase },
            ...(named ? [{ key: keyword('GcoreAccount'), value: account }] : []),
          ],
        });
      const runs = await Promise.all([
        ...['running', 'running', 'blocked', 'blocked', 'failed'].map((phase) => start(phase)),
        start('running', false),
      ]);
      await runs[4]?.terminate();
      const counts = () => gcore.counts({ account });
      await until('the server knows them', async () => {
        const known = await counts();
        return known.some(({ phase }) => phase === 'terminated') && known.length === 3;
      });

      expect(await counts()).toEqual([
        { phase: Phase.running, count: 2 },
        { phase: Phase.blocked, count: 2 },
        { phase: 'terminated', count: 1 },
      ]);
      await Promise.all(runs.map((run) => run.terminate().catch(() => undefined)));
    }));
});

describe('a search', () => {
  it('finds a run by its request id, its address, its Workflow Id and what it has made', () =>
    inScenario({ replays: false }, async (scenario) => {
      const gcore = gcoreOf(scenario);
      const { account } = scenario;
      const address = '2001:db8::7';
      const { workflowId } = await gcore.start('protectIp', {
        input: {
          ...protectInput(),
          profile: { ...protectInput().profile, ip_address: address },
          account,
        },
      });
      const { profileId } = await gcore.result('protectIp', workflowId);
      const found = async (search: string) => {
        const runs = await gcore.list({ search, account });
        return runs.map((run) => run.workflowId);
      };
      await until('the list knows it', async () => (await found(String(profileId))).length > 0);

      for (const search of [
        workflowId,
        address,
        '2001:DB8:0:0::7',
        '2001:db8',
        String(profileId),
      ]) {
        expect([search, await found(search)]).toEqual([search, [workflowId]]);
      }
      expect(await found('2001:db8::8')).toEqual([]);
    }));
});
