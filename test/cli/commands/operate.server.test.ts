import { describe, expect, it } from '@jest/globals';

import { provisionInput } from '../../support/inputs/provision-input.js';
import { until } from '../../support/timing/until.js';
import type { CliWorld } from '../../support/cli/cli-world.js';
import { runCaptured } from '../../support/cli/run-captured.js';
import { openCli } from '../open-cli.js';

const CREATE = { method: 'POST', path: /\/instances\// };
const NO_CAPACITY = {
  kind: 'status',
  status: 403,
  body: { exception_class: 'ForbiddenError', message: 'Not enough capacity for this flavor' },
} as const;

let world: CliWorld;

const cli = openCli('each', (opened) => {
  world = opened;
});

/** Starts a run that finds no capacity. */
async function start(requestId: string): Promise<string> {
  world.simulator.faults.add({ match: CREATE, action: NO_CAPACITY });
  const args = ['--file', world.file, '--request-id', requestId, '--no-wait'];
  return (await cli('provision', ...args)).stdout.trim();
}

async function untilPhase(workflowId: string, phase: string): Promise<void> {
  await until(`it is ${phase}`, async () => {
    const { stdout } = await cli('status', workflowId, '-o', 'json');
    return stdout.includes(`"phase": "${phase}"`);
  });
}

describe('a paused or blocked run', () => {
  it('is paused, explained, resumed and followed to its end', async () => {
    const workflowId = await start('paused');

    await world.withWorker(async () => {
      await untilPhase(workflowId, 'blocked');
      const paused = await cli('pause', workflowId, '--as', 'anna');
      const explained = await cli('explain', workflowId);
      const resumed = await cli('resume', workflowId, '-o', 'json');
      const { exitCode } = await cli('watch', workflowId);

      const server = world.server.join(' ');
      expect(paused.exitCode).toBe(0);
      expect(paused.stderr).toContain('sends nothing new');
      expect(paused.stdout).toContain('CapacityUnavailable');
      expect(paused.stdout).toContain('asked: pause by anna ');
      expect(explained.stdout).toMatch(
        /^The run ".*" \(provisionInstance\) was started by tester@here at .*\n/,
      );
      expect(explained.stdout).toContain('anna paused it at ');
      expect(explained.stdout).not.toContain('again on its own');
      expect(explained.stdout.split('\n')[1]).toContain(
        `then: gcore-workflows resume ${workflowId} ${server}`,
      );
      expect(JSON.parse(resumed.stdout)).toMatchObject({ operation: 'provisionInstance' });
      expect(exitCode).toBe(0);
    });
  });

  it('continues with a corrected input, which the worker checks too', async () => {
    const workflowId = await start('corrected');
    const { projectId, instance } = provisionInput({ flavor: 'g2-standard-4-8' });
    const nowhere = { projectId, instance };
    const resume = (input: unknown) =>
      runCaptured(['resume', workflowId, '--input', '-', ...world.server], {
        stdin: JSON.stringify(input),
      });

    await world.withWorker(async () => {
      await untilPhase(workflowId, 'blocked');
      const broken = await resume({ ...nowhere, regionId: 'here' });
      const refused = await resume(nowhere);
      const accepted = await resume({ ...nowhere, regionId: 1 });
      const { stdout } = await cli('result', workflowId);

      expect(broken.exitCode).toBe(64);
      expect(broken.stderr).toMatch(/regionId +must be a number/);
      expect(refused.exitCode).toBe(64);
      expect(refused.stderr).toMatch(/regionId +is missing, and the worker has no default/);
      expect(accepted.exitCode).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ flavor: 'g2-standard-4-8' });
    });
  });

  it('is aborted and followed until nothing is left', async () => {
    const workflowId = await start('aborted');

    await world.withWorker(async () => {
      await untilPhase(workflowId, 'blocked');
      const aborted = await cli('abort', workflowId, '--reason', 'not needed', '--wait');
      const watched = await cli('watch', workflowId);
      const again = await cli('abort', workflowId);

      expect(aborted).toMatchObject({ exitCode: 0, stdout: `${workflowId}\n` });
      expect(watched.exitCode).toBe(1);
      expect(watched.stderr).toContain(
        'Error: Aborted: An operator (tester@here) aborted the run (not needed).',
      );
      expect(again.exitCode).toBe(1);
      expect(again.stderr).toContain(`gcore-workflows explain ${workflowId}`);
    });
  });
});

describe('a run of an account that no worker serves', () => {
  it('is explained, and an operator can end it', async () => {
    const { workflowId, explained, aborted } = await world.withWorker(async () => {
      const stdin = JSON.stringify({ ...provisionInput(), account: 'nobody' });
      const started = await runCaptured(
        ['provision', '-f', '-', '--no-wait', '--request-id', 'unserved', ...world.server],
        { stdin },
      );
      const id = started.stdout.trim();
      await untilPhase(id, 'running');
      return {
        workflowId: id,
        explained: await cli('explain', id),
        aborted: await cli('abort', id),
      };
    });

    expect(workflowId).toBe('provision-instance/nobody/unserved');
    expect(explained.stdout).toContain('No worker serves the account "nobody"');
    expect(explained.stdout).toContain('Next: start a worker with GCORE_ACCOUNT=nobody');
    expect(aborted.exitCode).toBe(0);
  });
});

describe('a run without a worker', () => {
  it('refuses an update for good, and names the next step', async () => {
    const workflowId = await start('unheard');

    const paused = await cli('pause', workflowId);
    const { exitCode } = await world.withWorker(async () => {
      await untilPhase(workflowId, 'blocked');
      await cli('resume', workflowId);
      return cli('watch', workflowId);
    });

    expect(paused.exitCode).toBe(1);
    expect(paused.stderr).toContain('was not sent: nothing was changed');
    expect(paused.stderr).toContain(`gcore-workflows worker ${world.server.join(' ')}`);
    expect(exitCode).toBe(0);
  });

  it('is explained, with the queues that no worker polls', async () => {
    const workflowId = await start('unheard');

    const { exitCode, stdout, stderr } = await cli('explain', workflowId, '-o', 'json');

    expect([exitCode, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject({
      paragraph: expect.stringContaining('It has not sent anything to the API yet.'),
      next: `start a worker: gcore-workflows worker ${world.server.join(' ')}`,
      facts: { idleQueues: ['gcore-workflows', 'gcore-api-default', 'gcore-urgent-default'] },
    });
  });

  it('is explained after it has failed', async () => {
    world.simulator.faults.add({
      match: CREATE,
      action: { kind: 'task-error', error: 'The host has burnt down.' },
    });
    const args = ['--file', world.file, '--request-id', 'failed'];
    await world.withWorker(() => cli('provision', ...args));

    const { exitCode, stdout } = await cli('explain', 'provision-instance/default/failed');

    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/failed after .* as TaskFailed at the step "create instance"/);
    expect(stdout).toContain('The host has burnt down.');
    expect(stdout).toMatch(/\nNext: .*gcore-workflows provision --file FILE --request-id failed/);
  });
});
