import { randomUUID } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';

import type { Metric } from '../../src/engine/core/metrics.js';
import { WORKER_METRICS } from '../../src/contract/metrics.js';
import { WORKFLOW_METRICS } from '../../src/contract/wire/product.js';
import { provisionInput } from '../support/inputs/provision-input.js';
import { API_KEY, inObservedWorld, type ObservedWorld } from '../support/observe/observed-world.js';
import { expectTable } from '../support/observe/expect-table.js';
import { scrape } from '../support/observe/scrape.js';
import { until } from '../support/timing/until.js';
import { CREATION } from '../support/worlds/simulated-cloud.js';
import { KEYS_PATH } from '../support/worlds/ssh-keys.js';

/** The SDK adds them to what workflow code tells. */
const OF_SDK = ['namespace', 'taskQueue', 'workflowType'];

/** Makes every metric of the tables move. */
async function liveThroughEverything({ gcore, simulator, webhooks }: ObservedWorld): Promise<void> {
  const notify = [{ url: webhooks.url, secretName: 'test' }];
  const requestIds = Array.from({ length: 9 }, () => randomUUID());
  const start = (input: Parameters<typeof provisionInput>[0], rest = {}) =>
    gcore.start('provisionInstance', {
      requestId: requestIds.pop() ?? '',
      input: { ...provisionInput(input), ...rest },
    });

  // Its answer is lost, and its receiver wants no more.
  webhooks.answerWith(410);
  simulator.faults.add({ match: CREATION, action: { kind: 'drop-response' } });
  const lost = await start({ name: 'lost' }, { notify });
  await gcore.result('provisionInstance', lost.workflowId);
  await until('the receiver was asked', () => webhooks.tries.length > 0);
  webhooks.answerWith(204);

  // A person must act.
  simulator.faults.add({
    match: CREATION,
    action: {
      kind: 'status',
      status: 403,
      body: { exception_class: 'QuotaLimitExceed', message: 'quota' },
    },
  });
  const blocked = await start({ name: 'blocked' });
  await until('blocked', async () => (await gcore.status(blocked.workflowId)).phase === 'blocked');
  await gcore.resume(blocked.workflowId);
  const { instanceId } = await gcore.result('provisionInstance', blocked.workflowId);
  const deletion = await gcore.start('deleteInstance', {
    requestId: requestIds.pop() ?? '',
    input: { projectId: 1, regionId: 1, instanceId, volumes: 'delete', floatingIps: 'delete' },
  });
  await gcore.result('deleteInstance', deletion.workflowId);

  // Fails, and leaves what it has made.
  simulator.faults.add({
    match: CREATION,
    action: { kind: 'task-error', error: 'broken', leftovers: 'instance' },
  });
  const kept = await start({ name: 'kept' }, { onFailure: 'keep' });
  await gcore.result('provisionInstance', kept.workflowId).catch(() => undefined);

  // The area does not answer: a breaker opens.
  simulator.faults.add({
    match: { path: KEYS_PATH },
    action: { kind: 'status', status: 503 },
  });
  simulator.faults.add({
    match: { path: KEYS_PATH, nth: 1, times: 8 },
    action: { kind: 'status', status: 503 },
  });
  const lists = await Promise.all(
    Array.from({ length: 8 }, () =>
      gcore.start('listSshKeys', { requestId: randomUUID(), input: {} }),
    ),
  );
  await Promise.all(lists.map(({ workflowId }) => gcore.result('listSshKeys', workflowId)));
}

/** The counters of the ended runs of `provisionInstance` by their ends. */
async function endedRuns(url: string): Promise<Record<string, number>> {
  const { samples } = await scrape(url);
  const own = samples.filter(
    ({ name, labels }) =>
      name === 'gcore_runs_ended_total' && labels['operation'] === 'provisionInstance',
  );
  const counters = own.map(({ labels: { phase, failure_type: type }, value }) => ({
    end: `${phase} ${type}`,
    value,
  }));
  expect(new Set(counters.map(({ end }) => end)).size).toBe(counters.length);
  return Object.fromEntries(counters.map(({ end, value }) => [end, value]));
}

describe('a worker that can be seen', () => {
  it('serves each metric of the tables and no other, without an id in a label', () =>
    inObservedWorld(async (world) => {
      const { metricsUrl } = world;
      // A counter that begins at 1 has not increased for Prometheus.
      expect(Object.values(await endedRuns(metricsUrl))).not.toContain(1);
      expect(await endedRuns(metricsUrl)).toMatchObject({
        'succeeded none': 0,
        'failed TaskFailed': 0,
      });
      await liveThroughEverything(world);
      const all: Metric[] = [...Object.values(WORKER_METRICS), ...Object.values(WORKFLOW_METRICS)];
      const missing = async () => {
        const { types } = await scrape(metricsUrl);
        return all.map(({ name }) => name).filter((name) => !types.has(name));
      };
      await until('every metric is there', async () => (await missing()).length === 0);

      const { types, samples, text } = await scrape(metricsUrl);
      expect(await endedRuns(metricsUrl)).toMatchObject({
        'succeeded none': 2,
        'failed TaskFailed': 1,
      });

      const ours = [...types].filter(([name]) => name.startsWith('gcore_'));
      expect(Object.fromEntries(ours)).toEqual(
        Object.fromEntries(all.map(({ name, kind }) => [name, kind])),
      );
      expectTable(samples, WORKER_METRICS, []);
      expectTable(samples, WORKFLOW_METRICS, OF_SDK);
      expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
      expect(text).not.toContain(API_KEY.slice(5));
      expect(samples.length).toBeLessThan(3_000);
    }));
});
