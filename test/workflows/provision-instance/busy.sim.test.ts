import { describe, expect, it } from '@jest/globals';

import { abortUpdate, resumeUpdate, statusQuery } from '../../../src/engine/core/messages.js';
import { callByHand } from '../../support/http/call-by-hand.js';
import { CREATE_PATH, provisionInput } from '../../support/inputs/provision-input.js';
import { failureOfRun } from '../../support/runs/run-failure.js';
import { inScenario } from '../../simulation/scenario.js';
import { untilBlocked } from '../../support/runs/until-blocked.js';
import { until } from '../../support/timing/until.js';
import { holdTaskReads } from '../../support/worlds/hold-task-reads.js';
const createCall = { method: 'POST', path: CREATE_PATH };
const BUSY = {
  kind: 'status',
  status: 409,
  body: { exception_class: 'ConflictError', message: 'The network is locked by task 4711' },
} as const;
const ALWAYS_BUSY = { match: { ...createCall, times: Infinity }, action: BUSY };

describe('a create call that the API turns away with 409', () => {
  it('blocks the run after ten times, says what the API said, and goes on after resume', () =>
    inScenario({ policy: { probeMs: 600_000 } }, async ({ start, simulator, mutations }) => {
      simulator.faults.add(ALWAYS_BUSY);
      const run = await start('provisionInstance', provisionInput());
      await untilBlocked(run, 'ResourceBusy');
      const { phase, blocked, steps, acceptsInput } = await run.query(statusQuery);
      const sentBefore = mutations().length;

      simulator.faults.clear();
      await run.executeUpdate(resumeUpdate, { args: [{}] });
      const { instanceId } = await run.result();

      expect([phase, steps[0]?.state, acceptsInput]).toEqual(['blocked', 'planned', true]);
      expect(blocked?.message).toMatch(/409 10 times in a row since \d{4}-.*locked by task 4711/);
      expect(blocked?.advice).toMatch(/what holds the resource.*`resume` tries.*`abort` ends/);
      expect(sentBefore).toBe(10);
      expect(mutations()).toHaveLength(11);
      expect(simulator.inventory().instances.map(({ id }) => id)).toEqual([instanceId]);
    }));

  it('goes on by itself once the API takes it, and looks before each try', () =>
    inScenario({ policy: { probeMs: 50 } }, async ({ start, simulator, mutations }) => {
      simulator.faults.add({ match: { ...createCall, times: 13 }, action: BUSY });

      const run = await start('provisionInstance', provisionInput());
      const { instanceId } = await run.result();

      const calls = simulator.requests.map(({ method, path }) => `${method} ${path}`);
      const creates = calls.flatMap((call, at) => (call === `POST ${CREATE_PATH}` ? [at] : []));
      expect(creates).toHaveLength(14);
      expect(creates.map((at) => calls[at - 1])).toEqual(
        creates.map(() => 'GET /cloud/v1/instances/1/1'),
      );
      expect(mutations()).toHaveLength(14);
      expect(simulator.inventory().instances.map(({ id }) => id)).toEqual([instanceId]);
    }));

  it('takes what somebody made meanwhile under the same marker, and sends nothing more', () =>
    inScenario({ policy: { probeMs: 600_000 } }, async (scenario) => {
      const { start, simulator, mutations, api } = scenario;
      simulator.faults.add(ALWAYS_BUSY);
      const run = await start('provisionInstance', provisionInput());
      await untilBlocked(run, 'ResourceBusy');
      simulator.faults.clear();
      await callByHand(api, `POST ${CREATE_PATH}`, {
        ...provisionInput().instance,
        tags: { 'workflow-request': `default/${run.workflowId}` },
      });

      await run.executeUpdate(resumeUpdate, { args: [{}] });
      const { instanceId } = await run.result();

      expect(mutations()).toHaveLength(11);
      expect(simulator.inventory().instances.map(({ id }) => id)).toEqual([instanceId]);
    }));

  it('is replaced by the call of a corrected input', () =>
    inScenario({ policy: { probeMs: 600_000 } }, async (scenario) => {
      const { start, simulator, account } = scenario;
      simulator.faults.add(ALWAYS_BUSY);
      const run = await start('provisionInstance', provisionInput());
      await untilBlocked(run, 'ResourceBusy');
      simulator.faults.clear();

      const input = { ...provisionInput({ flavor: 'g2-standard-4-8' }), account };
      await run.executeUpdate(resumeUpdate, { args: [{ input }] });
      const { flavor } = await run.result();

      expect(flavor).toBe('g2-standard-4-8');
      expect(simulator.inventory().instances).toHaveLength(1);
    }));

  it('fails the run with onBlocked "fail", as nothing was made', () =>
    inScenario({}, async ({ start, simulator, mutations }) => {
      simulator.faults.add(ALWAYS_BUSY);

      const run = await start('provisionInstance', provisionInput({}, { onBlocked: 'fail' }));
      const failed = await failureOfRun(run);

      expect(failed).toMatchObject({
        type: 'ResourceBusy',
        message: expect.stringContaining('locked by task 4711'),
        details: { resources: [], step: 'create instance', advice: expect.any(String) },
      });
      expect(failed.details.advice).not.toContain('resume');
      expect((await run.query(statusQuery)).steps[0]?.state).toBe('failed');
      expect(mutations()).toHaveLength(10);
    }));

  it('ends as aborted when an operator aborts the blocked run', () =>
    inScenario({ policy: { probeMs: 600_000 } }, async ({ start, simulator, mutations }) => {
      simulator.faults.add(ALWAYS_BUSY);
      const run = await start('provisionInstance', provisionInput());
      await untilBlocked(run, 'ResourceBusy');

      await run.executeUpdate(abortUpdate, { args: [{}] });

      expect((await failureOfRun(run)).type).toBe('Aborted');
      expect(mutations()).toHaveLength(10);
    }));

  it('does not count as blocked once the API has taken it', () =>
    inScenario({ policy: { probeMs: 50 } }, async ({ start, simulator }) => {
      simulator.faults.add({ match: { ...createCall, times: 11 }, action: BUSY });
      const release = holdTaskReads(simulator);
      const run = await start('provisionInstance', provisionInput());
      await until('the create was taken', async () => {
        const { steps } = await run.query(statusQuery);
        return (steps[0]?.taskIds.length ?? 0) > 0;
      });

      const { phase, blocked } = await run.query(statusQuery);
      release();
      await run.result();

      expect([phase, blocked]).toEqual(['waiting', undefined]);
    }));
});
