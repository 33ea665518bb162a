import { randomUUID } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';
import type { WorkflowHandle } from '@temporalio/client';

import { connectGcoreWorkflows } from '../../../src/client/index.js';
import type { AuditEntry, GatewayApp } from '../../../src/gateway/gateway-context.js';
import { pathOfPage } from '../../../src/gateway/pages/page-actions.js';
import { at, gatewayOf, gcoreOf } from '../../support/gateway/gateway-world.js';
import { protectInput } from '../../support/inputs/protect-input.js';
import { provisionInput } from '../../support/inputs/provision-input.js';
import { inScenario } from '../../support/runs/scenario.js';
import { until } from '../../support/timing/until.js';
import { manyVideos, video } from '../../support/worlds/videos.js';

async function read(app: GatewayApp, path: string): Promise<string> {
  return (await app.request(at(path))).text();
}

/** What a reader sees, without the marks of HTML. */
async function textOf(app: GatewayApp, path: string): Promise<string> {
  return (await read(app, path)).replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
}

const MIB = 1_024 ** 2;

interface Untaken {
  app: GatewayApp;
  run: WorkflowHandle;
  path: string;
}

/** A run that no worker takes. Its client ends the calls that nobody answers. */
function whileUntaken(
  type: string,
  input: unknown,
  test: (world: Untaken) => Promise<void>,
): Promise<void> {
  return inScenario({ replays: false }, async (scenario) => {
    const address = process.env['TEMPORAL_ADDRESS'] ?? 'localhost:7233';
    const gcore = await connectGcoreWorkflows({
      config: { connectionOptions: { address }, namespace: 'default' },
    });
    const workflowId = `untaken-${randomUUID()}`;
    const options = { workflowId, taskQueue: 'nobody', args: [input] };
    const run = await scenario.client.workflow.start(type, options);
    try {
      await test({ app: gatewayOf(scenario, { gcore }), run, path: pathOfPage(workflowId) });
    } finally {
      await run.terminate().catch(() => undefined);
      await gcore.close();
    }
  });
}

describe('the page of a run that has succeeded', () => {
  it('shows its result, its input without secrets, its steps and what they waited for', () =>
    inScenario({ secretsPolicy: 'allow' }, async (scenario) => {
      const audit: AuditEntry[] = [];
      const app = gatewayOf(scenario, { audit: (entry) => audit.push(entry) });
      const { instance, ...rest } = provisionInput();
      const password = 'Clear-Text-7!';
      const run = await scenario.start('provisionInstance', {
        ...rest,
        instance: { ...instance, username: 'admin', password },
      });
      const { instanceId, addresses, taskIds } = await run.result();
      const path = pathOfPage(run.workflowId);

      const page = await read(app, path);
      const input = await read(app, `${path}/input.json`);

      for (const text of [
        instanceId,
        addresses[0]?.address ?? '',
        `watch task ${taskIds[0] ?? ''}`,
      ]) {
        expect(page).toContain(text);
      }
      expect(JSON.parse(input)).toMatchObject({ instance: { username: 'admin', password: '***' } });
      expect(page).toContain('admin');
      expect(page + input).not.toContain(password);
      expect(JSON.parse(await read(app, `${path}/result.json`))).toMatchObject({ instanceId });
      expect(audit.map(({ action }) => action)).toEqual(['result', 'input', 'input', 'result']);
    }));
});

describe('the page of a run without a worker', () => {
  it('says why and what to do, shows the input, and lets the run be cancelled', () =>
    whileUntaken('provisionInstance', provisionInput(), async ({ app, run, path }) => {
      const page = await textOf(app, path);

      expect(page).toContain('running provisionInstance');
      // Other tests may poll the queue of activities, which has the name of the account.
      expect(page).toMatch(/No worker polls the queues? /);
      expect(page).toContain('Next: start a worker');
      expect(page).toContain('&quot;name&quot;: &quot;web-1&quot;');
      expect(page).toContain('Cancel …');
      await run.terminate();
      const isTerminated = async () =>
        (await textOf(app, path)).includes('terminated provisionInstance');
      await until('the page says that it is terminated', isTerminated);
    }));

  it('decodes and shows little of what a stranger has sent, and links to the whole', () => {
    const items = [{ key: 'k', payload: { value: 'x'.repeat(1.9 * MIB) } }];
    return whileUntaken('modifyKvStore', { storeId: 1, items }, async ({ app, path }) => {
      const page = await read(app, path);
      const masked = await read(app, `${path}/input.json`);
      const whole = await read(app, `${path}/input.json?whole=true`);

      expect(page).toContain('The input has 1.9 MB: too much for a page.');
      expect(page.length).toBeLessThan(20_000);
      expect(JSON.parse(masked)).toEqual({
        storeId: 1,
        items: [{ key: 'k', payload: { value: '***' } }],
      });
      expect(JSON.parse(whole)).toMatchObject({ items });
    });
  });
});

describe('the page of an import whose videos failed', () => {
  it('has a table by class, files of the failed ones, and offers to retry them', () =>
    inScenario({}, async (scenario) => {
      const app = gatewayOf(scenario);
      const videos = [...manyVideos(3), video('bad', 'broken'), video('worse', 'broken')];
      const run = await scenario.start('importVideos', { videos });
      await run.result().catch((error: unknown) => error);
      const path = pathOfPage(run.workflowId);

      const page = await textOf(app, path);

      expect(page).toContain('Failed: ItemsFailed');
      expect(page).toContain('3 viewable, 2 failed');
      expect(page).toContain('encoding 2 Encoding has failed 4-5');
      expect(page).toContain('Retry failed …');
      const [head, ...rows] = (await read(app, `${path}/failed.csv`)).trim().split('\r\n');
      expect(head).toBe('line,id,outcome,class,text');
      expect(rows).toEqual([
        expect.stringMatching(/^4,\d+,failed,encoding,Encoding has failed$/),
        expect.stringMatching(/^5,\d+,failed,encoding,Encoding has failed$/),
      ]);
      expect((await read(app, `${path}/failed.jsonl`)).trim().split('\n')).toHaveLength(2);
      expect((await read(app, `${path}/report.jsonl`)).trim().split('\n')).toHaveLength(5);
    }));
});

describe('the page of a run that holds', () => {
  it.each([
    [true, 'protected', 'Protected until'],
    [false, 'waiting', 'Waits for the end of the hold'],
  ])('with "active": %j says that the address is %s', (active, phase, notice) =>
    inScenario({}, async (scenario) => {
      const app = gatewayOf(scenario);
      const gcore = gcoreOf(scenario);
      const run = await scenario.start('protectIp', protectInput({ holdFor: '2 hours', active }));
      const { workflowId } = run;
      await until(
        'it holds',
        async () => (await gcore.status(workflowId)).waiting?.for === 'the end of the hold',
      );

      const page = await textOf(app, pathOfPage(workflowId));
      await gcore.restore(workflowId);
      await run.result();

      expect(page).toContain(`${phase} protectIp`);
      expect(page).toContain(notice);
      expect(page.indexOf('Hold longer')).toBeLessThan(page.indexOf('Abort'));
      await until('the page shows the end', async () =>
        (await textOf(app, pathOfPage(workflowId))).includes('succeeded protectIp'),
      );
      const ended = await textOf(app, pathOfPage(workflowId));
      expect(ended.includes('the protection has ended')).toBe(active);
    }),
  );
});
