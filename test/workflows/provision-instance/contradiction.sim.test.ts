import { describe, expect, it } from '@jest/globals';

import {
  abortUpdate,
  pauseUpdate,
  resumeUpdate,
  statusQuery,
} from '../../../src/engine/core/messages.js';
import { CREATE_PATH, provisionInput } from '../../support/inputs/provision-input.js';
import { failureOfRun } from '../../support/runs/run-failure.js';
import { inScenario, type Scenario } from '../../simulation/scenario.js';
import { untilBlocked } from '../../support/runs/until-blocked.js';
import { until } from '../../support/timing/until.js';
import { pass } from '../../support/timing/pass.js';

const createCall = { method: 'POST', path: CREATE_PATH };

describe('a run whose evidence contradicts itself', () => {
  async function startContradicted(scenario: Scenario) {
    const { start, simulator, api } = scenario;
    // Somebody repeats the call by hand before the first lookup after the lost answer succeeds.
    simulator.faults.add({
      match: { method: 'GET', path: '/cloud/v1/instances/1/1', nth: 3 },
      action: { kind: 'status', status: 503, retryAfter: '1' },
    });
    simulator.faults.add({ match: createCall, action: { kind: 'drop-response' } });
    const run = await start('provisionInstance', provisionInput());
    await until('the call has been made', () => simulator.inventory().instances.length === 1);
    const { instance } = provisionInput();
    const tags = { 'workflow-request': `default/${run.workflowId}` };
    const headers = {
      authorization: `apikey ${api.apiKey}`,
      'content-type': 'application/json',
    };
    await fetch(`${api.baseUrl}${CREATE_PATH}`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ ...instance, tags }),
    });
    await untilBlocked(run, 'OutcomeUnknown');
    return { run, headers };
  }

  it('continues once a person has removed the second instance', () =>
    inScenario({ policy: { probeMs: 100 } }, async (scenario) => {
      const { run, headers } = await startContradicted(scenario);
      const [first, second] = scenario.simulator.inventory().instances;

      const path = `/cloud/v1/instances/1/1/${first?.id ?? ''}`;
      await fetch(`${scenario.api.baseUrl}${path}`, { method: 'DELETE', headers });
      const { instanceId } = await run.result();

      expect(instanceId).toBe(second?.id);
    }));

  it('removes neither instance when it is aborted, and names both', () =>
    inScenario({}, async (scenario) => {
      const { run } = await startContradicted(scenario);
      const ids = scenario.simulator.inventory().instances.map(({ id }) => id);

      await run.executeUpdate(abortUpdate, { args: [{}] });
      const failed = await failureOfRun(run);

      expect(failed.type).toBe('Aborted');
      expect(scenario.simulator.inventory().instances.map(({ id }) => id)).toEqual(ids);
      for (const id of ids) {
        expect(failed.details.resources).toContainEqual({ kind: 'instance', id });
      }
    }));
});

describe('an accepted create call whose task the API has forgotten', () => {
  const forgotten = {
    match: { method: 'GET', path: /^\/cloud\/v1\/tasks/, times: Infinity },
    action: { kind: 'status', status: 404, body: { exception_class: 'NotFoundError' } },
  } as const;

  it('is not sent again, and blocks the run until the lists show the instance', () =>
    inScenario(
      { policy: { probeMs: 50, reconcileGraceMs: 50, traceTasks: false } },
      async ({ start, simulator, mutations }) => {
        simulator.faults.add(forgotten);
        simulator.faults.add({ match: createCall, action: { kind: 'list-lag', ms: 8_000 } });
        const run = await start('provisionInstance', provisionInput());
        await untilBlocked(run, 'OutcomeUnknown');

        const { instanceId } = await run.result();

        expect(simulator.inventory().instances.map(({ id }) => id)).toEqual([instanceId]);
        expect(mutations()).toHaveLength(1);
      },
    ));
});

describe('a create call that the API accepts without a task and without an effect', () => {
  const NO_TASK = { kind: 'status', status: 200, body: { tasks: [] } } as const;
  const policy = { probeMs: 50, reconcileGraceMs: 200 };

  /** Probes have looked so often since the run was blocked. */
  async function untilProbed({ simulator }: Scenario, looks: number): Promise<void> {
    const before = simulator.requests.length;
    await until('it has looked again', () => simulator.requests.length >= before + looks);
  }

  it('is not sent again before a person resumes the run', () =>
    inScenario({ policy }, async (scenario) => {
      const { start, simulator, mutations } = scenario;
      simulator.faults.add({ match: createCall, action: NO_TASK });
      const run = await start('provisionInstance', provisionInput());
      await untilBlocked(run, 'OutcomeUnknown');
      const { blocked } = await run.query(statusQuery);
      await untilProbed(scenario, 20);
      const sentByItself = mutations();

      await run.executeUpdate(resumeUpdate, { args: [{}] });
      const { instanceId } = await run.result();

      expect(blocked?.message).toContain('without naming a task');
      expect(blocked?.advice).toMatch(/`resume` sends.*`abort` ends the run\.$/);
      expect(sentByItself).toHaveLength(1);
      expect(mutations()).toHaveLength(2);
      expect(simulator.inventory().instances.map(({ id }) => id)).toEqual([instanceId]);
    }));

  it.each([
    ['that is meant for many runs', [{ ofMany: true }], false],
    ['that ends a pause', [{}], true],
  ] as const)('is not sent again for a resume %s', (_, args, isPaused) =>
    inScenario({ policy }, async (scenario) => {
      const { start, simulator, mutations } = scenario;
      simulator.faults.add({ match: createCall, action: NO_TASK });
      const run = await start('provisionInstance', provisionInput());
      await untilBlocked(run, 'OutcomeUnknown');
      if (isPaused) await run.executeUpdate(pauseUpdate);

      await run.executeUpdate(resumeUpdate, { args: [...args] });
      await untilProbed(scenario, 20);

      expect(mutations()).toHaveLength(1);
      await run.executeUpdate(resumeUpdate, { args: [{}] });
      await run.result();
      expect(mutations()).toHaveLength(2);
    }),
  );

  it('is looked for through the grace time once, and twice whenever the blocked run tries again', () =>
    inScenario({ policy: { reconcileGraceMs: 120_000, probeMs: 600_000 } }, async (scenario) => {
      const { start, simulator } = scenario;
      simulator.faults.add({ match: createCall, action: NO_TASK });
      const run = await start('provisionInstance', provisionInput());
      await untilBlocked(run, 'OutcomeUnknown');
      const looks = (): number =>
        simulator.requests.filter(({ query }) => query['task_type']?.[0] === 'create_vm').length;
      const before = looks();

      await pass(660_000);

      expect(looks() - before).toBe(2);
      await run.executeUpdate(resumeUpdate, { args: [{}] });
      await run.result();
    }));

  it('is not sent again for a resume that came before the run was blocked', () =>
    inScenario({ policy: { ...policy, reconcileGraceMs: 3_000 } }, async (scenario) => {
      const { start, simulator, mutations } = scenario;
      simulator.faults.add({ match: createCall, action: NO_TASK });
      const run = await start('provisionInstance', provisionInput());
      await until('the call was sent', () => mutations().length === 1);
      await run.executeUpdate(pauseUpdate);
      await run.executeUpdate(resumeUpdate, { args: [{}] });
      await untilBlocked(run, 'OutcomeUnknown');

      await untilProbed(scenario, 10);
      await run.executeUpdate(abortUpdate, { args: [{}] });

      expect((await failureOfRun(run)).type).toBe('Aborted');
      expect(mutations()).toHaveLength(1);
      expect(simulator.inventory().instances).toHaveLength(0);
    }));
});
