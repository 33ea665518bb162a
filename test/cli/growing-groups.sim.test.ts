import { describe, expect, it } from '@jest/globals';

import { WorkflowExecutionStatus } from '../simulation/temporal/base/proto.js';
import { inWorld } from '../simulation/in-world.js';
import { runCommand, runCommandWith } from '../simulation/world/command-line.js';
import type { World } from '../simulation/world/world.js';
import { until } from '../support/timing/until.js';
import type { Captured } from '../support/cli/run-captured.js';
import { replaceInput } from '../support/operations/replace-instance.js';
import {
  floatingIpOf,
  instanceIdOf,
  portOf,
  stateWithInstances,
} from '../support/worlds/instances.js';
import { idsFrom } from '../support/worlds/ssh-keys.js';
import { pass } from '../support/timing/pass.js';

const COUNT = 60;
const AT_ONCE = 15;
const STATE = stateWithInstances(idsFrom(1, COUNT).map((of) => ({ of })));
const BATCH = 'run-batch/default/night';

/** Each of its items takes some seconds, and the next one begins at once. */
async function startBatch({ gcore }: World): Promise<void> {
  const items = idsFrom(1, COUNT).map((of) => ({ instanceId: instanceIdOf(of), action: 'stop' }));
  const defaults = { projectId: 1, regionId: 1 };
  const input = { operation: 'setInstancePower', items, defaults, atOnce: AT_ONCE } as const;
  await gcore.start('runBatch', { requestId: 'night', input });
}

const { WORKFLOW_EXECUTION_STATUS_RUNNING: RUNNING, WORKFLOW_EXECUTION_STATUS_CANCELED: CANCELED } =
  WorkflowExecutionStatus;
const OURS: readonly string[] = ['runBatch', 'setInstancePower'];
const runsOf = ({ server }: World) => server.executions().filter(({ type }) => OURS.includes(type));

/** Somebody gives a command about the group while its batch starts one item after the other. */
function askWhileItStarts(verb: string, ...words: readonly string[]) {
  const asked: { answer?: Promise<Captured> } = {};
  const onAnswer = (world: World): void => {
    if (asked.answer !== undefined || runsOf(world).length < COUNT / 3) return;
    asked.answer = runCommand(verb, ...words, '--yes');
  };
  const answer = async (): Promise<Captured> => {
    await until('the command is given', () => asked.answer !== undefined);
    return (await asked.answer) ?? { exitCode: -1, stdout: '', stderr: '' };
  };
  return { onAnswer, answer };
}

/** Runs that go on, and that the command has not asked. */
function escaped(world: World, { stdout }: Captured): string[] {
  const asked = new Set(stdout.split(/\s+/));
  const open = runsOf(world).filter(({ status }) => status === RUNNING);
  return open.map(({ workflowId }) => workflowId).filter((id) => !asked.has(id));
}

async function phasesOf(world: World): Promise<string[]> {
  const phases = new Set<string>();
  for (const { workflowId } of runsOf(world)) {
    phases.add((await world.gcore.summary(workflowId)).phase);
  }
  return [...phases].sort();
}

const SECOND = 1_000;
describe('a command about a group that grows', () => {
  it.each([
    ['cancel', ['--group', 'night'], ['cancelled', 'succeeded']],
    ['abort', ['--label', 'group=night'], ['failed', 'succeeded']],
    ['cancel', ['--query', 'WorkflowId != "x"'], ['cancelled', 'succeeded']],
  ])('reaches all that its batch has begun: %s %j', (verb, words, phases) => {
    const { onAnswer, answer } = askWhileItStarts(verb, ...words);
    return inWorld({ state: STATE, onAnswer }, async (world) => {
      await startBatch(world);
      const told = await answer();
      const begun = runsOf(world).length;
      expect(escaped(world, told)).toEqual([]);
      await pass(300 * SECOND);

      expect(told.stderr).toMatch(/Asked too, because it came meanwhile: \d+ run/);
      expect(told.stdout).toContain(BATCH);
      expect([told.exitCode, runsOf(world).length]).toEqual([0, begun]);
      expect(begun).toBeLessThan(COUNT);
      expect(await phasesOf(world)).toEqual(phases);
    });
  });

  it('pauses all of it, and resumes all of it', () => {
    const { onAnswer, answer } = askWhileItStarts('pause', '--group', 'night');
    return inWorld({ state: STATE, onAnswer }, async (world) => {
      await startBatch(world);
      const told = await answer();
      const begun = runsOf(world).length;
      expect(escaped(world, told)).toEqual([]);
      await pass(300 * SECOND);

      expect([told.exitCode, runsOf(world).length]).toEqual([0, begun]);
      expect(await phasesOf(world)).toEqual(['paused', 'succeeded']);
      const resumed = await runCommand('resume', '--group', 'night', '--yes');
      expect(resumed.exitCode).toBe(0);
      const { counts } = await world.gcore.result('runBatch', BATCH);
      expect(counts).toMatchObject({ succeeded: COUNT });
    });
  });
});

describe('a command that ends a group with a replacement', () => {
  it.each([
    ['cancel', 'cancelled'],
    ['abort', 'failed'],
  ])('leaves its parts to it, and ends none that undoes its work: %s', (verb, phase) =>
    inWorld({ state: stateWithInstances([{ of: 1 }]) }, async ({ gcore, simulator }) => {
      const input = replaceInput({ labels: { group: 'night' } });
      const path = `/cloud/v2/floatingips/1/1/${floatingIpOf(1)}`;
      // The parts begin while the command looks whether more has come.
      const action = { kind: 'slow-task', factor: 5 } as const;
      simulator.faults.add({ match: { method: 'PATCH', path }, action });
      const run = await gcore.start('replaceInstance', { requestId: 'web', input });
      await until('it moves the address', () =>
        simulator.requests.some((call) => call.method === 'PATCH' && call.path === path),
      );

      const told = await runCommand(verb, '--group', 'night', '--yes');
      await gcore.result('replaceInstance', run).catch(() => undefined);

      expect(told).toMatchObject({ exitCode: 0, stdout: `asked  ${run.workflowId}\n` });
      expect(await gcore.summary(run.workflowId)).toMatchObject({ phase });
      const { instances, floatingIps } = simulator.inventory();
      expect(instances.map(({ name }) => name)).toEqual(['web-1']);
      expect(floatingIps).toMatchObject([{ port_id: portOf(1) }]);
    }),
  );
});

describe('a command about what a filter finds', () => {
  it('asks nothing of a run that somebody has started since, and that a batch has joined', () =>
    inWorld({ state: STATE }, async ({ gcore }) => {
      const item = (of: number) => ({ instanceId: instanceIdOf(of), action: 'stop' as const });
      const place = { projectId: 1, regionId: 1 };
      const items = [item(1), { ...item(2), requestId: 'by-hand' }];
      const input = { operation: 'setInstancePower', items, defaults: place, atOnce: 1 } as const;
      await gcore.start('runBatch', { requestId: 'night', input });
      await until('it is listed', async () => (await gcore.list({ open: true })).length > 0);
      const ask = async (): Promise<string> => {
        const wish = { requestId: 'by-hand', input: { ...item(2), ...place } };
        await gcore.pause((await gcore.start('setInstancePower', wish)).workflowId);
        await until('the batch has joined it', async () => {
          const { joined } = await gcore.batchReport(BATCH);
          return joined === '2';
        });
        return 'y';
      };

      const told = await runCommandWith({ ask }, 'cancel', '--query', 'WorkflowId != "x"');

      expect(told).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(BATCH) });
      const { phase } = await gcore.summary('set-instance-power/default/by-hand');
      expect(phase).toBe('paused');
    }));

  it('asks nothing of a run that somebody has started since after that of a batch failed', () =>
    inWorld({ state: STATE }, async ({ gcore, simulator }) => {
      const itemOf = (of: number) => `set-instance-power/default/off-${of}`;
      const items = [1, 2].map((of) => {
        return { instanceId: instanceIdOf(of), action: 'stop' as const, requestId: `off-${of}` };
      });
      const input = { operation: 'setInstancePower', items, tolerate: { count: 2 } } as const;
      const actionOf = (of: number) => ({
        method: 'POST',
        path: `/cloud/v2/instances/1/1/${instanceIdOf(of)}/action`,
      });
      simulator.faults.add({ match: actionOf(1), action: { kind: 'task-error', error: 'no' } });
      simulator.faults.add({ match: actionOf(2), action: { kind: 'slow-task', factor: 50 } });
      const defaults = { projectId: 1, regionId: 1 };
      await gcore.start('runBatch', { requestId: 'night', input: { ...input, defaults } });
      await until('one has failed', async () => {
        const { failed } = await gcore.batchReport(BATCH).catch(() => ({ failed: [] }));
        return failed.length > 0;
      });
      const ask = async (): Promise<string> => {
        await gcore.retry(itemOf(1));
        await gcore.pause(itemOf(1));
        return 'y';
      };

      const told = await runCommandWith({ ask }, 'cancel', '--query', 'WorkflowId != "x"');

      expect(told).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(BATCH) });
      expect(await gcore.summary(itemOf(1))).toMatchObject({ phase: 'paused' });
    }));
});

describe('a command about a group whose batch goes on in a new history', () => {
  it('takes that for the same run, and asks it once', () => {
    const { onAnswer, answer } = askWhileItStarts('pause', '--group', 'night');
    const limits = { suggestContinueAsNewCount: 30 };
    return inWorld({ state: STATE, onAnswer, limits }, async (world) => {
      await startBatch(world);
      const told = await answer();

      const histories = runsOf(world).filter(({ workflowId }) => workflowId === BATCH);
      expect(histories.length).toBeGreaterThan(1);
      expect(told.stdout.split('\n').filter((line) => line.endsWith(BATCH))).toHaveLength(1);
    });
  });
});

describe('a command about the group of a batch that nobody has named otherwise', () => {
  it.each(['cancel', 'abort', 'pause'])('reaches a batch that has just begun: %s', (verb) =>
    inWorld({ state: STATE }, async (world) => {
      await startBatch(world);
      const told = await runCommand(verb, '--group', 'night', '--yes');
      const begun = runsOf(world).length;
      await pass(300 * SECOND);

      expect(told.stdout).toContain(`asked  ${BATCH}`);
      expect([told.exitCode, runsOf(world).length]).toEqual([0, begun]);
      expect(begun).toBeLessThan(COUNT);
    }),
  );

  it('reaches a batch that no worker has taken yet', () =>
    inWorld({ state: STATE }, async (world) => {
      for (const { process } of world.room.running()) process.kill();
      await startBatch(world);
      await pass(60 * SECOND);
      const told = await runCommand('cancel', '--group', 'night', '--yes');
      world.room.start();
      await pass(300 * SECOND);

      expect(told).toMatchObject({ exitCode: 3, stdout: `asked  ${BATCH}\n` });
      expect(told.stderr).toContain('A batch of these has not ended');
      expect(await phasesOf(world)).toEqual(['cancelled']);
      expect(runsOf(world)).toHaveLength(1);
    }));

  it('reaches the next run of a batch that somebody repeats as soon as it has ended', () => {
    const repeated: { begun?: object } = {};
    // It is begun again before another call can reach the server.
    const onAnswer = ({ server }: World): void => {
      const runs = server.executions().filter(({ workflowId }) => workflowId === BATCH);
      if (repeated.begun === undefined || runs.length !== 1 || runs[0]?.status === RUNNING) return;
      const request = {
        ...repeated.begun,
        namespace: 'default',
        workflowId: BATCH,
        requestId: '2',
      };
      void server.call({ service: 'WorkflowService', rpc: 'StartWorkflowExecution', request });
    };
    return inWorld({ state: STATE, onAnswer }, async (world) => {
      await startBatch(world);
      await pass(10 * SECOND);
      const { events } = await world.client.workflow.getHandle(BATCH).fetchHistory();
      repeated.begun = events?.[0]?.workflowExecutionStartedEventAttributes ?? {};

      const told = await runCommand('cancel', '--group', 'night', '--yes');

      expect(told).toMatchObject({ exitCode: 0 });
      const batches = runsOf(world).filter(({ workflowId }) => workflowId === BATCH);
      await until('it has ended', () => batches.every(({ status }) => status !== RUNNING));
      expect(batches.map(({ status }) => status)).toEqual([CANCELED, CANCELED]);
    });
  });

  it('reaches a run of a schedule that no worker has taken yet', () =>
    inWorld({ state: STATE }, async (world) => {
      for (const { process } of world.room.running()) process.kill();
      await world.gcore.schedules.create('setInstancePower', {
        ...{ scheduleId: 'sweep', every: '300 days' },
        input: {
          ...{ projectId: 1, regionId: 1, instanceId: instanceIdOf(1), action: 'stop' },
          labels: { group: 'night' },
        },
      });
      await world.gcore.schedules.trigger('sweep');
      await until('it has started one', () => runsOf(world).length === 1);
      const told = await runCommand('cancel', '--group', 'night', '--yes');

      const [run] = runsOf(world);
      expect(told).toMatchObject({ exitCode: 0, stdout: `asked  ${run?.workflowId}\n` });
    }));
});
