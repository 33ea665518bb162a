import { randomUUID } from 'node:crypto';

import { afterAll, describe, expect, it } from '@jest/globals';

import { createGcoreWorkflows, type PageFilter } from '../../src/client/index.js';
import { closeScenarios, inScenario } from '../support/runs/scenario.js';
import { until } from '../support/timing/until.js';

afterAll(closeScenarios);

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
