import { describe, expect, it } from '@jest/globals';

import { at, bodyOf, gatewayOf, post, tokensOf } from '../support/gateway/gateway-world.js';
import { inScenario } from '../simulation/scenario.js';
import { instanceIdOf, stateWithInstances } from '../support/worlds/instances.js';

const POWER = at('/v1/batches/setInstancePower');
const STATE = stateWithInstances([{ of: 1 }, { of: 2 }]);
const items = [1, 2].map((of) => ({
  requestId: `night-${of}`,
  instanceId: instanceIdOf(of),
  action: 'stop',
}));

describe('POST /v1/batches/{operation}', () => {
  it('runs the operation for each item, joins a repeat, and reports every run', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const { account } = scenario;
      const app = gatewayOf(scenario);
      const start = () =>
        app.request(POWER, post({ items, account }, { 'Idempotency-Key': 'night' }));
      const first = await start();
      const location = at(first.headers.get('location') ?? '');
      const again = await start();

      const result = await app.request(`${location}/result?wait=50s`);

      expect([first.status, again.status, result.status]).toEqual([202, 202, 200]);
      expect(await bodyOf(again)).toMatchObject({ workflowId: `run-batch/${account}/night` });
      const report = await (await app.request(`${location}/report`)).text();
      expect(
        report
          .trim()
          .split('\n')
          .map((line): unknown => JSON.parse(line)),
      ).toEqual(
        [1, 2].map((line) => ({
          line,
          workflowId: `set-instance-power/${account}/night-${line}`,
          outcome: 'succeeded',
        })),
      );
      const page = await app.request(location.replace('/v1/', '/'), {
        headers: { Accept: 'text/html' },
      });
      const text = await page.text();
      expect(text).toContain('2 succeeded');
      expect(text).toContain('/runs?label=group%3Dnight');
      const csv = await app.request(`${location.replace('/v1/', '/')}/report.csv`);
      expect(await csv.text()).toContain(`1,set-instance-power/${account}/night-1,succeeded,,`);
      expect(scenario.mutations()).toHaveLength(2);
    }));

  it('takes the items alone, and names the faults of all of them', () =>
    inScenario({}, async (scenario) => {
      const app = gatewayOf(scenario);
      const body = [items[0], { instanceId: 7, colour: 'red' }];

      const answer = await app.request(POWER, post(body, { 'Idempotency-Key': 'night' }));

      expect(answer.status).toBe(400);
      const text = JSON.stringify(await bodyOf(answer));
      expect(text).toContain('/items/1/instanceId');
      expect(text).toContain('/items/1/colour');
    }));

  it.each([
    ['of a batch alone', ['runBatch']],
    ['of the operation alone', ['setInstancePower']],
  ] as const)('refuses a token %s, whatever the path', (_, operations) =>
    inScenario({}, async (scenario) => {
      const tokens = tokensOf({ t: { name: 't', scopes: ['run', 'read', 'operate'], operations } });
      const app = gatewayOf(scenario, { tokens });
      const keyed = { Authorization: 'Bearer t', 'Idempotency-Key': 'night' };
      const whole = { operation: 'setInstancePower', items };

      const answers = await Promise.all([
        app.request(POWER, post(items, keyed)),
        app.request(at('/v1/runs/runBatch'), post(whole, keyed)),
        app.request(at('/v1/plans/runBatch'), post(whole, keyed)),
      ]);

      expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
    }),
  );

  it('refuses an item of an account that the token does not allow', () =>
    inScenario({}, async (scenario) => {
      const { account } = scenario;
      const tokens = tokensOf({ t: { name: 't', scopes: ['run'], accounts: [account] } });
      const app = gatewayOf(scenario, { tokens });
      const keyed = { Authorization: 'Bearer t', 'Idempotency-Key': 'night' };
      const other = [{ ...items[0], account: 'elsewhere' }];

      const answer = await app.request(POWER, post({ account, items: other }, keyed));

      expect(answer.status).toBe(400);
      expect(JSON.stringify(await bodyOf(answer))).toContain('of the batch');
    }));
});
