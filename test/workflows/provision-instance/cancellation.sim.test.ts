import { describe, expect, it } from '@jest/globals';
import type { WorkflowHandle } from '@temporalio/client';
import { CancelledFailure } from '@temporalio/common';

import { abortUpdate, statusQuery } from '../../../src/engine/core/messages.js';
import type { StatusDocument } from '../../../src/engine/schema/status-document.js';
import { CREATE_PATH, provisionInput } from '../../support/inputs/provision-input.js';
import { endOfRun } from '../../support/runs/run-failure.js';
import { inScenario } from '../../simulation/scenario.js';
import { until } from '../../support/timing/until.js';
const untilStatus = (
  run: WorkflowHandle,
  isWanted: (status: StatusDocument) => boolean,
): Promise<void> => until('the wanted status', async () => isWanted(await run.query(statusQuery)));

const stateOf = (status: StatusDocument, step: number): string | undefined =>
  status.steps[step]?.state;

const FAILED_REMOVAL = {
  match: { method: 'DELETE', path: /^\/cloud\/v1\/instances\// },
  action: { kind: 'task-error', error: 'internal error', leftovers: 'instance' },
} as const;

describe('a cancelled provisionInstance', () => {
  it('waits for its task, then removes the instance and its volume, and ends as cancelled', () =>
    inScenario({ speed: 20, record: 'cancelled' }, async ({ start, simulator }) => {
      const run = await start('provisionInstance', provisionInput());
      await untilStatus(run, (status) => stateOf(status, 0) === 'waiting');

      await run.cancel();
      const end = await endOfRun(run);

      expect(end).toBeInstanceOf(CancelledFailure);
      expect(simulator.inventory()).toMatchObject({ instances: [], volumes: [], floatingIps: [] });
      const status = await run.query(statusQuery);
      expect(status.phase).toBe('cancelled');
      expect(stateOf(status, 0)).toBe('undone');
      expect(status.steps.flatMap((step) => step.resources)).toEqual([]);
    }));

  it('shows no step as going on when it was aborted while a step waited', () =>
    inScenario({}, async ({ start, simulator }) => {
      const match = { method: 'GET', path: /^\/cloud\/v1\/instances\/1\/1\/./, times: Infinity };
      simulator.faults.add({ match, action: { kind: 'status', status: 503 } });
      const run = await start('provisionInstance', provisionInput());
      await untilStatus(run, (status) => stateOf(status, 1) === 'waiting');

      await run.executeUpdate(abortUpdate, { args: [{}] });
      simulator.faults.clear();
      await endOfRun(run);

      const { steps } = await run.query(statusQuery);
      expect(steps.map(({ name, state }) => [name, state])).toEqual([
        ['create instance', 'undone'],
        ['verify instance', 'failed'],
      ]);
      expect(steps[1]).toMatchObject({
        endedAt: expect.stringMatching(/Z$/),
        note: 'not done when the run began to undo its work',
      });
    }));

  it.each([
    ['', false],
    [' when the first removal of the instance fails after the removal of the address', true],
  ])('removes the floating IP that was made with the instance%s', (_, isFailing) =>
    inScenario({ speed: 20 }, async ({ start, simulator }) => {
      if (isFailing) simulator.faults.add(FAILED_REMOVAL);
      const network = '5b2bd9c2-4c5a-4f39-a4e4-5f4d8d2bb0aa';
      const input = provisionInput({
        interfaces: [{ type: 'any_subnet', network_id: network, floating_ip: { source: 'new' } }],
      });
      const run = await start('provisionInstance', input);
      await untilStatus(run, (status) => stateOf(status, 0) === 'waiting');

      await run.cancel();
      await endOfRun(run);

      expect(simulator.inventory()).toMatchObject({ instances: [], volumes: [], floatingIps: [] });
    }),
  );

  it('keeps its instance with onFailure "keep", and says so', () =>
    inScenario({ speed: 20 }, async ({ start, simulator }) => {
      const run = await start('provisionInstance', provisionInput({}, { onFailure: 'keep' }));
      await untilStatus(run, (status) => stateOf(status, 0) === 'waiting');

      await run.cancel();
      await endOfRun(run);

      expect(simulator.inventory().instances).toHaveLength(1);
      expect(stateOf(await run.query(statusQuery), 0)).toBe('kept');
    }));

  it('names only the kept create with onFailure "keep", not one that failed and was cleared away', () =>
    inScenario({ speed: 20, policy: { probeMs: 50 } }, async ({ start, simulator, mutations }) => {
      simulator.faults.add({
        match: { method: 'POST', path: CREATE_PATH },
        action: { kind: 'task-error', error: 'Quota limit exceeded', leftovers: 'instance' },
      });
      const creates = () => mutations().filter((call) => call === `POST ${CREATE_PATH}`).length;
      const run = await start('provisionInstance', provisionInput({}, { onFailure: 'keep' }));
      await until('the first create was cleared away', () => creates() === 2);
      await untilStatus(run, (status) => stateOf(status, 0) === 'waiting');
      const [sent] = (await run.query(statusQuery)).steps;

      await run.cancel();
      await endOfRun(run);

      const [kept] = (await run.query(statusQuery)).steps;
      expect(kept).toMatchObject({ state: 'kept', taskIds: sent?.taskIds });
      expect(kept?.resources).toContainEqual(expect.objectContaining({ kind: 'instance' }));
    }));

  it('sends nothing when it is cancelled before the create call', () =>
    inScenario({}, async ({ start, simulator, mutations }) => {
      simulator.faults.add({
        match: { method: 'GET', path: '/cloud/v1/instances/1/1' },
        action: { kind: 'status', status: 503, retryAfter: '1' },
      });
      const run = await start('provisionInstance', provisionInput());

      await run.cancel();
      await endOfRun(run);

      expect(mutations()).toEqual([]);
    }));

  it('looks for the instance of a lost answer before it reports a complete rollback', () =>
    inScenario({ policy: { reconcileGraceMs: 2_000 } }, async ({ start, simulator }) => {
      const createCall = { method: 'POST', path: CREATE_PATH };
      simulator.faults.add({ match: createCall, action: { kind: 'list-lag', ms: 500 } });
      simulator.faults.add({ match: createCall, action: { kind: 'drop-response' } });
      const run = await start('provisionInstance', provisionInput());
      await untilStatus(run, (status) => stateOf(status, 0) === 'outcome-unknown');

      await run.cancel();
      const end = await endOfRun(run);

      expect(end).toBeInstanceOf(CancelledFailure);
      expect(simulator.inventory()).toMatchObject({ instances: [], volumes: [] });
    }));

  it('keeps the instance that an earlier run of the request made', () =>
    inScenario({}, async ({ start, simulator }) => {
      const first = await start('provisionInstance', provisionInput(), 'cancelled-repeat');
      await first.result();
      simulator.faults.add({
        match: { method: 'GET', path: /^\/cloud\/v1\/instances\/1\/1\/.+/ },
        action: { kind: 'status', status: 503, retryAfter: '1' },
      });

      const second = await start('provisionInstance', provisionInput(), 'cancelled-repeat');
      await untilStatus(second, (status) => stateOf(status, 1) === 'waiting');
      await second.cancel();
      await endOfRun(second);

      expect(simulator.inventory().instances).toHaveLength(1);
    }));
});
