import { randomUUID } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';

import { createGcoreWorkflows, type GcoreWorkflows } from '../../../src/client/index.js';
import { statusQuery } from '../../../src/engine/core/messages.js';
import type { SimulatorState } from '../../../src/simulator/index.js';
import { PROFILES_PATH, protectInput } from '../../support/inputs/protect-input.js';
import { CREATE_PATH, provisionInput } from '../../support/inputs/provision-input.js';
import { inScenario, type Scenario } from '../../simulation/scenario.js';
import { beforeQuery } from '../../support/runs/meanwhile.js';
import { until } from '../../support/timing/until.js';
import { withSplitWorkers, type SplitWorkers } from '../../support/workers/split-workers.js';

const createCall = { method: 'POST', path: CREATE_PATH };
const QUOTA = {
  kind: 'status',
  status: 403,
  body: { exception_class: 'QuotaLimitExceed', message: 'Quota limit exceeded: cpu_count_limit' },
} as const;

const clientOf = ({ client, taskQueue }: Scenario, answerWithinMs = 5_000): GcoreWorkflows =>
  createGcoreWorkflows({ client, taskQueue, answerWithinMs });

function once(act: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) act();
    isDone = true;
  };
}

async function start(scenario: Scenario, phase: string): Promise<string> {
  const gcore = clientOf(scenario);
  const { workflowId } = await gcore.start('provisionInstance', {
    requestId: `order-${randomUUID()}`,
    input: { ...provisionInput(), account: scenario.account },
  });
  await until(`it is ${phase}`, async () => (await gcore.status(workflowId)).phase === phase);
  return workflowId;
}

describe('a run that a worker answers for', () => {
  it('is explained by its own status', () =>
    inScenario({ speed: 10 }, async (scenario) => {
      const gcore = clientOf(scenario);
      const workflowId = await start(scenario, 'waiting');

      const { paragraph, next, facts } = await gcore.explain(workflowId);

      const [task] = scenario.simulator.inventory().tasks;
      expect(paragraph).toContain(`The API is working for it on task ${task?.id}`);
      expect(paragraph).not.toContain('No worker');
      expect(next).toBe(`nothing to do; to follow it: gcore-workflows watch ${workflowId}`);
      expect(facts).toMatchObject({
        run: { operation: 'provisionInstance', account: scenario.account },
        status: { phase: 'waiting' },
      });
      await gcore.cancel(workflowId);
    }));

  it('is not mixed up with the next run of its request', () =>
    inScenario({ speed: 10, replays: false }, async (scenario) => {
      const { client, taskQueue, simulator } = scenario;
      const gcore = clientOf(scenario);
      const workflowId = await start(scenario, 'waiting');
      await client.workflow.getHandle(workflowId).terminate();
      const racing = beforeQuery(client, statusQuery.name, () => gcore.retry(workflowId));

      const { facts } = await createGcoreWorkflows({ client: racing, taskQueue }).explain(
        workflowId,
      );

      const [task] = simulator.inventory().tasks;
      expect(facts).toMatchObject({
        run: { state: 'TERMINATED' },
        status: { steps: [{ taskIds: [task?.id] }, {}] },
        ending: { kind: 'failed', type: 'TerminatedFailure' },
      });
      await gcore.result('provisionInstance', workflowId);
    }));

  it('names the cause of a block, and the start of a pause', () =>
    inScenario({}, async (scenario) => {
      scenario.simulator.faults.add({ match: { ...createCall, times: 9 }, action: QUOTA });
      const gcore = clientOf(scenario);
      const workflowId = await start(scenario, 'blocked');

      const blocked = await gcore.explain(workflowId);
      await gcore.pause(workflowId);
      const { facts } = await gcore.explain(workflowId);
      await gcore.abort(workflowId);

      expect(blocked.paragraph).toMatch(/It has been blocked as QuotaExceeded .*cpu_count_limit/);
      expect(blocked.facts.status?.acceptsInput).toBe(true);
      expect(blocked.next).toContain(`gcore-workflows resume ${workflowId} --input FILE`);
      expect(Date.parse(facts.past.pausedAt ?? '')).not.toBeNaN();
    }));

  it('offers no corrected input to a protection whose activation is blocked', () => {
    const seen: { activated: () => void } = { activated: () => undefined };
    const onChange = ({ ddosProfiles }: SimulatorState) => {
      if (ddosProfiles.some(({ active }) => active)) seen.activated();
    };
    return inScenario({ profileBirth: 'off', onChange }, async (scenario) => {
      // The first look after the activation proves everything that was sent.
      seen.activated = once(() => {
        scenario.simulator.faults.add({
          match: { method: 'GET', path: PROFILES_PATH, times: Infinity },
          action: { kind: 'status', status: 401 },
        });
      });
      const gcore = clientOf(scenario);
      const input = { ...protectInput(), account: scenario.account };
      const { workflowId } = await gcore.start('protectIp', { requestId: randomUUID(), input });
      await until(
        'it is blocked',
        async () => (await gcore.status(workflowId)).phase === 'blocked',
      );

      const { steps, acceptsInput } = await gcore.status(workflowId);
      const { next } = await gcore.explain(workflowId);
      const corrected = gcore.resume(workflowId, { operation: 'protectIp', input });

      await expect(corrected).rejects.toThrow('another input cannot change what it makes');
      expect(steps.map(({ state }) => state)).toEqual([
        ...['verified', 'verified'],
        ...['waiting', 'planned'],
      ]);
      expect(acceptsInput).toBe(false);
      expect(next).toContain(`gcore-workflows resume ${workflowId}, or`);
      expect(next).not.toContain('--input');
      scenario.simulator.faults.clear();
      await gcore.abort(workflowId);
    });
  });

  it('distinguishes an outage of the API from a slow task', () =>
    inScenario({ speed: 10 }, async (scenario) => {
      const gcore = clientOf(scenario);
      const outage = { kind: 'status', status: 503 } as const;
      scenario.simulator.faults.add({ match: { path: /./, times: Infinity }, action: outage });
      const { workflowId } = await gcore.start('provisionInstance', {
        requestId: `order-${randomUUID()}`,
        input: { ...provisionInput(), account: scenario.account },
      });

      await until('the outage is seen', async () => {
        const { paragraph } = await gcore.explain(workflowId);
        return paragraph.includes('the last time as ServiceUnavailable');
      });

      expect((await gcore.explain(workflowId)).next).toContain('when the API answers');
      await gcore.cancel(workflowId);
    }));
});

describe('a run whose worker has stopped', () => {
  const stop = ({ workflows, calls }: SplitWorkers) =>
    Promise.all([workflows.stop(), calls.stop()]);

  it('is explained by its history while it is open', () =>
    withSplitWorkers({ speed: 1, policy: { watcher: true } }, async (split) => {
      const workflowId = await start(split, 'waiting');
      const [task] = split.simulator.inventory().tasks;
      await stop(split);

      const { facts, paragraph, next } = await clientOf(split, 1_000).explain(workflowId);
      await split.client.workflow.getHandle(workflowId).terminate();

      expect(facts.status).toBeUndefined();
      expect(paragraph).toContain('read from its history');
      expect(paragraph).toContain(`The answers of the API named task ${task?.id}`);
      expect(paragraph).toContain('calls are running or scheduled: watchTask');
      expect(next).toContain('gcore-workflows worker');
    }));

  it('is explained equally well after it failed', () =>
    withSplitWorkers({}, async (split) => {
      split.simulator.faults.add({
        match: createCall,
        action: { kind: 'task-error', error: 'The host has burnt down.' },
      });
      const workflowId = await start(split, 'failed');
      await stop(split);

      const { facts, paragraph, next } = await clientOf(split, 1_000).explain(workflowId);

      expect(facts.status).toBeUndefined();
      expect(paragraph).toContain('as TaskFailed');
      expect(paragraph).toContain('The host has burnt down.');
      expect(next).toContain('gcore-workflows provision --file FILE --request-id order-');
    }));

  it('names the resources of a successful run', () =>
    withSplitWorkers({}, async (split) => {
      const workflowId = await start(split, 'succeeded');
      const gcore = clientOf(split, 1_000);
      const { instanceId } = await gcore.result('provisionInstance', workflowId);
      await stop(split);

      const { paragraph } = await gcore.explain(workflowId);

      expect(paragraph).toContain(`exist and are verified: instance ${instanceId}`);
    }));
});

describe('a terminated run', () => {
  it('is explained with who terminated it, why, and what it left', () =>
    inScenario({ speed: 1, replays: false }, async (scenario) => {
      const workflowId = await start(scenario, 'waiting');
      await scenario.client.workflow.getHandle(workflowId).terminate('wrong button');

      const { paragraph } = await clientOf(scenario).explain(workflowId);

      const [task] = scenario.simulator.inventory().tasks;
      expect(paragraph).toContain('(wrong button)');
      expect(paragraph).toContain(`These tasks and resources are known: task ${task?.id}`);
      expect(paragraph).toContain(`workflow-request = default/${workflowId}`);
    }));
});

describe('a run that no worker can continue', () => {
  it('is explained with the error of the workers', () =>
    inScenario({ replays: false }, async (scenario) => {
      const run = await scenario.startRaw('provisionInstanceOfTomorrow', [{}]);
      const gcore = clientOf(scenario, 1_000);

      await until('it has failed twice', async () => {
        const { facts } = await gcore.explain(run.workflowId);
        return (
          (facts.workflowTask?.attempt ?? 1) > 1 && facts.past.workflowTaskFailure !== undefined
        );
      });
      const { paragraph, next } = await gcore.explain(run.workflowId);
      await run.terminate();

      expect(paragraph).toMatch(/its workflow task fails with ".*provisionInstanceOfTomorrow/);
      expect(next).toContain('run a worker of the version');
    }));
});

describe('an unknown run', () => {
  it('is explained too', () =>
    inScenario({}, async (scenario) => {
      const { paragraph, facts } = await clientOf(scenario).explain('nobody');

      expect(paragraph).toContain('There is no run "nobody" in the namespace "default"');
      expect(facts.run).toBeUndefined();
    }));
});
