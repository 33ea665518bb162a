import { describe, expect, it } from '@jest/globals';

import type { CliWorld } from '../support/cli/cli-world.js';
import type { Captured } from '../support/cli/run-captured.js';
import { until } from '../support/timing/until.js';
import { openCli } from './open-cli.js';

let world: CliWorld;
const cli = openCli('all', (opened) => {
  world = opened;
});

function provision(requestId: string, ...options: string[]): Promise<Captured> {
  const request = ['--request-id', requestId, '--no-wait'];
  return cli('provision', '--file', world.file, ...request, ...options);
}

function deletion(requestId: string): Promise<Captured> {
  const what = ['--made-by', 'nothing', '--volumes', 'keep', '--floating-ips', 'keep'];
  return cli('delete', ...what, '--request-id', requestId, '--no-wait');
}

describe('a run', () => {
  it('is found by its request id', async () => {
    await provision('order-1');
    const byRequest = await cli('explain', 'order-1', '-o', 'json');
    const status = await world.withWorker(async () => {
      await cli('result', 'order-1');
      return cli('status', 'order-1');
    });

    expect(byRequest.exitCode).toBe(0);
    expect(byRequest.stdout).toContain('provision-instance/default/order-1');
    expect(status.stdout).toMatch(/^provision-instance\/default\/order-1 {2}succeeded/);
  });

  it('is cancelled by its request id', async () => {
    await provision('order-2');

    expect(await cli('cancel', 'order-2')).toMatchObject({
      exitCode: 0,
      stdout: 'provision-instance/default/order-2\n',
    });
  });

  it.each([
    'status',
    'watch',
    'result',
    'explain',
    'pause',
    'resume',
    'abort',
    'cancel',
    'restore',
  ])('is not guessed by %s when two operations have the same request id', async (command) => {
    const requestId = `both-${command}`;
    await provision(requestId);
    await deletion(requestId);

    const { exitCode, stdout, stderr } = await cli(command, requestId);

    expect([exitCode, stdout]).toEqual([64, '']);
    expect(stderr).toContain(`2 runs have the request id "${requestId}"`);
    expect(stderr).toContain(`provision-instance/default/${requestId}`);
    expect(stderr).toContain(`delete-instance/default/${requestId}`);
  });

  it('is found in any account, and not guessed when two accounts have the request id', async () => {
    await provision('audit-blue', '--account', 'blue');
    await provision('audit-both', '--account', 'blue');
    await provision('audit-both');
    await until('the list knows them', async () => {
      const { stdout } = await cli('list', '--account', 'blue');
      return stdout.includes('audit-blue') && stdout.includes('audit-both');
    });

    const found = await cli('explain', 'audit-blue');
    const both = await cli('cancel', 'audit-both');

    expect(found).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('provision-instance/blue/audit-blue'),
    });
    expect([both.exitCode, both.stdout]).toEqual([64, '']);
    expect(both.stderr).toContain('2 runs have the request id "audit-both"');
    expect(both.stderr).toContain('provision-instance/blue/audit-both');
    expect(both.stderr).toContain('provision-instance/default/audit-both');
  });

  it('that does not exist is told as missing', async () => {
    const { exitCode, stderr } = await cli('extend', 'order-0', '--for', '2 hours');

    expect(exitCode).toBe(1);
    expect(stderr).toContain('Error: RunNotFound: There is no run "order-0" in this namespace.');
  });
});
