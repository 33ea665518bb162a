import { describe, expect, it } from '@jest/globals';

import { inWorld } from '../simulation/in-world.js';
import { runCommand, runCommandWith } from '../simulation/world/command-line.js';
import type { World } from '../simulation/world/world.js';
import { PORTS } from '../support/inputs/protect-input.js';
import { until } from '../support/timing/until.js';
import type { Captured } from '../support/cli/run-captured.js';
import { instanceIdOf, stateWithInstances } from '../support/worlds/instances.js';
import { pass } from '../support/timing/pass.js';

const STATE = stateWithInstances([{ of: 1 }]);
const RUN = 'set-instance-power/default/night';

async function start({ gcore }: World): Promise<void> {
  const input = {
    ...{ projectId: 1, regionId: 1, instanceId: instanceIdOf(1) },
    ...({ action: 'stop', labels: { group: 'night' } } as const),
  };
  await gcore.start('setInstancePower', { requestId: 'night', input });
}

/** Gives the command. While it asks for a yes, the run that it shows ends, and somebody starts the request again. */
async function askWhileReplaced(world: World, ...words: string[]): Promise<Captured> {
  const ask = async (): Promise<string> => {
    await world.client.workflow.getHandle(RUN).terminate();
    await start(world);
    return 'y';
  };
  return runCommandWith({ ask }, ...words);
}

const SECOND = 1_000;
describe('a command about a run whose request has another run when it is confirmed', () => {
  it.each(['cancel', 'abort', 'pause', 'resume'])('leaves that one alone: %s', (verb) =>
    inWorld({ state: STATE }, async (world) => {
      await start(world);
      await pass(SECOND);

      const told = await askWhileReplaced(world, verb, '--query', `WorkflowId = "${RUN}"`);

      expect([told.exitCode, told.stdout]).toEqual([0, `ended  ${RUN}\n`]);
      expect(await world.gcore.result('setInstancePower', RUN)).toMatchObject({
        status: 'SHUTOFF',
      });
    }),
  );

  it('says so where the runs are named one by one', () =>
    inWorld({ state: STATE }, async (world) => {
      await start(world);

      const told = await askWhileReplaced(world, 'cancel', 'night', RUN);

      expect(told.exitCode).toBe(1);
      expect(told.stderr).toContain('another run has begun since');
      expect(await world.gcore.result('setInstancePower', RUN)).toMatchObject({
        status: 'SHUTOFF',
      });
    }));

  it('asks it too when it has the label that is meant', () =>
    inWorld({ state: STATE }, async (world) => {
      await start(world);
      await pass(SECOND);

      const told = await askWhileReplaced(world, 'pause', '--group', 'night');

      expect([told.exitCode, told.stdout]).toEqual([0, `ended  ${RUN}\nasked  ${RUN}\n`]);
      expect(await world.gcore.status(RUN)).toMatchObject({ phase: 'paused' });
    }));
});

describe('a command that follows the run that it has stopped', () => {
  it.each(['cancel', 'abort'])('does not take the next run of the request for it: %s', (verb) =>
    inWorld({ state: STATE }, async (world) => {
      await start(world);
      const replace = await replacing(world);
      let isReplaced = false;
      const onStderr = (text: string): void => {
        if (isReplaced || !text.includes('was asked to')) return;
        isReplaced = true;
        replace();
      };

      const told = await runCommandWith({ onStderr }, verb, RUN, '--wait');

      expect([isReplaced, told.exitCode]).toEqual([true, 1]);
      expect(told.stderr).toContain('The run was terminated');
      expect(await world.gcore.result('setInstancePower', RUN)).toMatchObject({
        status: 'SHUTOFF',
      });
    }),
  );
});

/** Ends the run and starts its request again, before another call can reach the server. */
async function replacing({ client, server }: World): Promise<() => void> {
  const { events } = await client.workflow.getHandle(RUN).fetchHistory();
  const begun = events?.[0]?.workflowExecutionStartedEventAttributes;
  const named = { namespace: 'default', workflowId: RUN };
  const call = (rpc: string, request: object): void => {
    void server.call({ service: 'WorkflowService', rpc, request: { ...named, ...request } });
  };
  return () => {
    call('TerminateWorkflowExecution', { workflowExecution: { workflowId: RUN } });
    call('StartWorkflowExecution', { ...begun, requestId: 'again' });
  };
}

describe('a command that a run which ends meanwhile has not carried out', () => {
  it('has not extended a hold that is over', () =>
    inWorld({ state: STATE }, async ({ gcore }) => {
      const profile = { ip_address: '203.0.113.7', profile_template: 12, fields: [PORTS] };
      const place = { projectId: 1, regionId: 1 };
      const input = { ...place, profile, holdFor: '1 hour', labels: { group: 'night' } };
      const { workflowId } = await gcore.start('protectIp', { input });
      const isHeld = async () => (await gcore.status(workflowId)).waiting?.holds !== undefined;
      await until('it is held', isHeld);
      await pass(SECOND);
      const ask = async (): Promise<string> => {
        await gcore.restore(workflowId);
        await gcore.result('protectIp', workflowId);
        return 'y';
      };

      const told = await runCommandWith({ ask }, 'extend', '--group', 'night', '--for', '2 hours');

      expect([told.exitCode, told.stdout]).toEqual([1, `ended  ${workflowId}\n`]);
      expect(told.stderr).toContain('1 of 1 run did not take "extend".');
      expect(told.stderr).toContain('has already ended (COMPLETED)');
    }));

  it('has not started a run again that has failed once more', () =>
    inWorld({ state: STATE }, async (world) => {
      const { gcore, simulator } = world;
      const action = { kind: 'status', status: 400, body: { message: 'no' } } as const;
      const match = { method: 'POST', path: /\/action$/, times: Infinity };
      simulator.faults.add({ match, action });
      const failedOnce = () => gcore.result('setInstancePower', RUN).catch(() => undefined);
      await start(world);
      await failedOnce();
      await pass(SECOND);
      const ask = async (): Promise<string> => {
        await gcore.retry(RUN);
        await failedOnce();
        return 'y';
      };

      const told = await runCommandWith({ ask }, 'retry', '--group', 'night');

      expect([told.exitCode, told.stdout]).toEqual([1, `ended  ${RUN}\n`]);
      expect(told.stderr).toContain('another run has begun since');
    }));
});

/** A schedule of each kind: of the group, of another one, without labels, and one of the group that is paused. */
async function createSchedules({ gcore }: World): Promise<void> {
  const create = (scheduleId: string, labels?: Record<string, string>, paused = false) =>
    gcore.schedules.create('setInstancePower', {
      ...{ scheduleId, every: '300 days', paused },
      input: {
        ...{ projectId: 1, regionId: 1, instanceId: instanceIdOf(1), action: 'stop' as const },
        ...(labels && { labels }),
      },
    });
  await create('sweep', { group: 'night', team: 'media' });
  await create('other', { group: 'day' });
  await create('plain');
  await create('halted', { group: 'night' }, true);
}

const schedulesIn = ({ stderr }: Captured) =>
  stderr.split('\n').filter((line) => line.includes('schedule'));

describe('a command about a label', () => {
  it.each(['cancel', 'abort', 'pause'])(
    'says first which schedules go on starting such runs: %s',
    (verb) =>
      inWorld({ state: STATE }, async (world) => {
        await createSchedules(world);
        await start(world);
        await pass(SECOND);

        const told = await runCommand(verb, '--group', 'night', '--yes');

        expect(told.exitCode).toBe(0);
        expect(schedulesIn(told)).toEqual([
          expect.stringMatching(
            /^The schedule sweep \(every 300 days.*\) goes on starting such runs\. To pause it first: gcore-workflows schedule pause sweep /,
          ),
        ]);
        expect(told.stderr.indexOf('The schedule sweep')).toBeLessThan(told.stderr.indexOf(RUN));
      }),
  );

  it('says so too when no run is open, and of a label alone', () =>
    inWorld({ state: STATE }, async (world) => {
      await createSchedules(world);
      await pass(SECOND);

      const none = await runCommand('cancel', '--label', 'team=media', '--yes');
      const byQuery = await runCommand('cancel', '--query', 'WorkflowId != "x"', '--yes');

      expect(schedulesIn(none)).toHaveLength(1);
      expect(schedulesIn(byQuery)).toEqual([]);
    }));

  it('says which stay paused when it resumes', () =>
    inWorld({ state: STATE }, async (world) => {
      await createSchedules(world);
      await pass(SECOND);

      const told = await runCommand('resume', '--group', 'night', '--yes');

      expect(schedulesIn(told)).toEqual([
        expect.stringContaining('The schedule halted of such runs stays paused. To resume it:'),
      ]);
    }));
});
