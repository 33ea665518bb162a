import { describe, expect, it } from '@jest/globals';

import { statusQuery } from '../../../src/engine/core/messages.js';
import { CREATE_PATH, provisionInput } from '../../support/inputs/provision-input.js';
import { failureOfRun } from '../../support/runs/run-failure.js';
import { inScenario, type Scenario } from '../../simulation/scenario.js';
import { until } from '../../support/timing/until.js';
const createCall = { method: 'POST', path: CREATE_PATH };
const GRACE_MS = 20_000;
const LOST = { match: createCall, action: { kind: 'drop-response' } } as const;
/** The list of tasks shows the call before its instance is listed. */
const lag = (ms: number) =>
  ({ match: createCall, action: { kind: 'list-lag', ms, tasksAtOnce: true } }) as const;

function fails(error: string, leftovers: 'none' | 'instance') {
  return { match: createCall, action: { kind: 'task-error', error, leftovers } } as const;
}

/** Milliseconds between the end of the failed task and the failure in the status of the run. */
async function noticedAfter({ simulator }: Scenario, isShown: () => Promise<boolean>) {
  await until('the task has failed', () => simulator.inventory().tasks[0]?.state === 'ERROR');
  const endedAt = Date.now();
  await until('the failure shows', isShown);
  return Date.now() - endedAt;
}

describe('a create call whose answer is lost and whose task ends in ERROR', () => {
  it('fails the run at once when the task repeats the tags of the call', () =>
    inScenario({ echoTags: true, policy: { reconcileGraceMs: GRACE_MS } }, async (scenario) => {
      const { start, simulator, mutations } = scenario;
      const rules = [fails('internal error', 'none'), LOST, lag(60_000)];
      for (const rule of rules) simulator.faults.add(rule);
      const run = await start('provisionInstance', provisionInput());

      const ms = await noticedAfter(scenario, async () => {
        const { failure } = await run.query(statusQuery);
        return failure?.message.includes('ended in ERROR: internal error') === true;
      });

      expect(ms).toBeLessThan(GRACE_MS / 2);
      expect(mutations()).toEqual([`POST ${CREATE_PATH}`]);
      await run.terminate('the rest is that of any failed task');
    }));

  it('ends the run without the grace time when all that it has left shows', () =>
    inScenario({ echoTags: true, policy: { reconcileGraceMs: GRACE_MS } }, async (scenario) => {
      const { start, simulator } = scenario;
      const rules = [fails('internal error', 'instance'), LOST, lag(1_000)];
      for (const rule of rules) simulator.faults.add(rule);
      const begun = Date.now();

      const { type } = await failureOfRun(await start('provisionInstance', provisionInput()));

      const { instances, volumes } = simulator.inventory();
      expect([type, instances, volumes]).toEqual(['TaskFailed', [], []]);
      expect(Date.now() - begun).toBeLessThan(GRACE_MS);
    }));

  it('is waited for through the grace time when the task does not repeat the tags', () =>
    inScenario({ policy: { reconcileGraceMs: 2_000 } }, async (scenario) => {
      const { start, simulator, mutations } = scenario;
      const rules = [fails('internal error', 'none'), LOST, lag(60_000)];
      for (const rule of rules) simulator.faults.add(rule);
      const begun = Date.now();

      const { instanceId } = await (await start('provisionInstance', provisionInput())).result();

      expect(simulator.inventory().instances.map(({ id }) => id)).toEqual([instanceId]);
      expect(mutations()).toHaveLength(2);
      expect(Date.now() - begun).toBeGreaterThan(2_000);
    }));

  it('does not take an earlier task of the run for the lost call', () =>
    inScenario({ echoTags: true, policy: { reconcileGraceMs: 2_000 } }, async (scenario) => {
      const { start, simulator, mutations } = scenario;
      simulator.faults.add(fails('Quota limit for cpu exceeded', 'none'));
      simulator.faults.add({ match: { ...createCall, nth: 2 }, action: { kind: 'drop-request' } });
      const run = await start('provisionInstance', provisionInput());
      await until('the run is blocked', async () => {
        return (await run.query(statusQuery)).phase === 'blocked';
      });
      await run.executeUpdate('resume');

      const { instanceId } = await run.result();

      expect(simulator.inventory().instances.map(({ id }) => id)).toEqual([instanceId]);
      expect(mutations()).toHaveLength(3);
    }));
});

describe('a create call that the API never answers', () => {
  it('waits longer between the searches than each of them takes, so that no history is filled', () =>
    inScenario({ policy: { reconcileGraceMs: 200 } }, async ({ start, simulator }) => {
      const match = { ...createCall, times: Infinity };
      simulator.faults.add({ match, action: { kind: 'status', status: 503 } });
      const run = await start('provisionInstance', provisionInput());

      await until('it waits before it sends again', async () => {
        const { steps, waiting } = await run.query(statusQuery);
        return steps[0]?.state === 'outcome-unknown' && waiting?.for === 'the API to take the call';
      });

      expect(simulator.requests.filter(({ method }) => method === 'POST').length).toBeGreaterThan(
        1,
      );
      await run.terminate('seen');
    }));
});
