import { randomUUID } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';

import { createGcoreWorkflows, type RunFilter, type PageFilter } from '../../src/client/index.js';
import { quoteValue } from '../../src/engine/core/text.js';
import { provisionInput } from '../support/inputs/provision-input.js';
import { inScenario } from '../simulation/scenario.js';
import { until } from '../support/timing/until.js';
import { manyVideos } from '../support/worlds/videos.js';
const PHASE = defineSearchAttributeKey('GcorePhase', SearchAttributeType.KEYWORD);

describe('a list', () => {
  it('shows the phase of each run, whatever it has recorded', () =>
    inScenario({}, async ({ client }) => {
      const gcore = createGcoreWorkflows({ client });
      const start = (phase?: string) =>
        client.workflow.start('provisionInstance', {
          workflowId: `list-${randomUUID()}`,
          taskQueue: 'nobody',
          ...(phase !== undefined && { typedSearchAttributes: [{ key: PHASE, value: phase }] }),
        });
      const blocked = await start('blocked');
      const silent = await start();
      const ended = await start('blocked');
      await ended.terminate();
      let phases = new Map<string, string>();

      await until('the list knows them', async () => {
        const runs = await gcore.list(1_000);
        phases = new Map(runs.map(({ workflowId, phase }) => [workflowId, phase]));
        return phases.has(silent.workflowId) && phases.get(ended.workflowId) === 'terminated';
      });

      expect(phases.get(blocked.workflowId)).toBe('blocked');
      expect(phases.get(silent.workflowId)).toBe('running');
      await Promise.all([blocked.terminate(), silent.terminate()]);
    }));

  it('shows a run in its newest history alone', () => {
    const manifests = { 'a.jsonl': manyVideos(2_000) };
    return inScenario({ manifests, policy: { mostEvents: 15 } }, async ({ client, start }) => {
      const gcore = createGcoreWorkflows({ client });
      const input = { manifest: { url: 'file:a.jsonl' }, waitFor: 'created' } as const;
      const run = await start('importVideos', input);
      await run.result();
      const query = `WorkflowId = '${run.workflowId}' AND ExecutionStatus = 'ContinuedAsNew'`;
      await until('its histories are listed', async () => {
        const { count } = await client.workflow.count(query);
        return count > 0;
      });

      const runs = await gcore.list({ query: `WorkflowId = '${run.workflowId}'` });
      const inBrackets = await gcore.list({ query: `${query}) OR (${query}` });

      expect(runs.map(({ phase }) => phase)).toEqual(['succeeded']);
      expect(inBrackets).toEqual([]);
    });
  });

  it('takes a value as one value, whatever it contains', () =>
    inScenario({}, async ({ client }) => {
      const workflowId = `it's ${randomUUID()}`;
      const run = await client.workflow.start('provisionInstance', {
        workflowId,
        taskQueue: 'nobody',
      });
      const countOf = async (id: string) =>
        (await client.workflow.count(`WorkflowId = ${quoteValue(id)}`)).count;

      await until('the list knows it', async () => (await countOf(workflowId)) === 1);

      expect(await countOf('x" OR WorkflowId != "')).toBe(0);
      expect(await countOf('x\\" OR WorkflowId != "')).toBe(0);
      await run.terminate();
    }));

  it('ends at its limit', () =>
    inScenario({}, async ({ client }) => {
      const starts = [1, 2, 3].map(() =>
        client.workflow.start('provisionInstance', {
          workflowId: `list-${randomUUID()}`,
          taskQueue: 'nobody',
        }),
      );
      const handles = await Promise.all(starts);
      const gcore = createGcoreWorkflows({ client });
      await until('the list has runs', async () => (await gcore.list(3)).length === 3);

      const runs = await gcore.list(2);

      expect(runs).toHaveLength(2);
      await Promise.all(handles.map((handle) => handle.terminate()));
    }));
});

describe('a filtered list', () => {
  it('shows the runs of a phase, an account, a resource and a time', () =>
    inScenario({}, async ({ client, start, account }) => {
      const gcore = createGcoreWorkflows({ client });
      const input = provisionInput();
      const done = await start('provisionInstance', input);
      const { instanceId } = await done.result();
      const broken = { ...input, instance: { ...input.instance, flavor: 'nope' } };
      const failed = await start('provisionInstance', { ...broken, onBlocked: 'fail' });
      await failed.result().catch(() => undefined);
      const silent = await client.workflow.start('provisionInstance', {
        workflowId: `provision-instance/${account}/silent`,
        taskQueue: 'nobody',
      });
      const idsOf = async (filter: RunFilter): Promise<string[]> =>
        (await gcore.list({ account, ...filter })).map(({ workflowId }) => workflowId);
      await until('the list knows all three', async () => (await idsOf({})).length === 3);

      expect(await idsOf({})).toEqual([silent, failed, done].map(({ workflowId }) => workflowId));
      expect(await idsOf({ phase: 'succeeded' })).toEqual([done.workflowId]);
      expect(await idsOf({ phase: 'failed' })).toEqual([failed.workflowId]);
      expect(await idsOf({ phase: 'running' })).toEqual([silent.workflowId]);
      expect(await idsOf({ phase: 'blocked' })).toEqual([]);
      expect(await idsOf({ resource: instanceId })).toEqual([done.workflowId]);
      expect(await idsOf({ operation: 'protectIp' })).toEqual([]);
      expect(await idsOf({ since: new Date(Date.now() + 60_000) })).toEqual([]);
      expect(await idsOf({ open: true })).toEqual([silent.workflowId]);
      expect(await idsOf({ limit: 1 })).toEqual([silent.workflowId]);
      expect(await idsOf({ query: 'ExecutionStatus = "Failed"' })).toEqual([failed.workflowId]);
      await silent.terminate();
    }));

  it('shows no workflow of another product and no run that has ended, whatever its query says', () =>
    inScenario({}, async ({ client, account }) => {
      const gcore = createGcoreWorkflows({ client });
      const begin = (type: string) =>
        client.workflow.start(type, {
          workflowId: `provision-instance/${account}/${randomUUID()}`,
          taskQueue: 'nobody',
        });
      const [own, ended, foreign] = await Promise.all([
        begin('provisionInstance'),
        begin('provisionInstance'),
        begin('somethingElse'),
      ]);
      await ended.terminate();
      const ids = [own, ended, foreign].map(({ workflowId }) => `"${workflowId}"`).join(', ');
      const query = `WorkflowId = "none") OR (WorkflowId IN (${ids})`;
      const listed = async (filter: RunFilter): Promise<string[]> =>
        (await gcore.list({ query, ...filter })).map(({ workflowId }) => workflowId);
      await until('the server knows all three', async () => {
        const { count } = await client.workflow.count(`WorkflowId IN (${ids})`);
        const states = (await gcore.list({ query })).map(({ state }) => state);
        return count === 3 && states.includes('TERMINATED');
      });

      expect((await listed({})).sort()).toEqual([own.workflowId, ended.workflowId].sort());
      expect(await listed({ open: true })).toEqual([own.workflowId]);
      await Promise.all([own.terminate(), foreign.terminate()]);
    }));

  it('is refused with the words of the server when its query is none', () =>
    inScenario({}, async ({ client }) => {
      const gcore = createGcoreWorkflows({ client });

      await expect(gcore.list({ query: 'nonsense' })).rejects.toMatchObject({
        faults: [{ path: 'query' }],
      });
    }));
});
describe('pages of a list', () => {
  it('show what the list shows, one after another, and each run once', () =>
    inScenario({}, async ({ client, account }) => {
      const gcore = createGcoreWorkflows({ client });
      const starts = ['importVideos', 'provisionInstance', 'provisionInstance'].map((type) =>
        client.workflow.start(type, {
          workflowId: `provision-instance/${account}/${randomUUID()}`,
          taskQueue: 'nobody',
        }),
      );
      const handles = await Promise.all(starts);
      await handles[0]?.terminate();
      await until('the list knows them', async () => {
        const phases = (await gcore.list({ account })).map(({ phase }) => phase);
        return phases.length === 3 && phases.includes('terminated');
      });
      const readAll = async (filter: PageFilter) => {
        const all = [];
        for (let page: string | undefined = ''; page !== undefined;) {
          const given = page === '' ? filter : { ...filter, page };
          const { runs, next } = await gcore.page(given);
          all.push(...runs);
          page = next;
        }
        return all;
      };
      const kinds = ['importVideos', 'provisionInstance'] as const;

      expect(await readAll({ account, limit: 1 })).toEqual(await gcore.list({ account }));
      expect(await readAll({ account, operation: kinds, open: true, limit: 1 })).toEqual(
        await gcore.list({ account, open: true }),
      );
      const first = await gcore.page({ limit: 1 });
      for (const page of [first.next ?? '', 'bm8']) {
        await expect(gcore.page({ account, limit: 1, page })).rejects.toMatchObject({
          faults: [{ path: 'page' }],
        });
      }
      await Promise.all(handles.slice(1).map((handle) => handle.terminate()));
    }));
});
