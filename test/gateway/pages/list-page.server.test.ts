import { randomUUID } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';

import { pathOfPage } from '../../../src/gateway/pages/page-actions.js';
import { at, gatewayOf, gcoreOf } from '../../support/gateway/gateway-world.js';
import { protectInput } from '../../support/inputs/protect-input.js';
import { CREATE_PATH, provisionInput } from '../../support/inputs/provision-input.js';
import { inScenario, type Scenario } from '../../support/runs/scenario.js';
import { untilBlocked } from '../../support/runs/until-blocked.js';
import { until } from '../../support/timing/until.js';

const CREATE = { method: 'POST', path: CREATE_PATH } as const;
const REFUSED = { kind: 'status', status: 400, body: { message: 'The name is reserved' } } as const;

/** The list of the runs of one account, as text, and the names of runs in their order. */
async function listOf(scenario: Scenario, query = '') {
  const app = gatewayOf(scenario);
  const path = `/runs?account=${scenario.account}&part=list${query}`;
  const page = await (await app.request(at(path))).text();
  const text = page.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
  const ids = [...page.matchAll(/href="\/runs\/([^"?]+)"/g)].map(([, id = '']) => id);
  return { text, names: ids.map((id) => decodeURIComponent(id).replace(/^.*\//, '')) };
}

const idOf = (name: string) => `${randomUUID()}/default/${name}`;

describe('the list of runs', () => {
  it('has what is blocked or has failed first, with the reason, and counts', () =>
    inScenario({ replays: false }, async (scenario) => {
      const { simulator, start } = scenario;
      const fine = await start('listSshKeys', {}, idOf('fine'));
      await fine.result();
      simulator.faults.add({ match: CREATE, action: REFUSED });
      const failed = await start('provisionInstance', provisionInput(), idOf('failed'));
      await failed.result().catch((error: unknown) => error);
      simulator.faults.add({
        match: { ...CREATE, times: Infinity },
        action: { kind: 'status', status: 403 },
      });
      const blocked = await start('provisionInstance', provisionInput(), idOf('blocked'));
      await untilBlocked(blocked, 'Unauthorized');
      const held = await start('protectIp', protectInput({ holdFor: '2 hours' }), idOf('held'));
      await until('the list has them', async () => (await listOf(scenario)).names.length === 4);
      // The list says no more about a run whose worker is too slow to answer it.
      await until('the list has the hold, and why a run is blocked', async () => {
        const { text } = await listOf(scenario);
        return text.includes('protected') && text.includes('Unauthorized:');
      });

      const { text, names } = await listOf(scenario);
      const found = await listOf(scenario, `&search=${encodeURIComponent(held.workflowId)}`);
      const ofPhase = await listOf(scenario, '&phase=failed');

      expect(names).toEqual(['blocked', 'failed', 'held', 'fine']);
      expect(text).toMatch(/Unauthorized: POST \/cloud\/v2\/instances\/1\/1 was answered with 403/);
      expect(text).toContain('The name is reserved');
      expect(text).toMatch(/protected .*until .*\( in (2 h 0|1 h 59) min \)/);
      expect(text).toContain('1 blocked 1 protected 1 succeeded 1 failed');
      expect(found.names).toEqual(['held']);
      expect(ofPhase.names).toEqual(['failed']);
      await Promise.all([blocked, held].map((run) => run.terminate()));
    }));

  it('asks nobody to look at a failed run that has succeeded since', () =>
    inScenario({ replays: false }, async (scenario) => {
      const { simulator, start } = scenario;
      simulator.faults.add({ match: CREATE, action: REFUSED });
      const run = await start('provisionInstance', provisionInput(), idOf('again'));
      await run.result().catch((error: unknown) => error);
      const gcore = gcoreOf(scenario);
      await until('it is urgent', async () =>
        (await listOf(scenario)).text.includes('in the last day'),
      );
      await gcore.retry(run.workflowId);
      await gcore.result('provisionInstance', run.workflowId);

      await until('the list has both', async () => (await listOf(scenario)).names.length === 2);

      expect((await listOf(scenario)).text).not.toContain('in the last day');
    }));
});

describe('a page that is not there', () => {
  it('is a page for a browser, and a problem for a program', () =>
    inScenario({ replays: false }, async (scenario) => {
      const app = gatewayOf(scenario);
      const ask = (path: string, accept: string) =>
        app.request(at(path), { headers: { Accept: accept } });
      const [page, problem, ofApi] = await Promise.all([
        ask('/nowhere', 'text/html,application/xhtml+xml'),
        ask('/nowhere', '*/*'),
        ask('/v1/nowhere', 'text/html'),
      ]);

      expect([page.status, problem.status, ofApi.status]).toEqual([404, 404, 404]);
      expect(page.headers.get('content-type')).toContain('text/html');
      expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
      expect(await page.text()).toContain('There is no such page');
      expect(problem.headers.get('content-type')).toBe('application/problem+json');
      expect(ofApi.headers.get('content-type')).toBe('application/problem+json');
    }));

  it('of a run leads to the list, and not to itself', () =>
    inScenario({ replays: false }, async (scenario) => {
      const path = pathOfPage('provision-instance/default/order-1');
      const page = await (await gatewayOf(scenario).request(at(path))).text();

      expect(page).toContain('There is no such run');
      expect(page).toContain('/runs?search=provision-instance%2Fdefault%2Forder-1');
      expect(page).not.toContain(`href="${path}"`);
      expect(page).not.toContain('/v1/');
    }));
});
