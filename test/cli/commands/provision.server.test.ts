import { describe, expect, it } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';

import { provisionInput } from '../../support/inputs/provision-input.js';
import type { CliWorld } from '../../support/cli/cli-world.js';
import { runCaptured, type Captured } from '../../support/cli/run-captured.js';
import { openCli } from '../open-cli.js';

let world: CliWorld;

const RUNS = 'provision-instance/default';
const NO_CAPACITY = {
  kind: 'status',
  status: 403,
  body: { exception_class: 'ForbiddenError', message: 'Not enough capacity for this flavor' },
} as const;

const cli = openCli('each', (opened) => {
  world = opened;
});

function provision(...args: string[]): Promise<Captured> {
  return cli('provision', '-f', world.file, ...args);
}

describe('provision', () => {
  it('prints the result as JSON alone on stdout, and the progress on stderr', async () => {
    const { exitCode, stdout, stderr } = await world.withWorker(() => provision());

    expect(exitCode).toBe(0);
    const [instance] = world.simulator.inventory().instances;
    expect(JSON.parse(stdout)).toMatchObject({ instanceId: instance?.id, status: 'ACTIVE' });
    expect(stderr).toMatch(/^Request id [0-9a-f]{12}, .*--request-id/);
    expect(stderr).toMatch(/^Run provision-instance\/default\/[0-9a-f]{12}$/m);
    expect(stderr).toMatch(/\] verify instance: verified, status ACTIVE$/m);
  });

  it('creates one machine for a file that is given twice, and says so', async () => {
    const [first, second] = await world.withWorker(async () => [
      await provision(),
      await provision(),
    ]);

    expect(second).toMatchObject({ exitCode: 0, stdout: first.stdout });
    expect(second.stderr).toMatch(
      /Already done: this request succeeded on \d+ \w+, \d\d:\d\d UTC\. Nothing new was started\./,
    );
    expect(world.simulator.inventory().instances).toHaveLength(1);
  });

  it('ends with 6 for another input under the same request id, unless it may join', async () => {
    const input = { ...provisionInput({ name: 'web-2' }), waitFor: 'task' };
    const stdin = JSON.stringify(input);
    const other = ['provision', '-f', '-', '--request-id', 'order-4711', ...world.server];
    const [first, conflict, joined] = await world.withWorker(async () => [
      await provision('--request-id', 'order-4711'),
      await runCaptured(other, { stdin }),
      await runCaptured([...other, '--join'], { stdin }),
    ]);

    expect(first.stderr).toMatch(/^Started\.$/m);
    expect(conflict).toMatchObject({ exitCode: 6, stdout: '' });
    expect(conflict.stderr).toMatch(/^Error: RequestConflict: .*Nothing was started\.$/m);
    expect(conflict.stderr).toMatch(/^ +instance\.name +differs$/m);
    expect(conflict.stderr).toMatch(/^ +waitFor +differs$/m);
    expect(conflict.stderr).not.toContain('web-2');
    expect(joined).toMatchObject({ exitCode: 0, stdout: first.stdout });
    expect(joined.stderr).toContain('Already done');
  });

  it('creates another machine for another request id', async () => {
    await world.withWorker(async () => {
      await provision('--request-id', 'one');
      await provision('--request-id', 'two');
    });

    expect(world.simulator.inventory().instances).toHaveLength(2);
  });

  it('ends with 1 when the run fails, and names the cause, the resources and the next step', async () => {
    world.simulator.faults.add({
      match: { method: 'POST', path: /\/instances\// },
      action: { kind: 'task-error', error: 'The host has burnt down.' },
    });

    const { exitCode, stdout, stderr } = await world.withWorker(() => provision('-o', 'json'));

    expect([exitCode, stdout]).toEqual([1, '']);
    const lines = stderr.trimEnd().split('\n');
    const last: unknown = JSON.parse(lines.at(-1) ?? '');
    expect(last).toMatchObject({
      error: {
        type: 'TaskFailed',
        message: expect.stringContaining('The host has burnt down.'),
        advice: expect.stringContaining('task id'),
        details: { taskId: expect.any(String), resources: [] },
      },
    });
  });

  it('ends with 4 when the key is refused and onBlocked is fail', async () => {
    const stdin = JSON.stringify(provisionInput({}, { onBlocked: 'fail' }));
    const args = ['provision', '-f', '-', ...world.server];

    const { exitCode, stderr } = await world.withWorker(() => runCaptured(args, { stdin }), {
      apiKey: 'revoked',
    });

    expect(exitCode).toBe(4);
    expect(stderr).toMatch(/^Error: Unauthorized: /m);
  });

  it('shows why a run is blocked, the next try and the commands, and follows it to its end', async () => {
    world.simulator.faults.add({
      match: { method: 'POST', path: /\/instances\// },
      action: NO_CAPACITY,
    });
    const args = ['provision', '-f', world.file, '--request-id', 'blocked', ...world.server];
    let resumed: Promise<Captured> | undefined;

    const { exitCode, stderr } = await world.withWorker(async () => {
      const ended = await runCaptured(args, {
        onStderr: (text) => {
          if (!text.includes('blocked since')) return;
          resumed ??= runCaptured(['resume', `${RUNS}/blocked`, ...world.server]);
        },
      });
      await resumed;
      return ended;
    });

    const server = world.server.join(' ');
    expect(stderr).toMatch(
      /blocked since \S+Z: CapacityUnavailable: .* Then resume the run.*; tries again at \S+Z;/,
    );
    expect(stderr).toContain(`gcore-workflows resume ${RUNS}/blocked ${server}`);
    expect(stderr).toContain(`gcore-workflows abort ${RUNS}/blocked ${server}`);
    expect(exitCode).toBe(0);
  });

  it('uses an alternative of the example when there is no capacity', async () => {
    world.simulator.faults.add({
      match: { method: 'POST', path: /\/instances\// },
      action: NO_CAPACITY,
    });
    const file = 'examples/provision-with-alternatives.json';

    const { stdout } = await world.withWorker(() =>
      runCaptured(['provision', '-f', file, ...world.server]),
    );

    expect(JSON.parse(stdout)).toMatchObject({ flavor: 'g2-standard-4-8', status: 'ACTIVE' });
  });

  it('starts a run with the urgency of the option', async () => {
    const { stdout } = await provision('--no-wait', '--urgency', 'incident');

    const connection = await Connection.connect({ address: world.address });
    const client = new Client({ connection, namespace: world.namespace });
    const { priority } = await client.workflow.getHandle(stdout.trim()).describe();
    await connection.close();
    expect(priority?.priorityKey).toBe(1);
  });

  it('prints the workflow id immediately with --no-wait', async () => {
    const args = ['--no-wait', '--request-id', 'order-4711'];

    const text = await provision(...args);
    const json = await provision(...args, '-o', 'json');

    const workflowId = 'provision-instance/default/order-4711';
    expect(text).toMatchObject({ exitCode: 0, stdout: `${workflowId}\n` });
    expect(text.stderr).toContain('Started.');
    const runId: unknown = expect.any(String);
    expect(JSON.parse(json.stdout)).toEqual({ workflowId, runId, outcome: 'joined' });
    expect(json.stderr).toContain('Joined the open run of this request. Nothing new was started.');
  });
});

describe('without a worker', () => {
  it('provision reports that within five seconds, and keeps waiting', async () => {
    const started = Date.now();
    const interrupt = new AbortController();
    let reportedAfterMs = Infinity;

    const { exitCode, stderr } = await runCaptured(
      ['provision', '-f', world.file, ...world.server],
      {
        interrupt,
        onStderr: (text) => {
          if (!text.includes('No worker polls')) return;
          reportedAfterMs = Math.min(reportedAfterMs, Date.now() - started);
          interrupt.abort();
        },
      },
    );

    expect(reportedAfterMs).toBeLessThan(5_000);
    expect(stderr).toContain('"gcore-workflows" and "gcore-api-default"');
    expect(stderr).toContain(`gcore-workflows worker ${world.server.join(' ')}`);
    expect(exitCode).toBe(130);
  });

  it('provision ends with 124 after the timeout, and the run continues', async () => {
    const { exitCode, stdout, stderr } = await provision('--timeout', '1');
    const { stdout: runs } = await runCaptured(['list', ...world.server]);

    expect([exitCode, stdout]).toEqual([124, '']);
    expect(stderr).toContain('gcore-workflows watch provision-instance/default/');
    expect(runs).toMatch(/^running .*provision-instance\/default\//m);
  });

  it('status fails instead of hanging', async () => {
    const { stdout } = await provision('--no-wait');

    const { exitCode, stderr } = await runCaptured(['status', stdout.trim(), ...world.server]);

    expect(exitCode).toBe(1);
    expect(stderr).toContain('NoAnswer');
  });
});
