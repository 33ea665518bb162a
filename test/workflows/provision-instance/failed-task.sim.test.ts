import { describe, expect, it } from '@jest/globals';

import { statusQuery } from '../../../src/engine/core/messages.js';
import { CREATE_PATH, provisionInput } from '../../support/inputs/provision-input.js';
import { failureOfRun } from '../../support/runs/run-failure.js';
import { inScenario } from '../../simulation/scenario.js';
import { until } from '../../support/timing/until.js';
const GRACE_MS = 20_000;
const policy = { reconcileGraceMs: GRACE_MS };
const createCall = { method: 'POST', path: CREATE_PATH };
const fails = (leftovers: 'none' | 'instance' | 'volume' | 'apart') =>
  ({
    match: createCall,
    action: { kind: 'task-error', error: 'internal error', leftovers },
  }) as const;

describe('a create task that ends in ERROR', () => {
  it('shows its failure in the status while the run still looks for what it has left', () =>
    inScenario({ policy: { reconcileGraceMs: 5_000 } }, async ({ start, simulator }) => {
      simulator.faults.add(fails('none'));
      const run = await start('provisionInstance', provisionInput());

      await until('the rollback has begun', async () => {
        const { phase } = await run.query(statusQuery);
        return phase === 'rolling-back';
      });
      const { failure, phase } = await run.query(statusQuery);

      expect(phase).toBe('rolling-back');
      expect(failure).toMatchObject({ type: 'TaskFailed', step: 'create instance' });
      expect(failure?.message).toContain('ended in ERROR: internal error');
      await failureOfRun(run);
      expect((await run.query(statusQuery)).failure).toEqual(failure);
    }));

  it('shows its failure while the run clears up before its next try', () =>
    inScenario({ policy: { reconcileGraceMs: 3_000 } }, async ({ start, simulator }) => {
      simulator.faults.add({
        match: createCall,
        action: { kind: 'task-error', error: 'Quota limit for cpu exceeded', leftovers: 'none' },
      });
      const run = await start('provisionInstance', provisionInput());

      await until('the failure shows', async () => {
        const { failure, phase } = await run.query(statusQuery);
        return failure?.type === 'QuotaExceeded' && phase === 'waiting';
      });
      await until('the run is blocked', async () => {
        const { failure, phase } = await run.query(statusQuery);
        return failure === undefined && phase === 'blocked';
      });
      await run.cancel();
      await expect(run.result()).rejects.toThrow();
    }));

  it('is undone at once when everything that it can have made shows', () =>
    inScenario({ policy }, async ({ start, simulator }) => {
      simulator.faults.add(fails('instance'));
      const begun = Date.now();

      const { details } = await failureOfRun(await start('provisionInstance', provisionInput()));

      const { instances, volumes } = simulator.inventory();
      expect([instances, volumes, details.resources]).toEqual([[], [], []]);
      expect(Date.now() - begun).toBeLessThan(GRACE_MS);
    }));

  it.each(['volume', 'apart'] as const)(
    'is undone at once when it names what it has left: %s',
    (left) =>
      inScenario({ policy, namesLeftovers: true }, async ({ start, simulator }) => {
        simulator.faults.add(fails(left));
        const begun = Date.now();

        const { details } = await failureOfRun(await start('provisionInstance', provisionInput()));

        const { instances, volumes } = simulator.inventory();
        expect([instances, volumes, details.resources]).toEqual([[], [], []]);
        expect(Date.now() - begun).toBeLessThan(GRACE_MS);
      }),
  );

  it('is looked after through the grace time when a part of it does not show', () =>
    inScenario({ policy: { reconcileGraceMs: 4_000 } }, async ({ start, simulator }) => {
      simulator.faults.add(fails('volume'));
      simulator.faults.add({ match: createCall, action: { kind: 'list-lag', ms: 3_000 } });

      const { details } = await failureOfRun(await start('provisionInstance', provisionInput()));

      expect([simulator.inventory().volumes, details.resources]).toEqual([[], []]);
    }));

  it('is looked after although its volume shows: its instance may exist apart from it', () =>
    inScenario({ policy: { reconcileGraceMs: 8_000 } }, async ({ start, simulator }) => {
      simulator.faults.add(fails('apart'));
      // The list lags. Until then every answer is as if only the volume had been left.
      simulator.faults.add({
        match: { method: 'GET', path: '/cloud/v1/instances/1/1', times: Infinity },
        action: { kind: 'status', status: 200, body: { count: 0, results: [] } },
      });
      const run = await start('provisionInstance', provisionInput());
      await until('the run looks again and knows the volume', async () => {
        const { waiting, steps } = await run.query(statusQuery);
        const kinds = steps[0]?.resources.map(({ kind }) => kind) ?? [];
        return waiting?.for.startsWith('what a failed create') === true && kinds[0] === 'volume';
      });

      simulator.faults.clear();
      const { details } = await failureOfRun(run);

      const { instances, volumes } = simulator.inventory();
      expect([instances, volumes, details.resources]).toEqual([[], [], []]);
    }));

  it('is looked after through the grace time from its end, however long it took', () =>
    // The task takes longer than the grace time, and the lists lag by less than that.
    inScenario({ speed: 5, policy: { reconcileGraceMs: 2_900 } }, async ({ start, simulator }) => {
      simulator.faults.add(fails('volume'));
      simulator.faults.add({ match: createCall, action: { kind: 'list-lag', ms: 5_950 } });

      await failureOfRun(await start('provisionInstance', provisionInput()));

      expect(simulator.inventory().volumes).toEqual([]);
    }));
});
