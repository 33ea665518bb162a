import { randomUUID } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';
import type { WorkflowHandle } from '@temporalio/client';

import { createGate } from '../../support/timing/gate.js';
import { ACTION, PORTS } from '../../support/inputs/protect-input.js';
import { provisionInput } from '../../support/inputs/provision-input.js';
import { resetRun, type ResetPoint } from '../../support/runs/reset-run.js';
import { callByHand } from '../../support/http/call-by-hand.js';
import { untilBlocked } from '../../support/runs/until-blocked.js';
import { endOfRun, failureOfRun } from '../../support/runs/run-failure.js';
import { inScenario, type Scenario } from '../../simulation/scenario.js';
import { until } from '../../support/timing/until.js';
const INPUT = provisionInput({}, { protect: { profile_template: 12, fields: [PORTS] } });
const SWITCH = { method: 'POST', path: ACTION };

/** Starts a run, and resets it while the run that protects its address waits for an answer. */
async function resetWhileProtecting(scenario: Scenario, point: ResetPoint) {
  const { start, simulator, client } = scenario;
  const gate = createGate();
  simulator.faults.add({
    match: { ...SWITCH, times: 1 },
    action: { kind: 'delay', until: gate.opened },
  });
  const run = await start('provisionInstance', INPUT);
  await until('the activation is sent', () =>
    simulator.inFlight().some(({ path }) => ACTION.test(path)),
  );
  const again = await resetRun(client, run, point);
  const child = client.workflow.getHandle(`${run.workflowId}/protect`);
  return { again, child, gate };
}

async function isCancelAsked(run: WorkflowHandle): Promise<boolean> {
  const { events } = await run.fetchHistory();
  return (events ?? []).some((event) => event.workflowExecutionCancelRequestedEventAttributes);
}

describe('provisionInstance with protect, reset while it protects', () => {
  it('cancels the protecting run, and removes the profile before the instance', () =>
    inScenario({ profileBirth: 'off', replays: false }, async (scenario) => {
      const { again, child, gate } = await resetWhileProtecting(scenario, 'the last workflow task');

      await again.cancel();
      await until('the protecting run is asked to cancel', () => isCancelAsked(child));
      gate.open();

      expect(await endOfRun(again)).toHaveProperty('name', 'CancelledFailure');
      expect((await child.describe()).status.name).toBe('CANCELLED');
      const left = { instances: [], ddosProfiles: [], volumes: [] };
      expect(scenario.simulator.inventory()).toMatchObject(left);
    }));

  it('takes the result of the protecting run', () =>
    inScenario({ profileBirth: 'off', replays: false }, async (scenario) => {
      const { again, gate } = await resetWhileProtecting(scenario, 'the last workflow task');

      gate.open();

      await expect(again.result()).resolves.toMatchObject({ protection: { active: true } });
    }));

  it('asks the protecting run from before the reset to undo its work, and starts another one', () =>
    inScenario({ profileBirth: 'off', replays: false }, async (scenario) => {
      const { again, child, gate } = await resetWhileProtecting(scenario, {
        sending: 'createInstance',
      });
      const { runId } = await child.describe();
      const orphan = scenario.client.workflow.getHandle(child.workflowId, runId);
      await until('it is asked', async () => {
        const { events } = await orphan.fetchHistory();
        const asked = events?.some((one) => one.workflowExecutionCancelRequestedEventAttributes);
        return asked === true;
      });

      gate.open();

      await expect(again.result()).resolves.toMatchObject({ protection: { active: true } });
      expect((await orphan.describe()).status.name).toBe('CANCELLED');
    }));

  it('asks it so too when it is cancelled before it comes to that step', () =>
    inScenario({ profileBirth: 'off', replays: false }, async (scenario) => {
      const { again, child, gate } = await resetWhileProtecting(
        scenario,
        'the first workflow task',
      );

      await again.cancel();
      await endOfRun(again);
      gate.open();
      await endOfRun(child);

      expect((await child.describe()).status.name).toBe('CANCELLED');
      expect(scenario.simulator.inventory().ddosProfiles).toEqual([]);
    }));
});

/** Longer than what the run has read of its instance is new. */
const untilOld = () => new Promise((resolve) => setTimeout(resolve, 10_000));

/** Resets a run to the task that has started its child. */
async function resetToChild({ client }: Scenario, run: WorkflowHandle): Promise<WorkflowHandle> {
  const { workflowId } = run;
  const { events } = await run.fetchHistory();
  const [started] = (events ?? []).flatMap(
    (event) => event.startChildWorkflowExecutionInitiatedEventAttributes ?? [],
  );
  const { runId } = await client.workflowService.resetWorkflowExecution({
    namespace: client.options.namespace,
    workflowExecution: { workflowId, runId: (await run.describe()).runId },
    reason: 'by an operator',
    requestId: randomUUID(),
    workflowTaskFinishEventId: started?.workflowTaskCompletedEventId ?? null,
  });
  return client.workflow.getHandle(workflowId, runId);
}

describe('provisionInstance with protect, whose instance is gone', () => {
  it('protects nothing after a reset to that step: the run before has undone its work', () =>
    inScenario({ replays: false }, async (scenario) => {
      const { start, simulator } = scenario;
      simulator.faults.add({
        match: { method: 'POST', path: /ddos\/profiles/ },
        action: { kind: 'task-error', error: 'no' },
      });
      const run = await start('provisionInstance', INPUT);
      await failureOfRun(run);
      await untilOld();

      const again = await resetToChild(scenario, run);

      await untilBlocked(again, 'OutcomeUnknown');
      expect(simulator.inventory()).toMatchObject({ instances: [], ddosProfiles: [] });
      await again.terminate();
    }));

  it('does not succeed when somebody has deleted it while its address was being protected', () =>
    inScenario({ profileBirth: 'off', timeoutMs: 20_000 }, async ({ api, start, simulator }) => {
      const gate = createGate();
      simulator.faults.add({ match: SWITCH, action: { kind: 'delay', until: gate.opened } });
      const run = await start('provisionInstance', INPUT);
      await until('the activation is sent', () =>
        simulator.inFlight().some(({ path }) => ACTION.test(path)),
      );
      const [made] = simulator.inventory().instances;
      await callByHand(api, `DELETE /cloud/v1/instances/1/1/${made?.id ?? ''}`);
      await untilOld();
      gate.open();

      await untilBlocked(run, 'OutcomeUnknown');
      await run.terminate();
    }));
});
