import { describe, expect, it } from '@jest/globals';

import { statusDocumentSchema } from '../../../src/contract/index.js';
import type { CliWorld } from '../../support/cli/cli-world.js';
import { fakeStack } from '../../support/cli/fake-stack.js';
import { runCaptured } from '../../support/cli/run-captured.js';
import { openCli } from '../open-cli.js';

let world: CliWorld;
const cli = openCli('all', (opened) => {
  world = opened;
});

async function start(requestId: string): Promise<string> {
  const args = ['--file', world.file, '--request-id', requestId, '--no-wait'];
  const { stdout } = await cli('provision', ...args);
  return stdout.trim();
}

describe('a run that was started earlier', () => {
  it('can be watched, queried and listed', async () => {
    const workflowId = await start('followed');

    const [watched, result, status, json, list] = await world.withWorker(async () => [
      await cli('watch', workflowId),
      await cli('result', workflowId),
      await cli('status', workflowId),
      await cli('status', workflowId, '-o', 'json'),
      await cli('list', '-o', 'json'),
    ]);

    expect(watched.stderr).toContain('create instance: verified');
    expect(JSON.parse(watched.stdout)).toMatchObject({ status: 'ACTIVE' });
    expect(result).toEqual({ exitCode: 0, stdout: watched.stdout, stderr: '' });
    expect(status.stdout).toMatch(/^provision-instance\/default\/followed {2}succeeded {2}\d+ s\n/);
    expect(statusDocumentSchema.parse(JSON.parse(json.stdout)).phase).toBe('succeeded');
    expect(JSON.parse(list.stdout)).toContainEqual(
      expect.objectContaining({ workflowId, state: 'COMPLETED', phase: 'succeeded' }),
    );
  });

  it('can be cancelled and followed until nothing is left', async () => {
    const workflowId = await start('cancelled');

    const [cancelled, watched] = await world.withWorker(async () => [
      await cli('cancel', workflowId, '--wait'),
      await cli('watch', workflowId),
    ]);

    expect(cancelled).toMatchObject({ exitCode: 0, stdout: `${workflowId}\n` });
    expect(watched).toMatchObject({ exitCode: 2, stdout: '' });
  });

  it.each(['status', 'explain', 'watch', 'result', 'pause', 'resume', 'abort', 'cancel'])(
    'is unknown: %s says so',
    async (verb) => {
      const { exitCode, stdout, stderr } = await cli(verb, 'nobody');

      expect([exitCode, stdout]).toEqual([1, '']);
      expect(stderr).toContain('Error: RunNotFound: There is no run "nobody"');
    },
  );
});

describe('demo', () => {
  it('creates the example, prints it in short with the next steps, and closes everything', async () => {
    const { stack, closed } = fakeStack(world);

    const { exitCode, stdout, stderr } = await world.withWorker(() =>
      runCaptured(['demo'], { services: { startLocalStack: () => Promise.resolve(stack) } }),
    );

    expect([exitCode, closed()]).toEqual([0, 1]);
    expect(JSON.parse(stdout)).toEqual({
      instanceId: expect.any(String),
      name: 'web-1',
      status: 'ACTIVE',
      address: expect.any(String),
    });
    expect(stderr).toMatch(/ {2}gcore-workflows demo --keep .*\n {2}gcore-workflows dev .*\n$/);
    const id = /Run (\S+)/.exec(stderr)?.[1] ?? '';
    expect(stderr).toContain(
      `http://127.0.0.1:8233/namespaces/${world.namespace}/workflows/${encodeURIComponent(id)}`,
    );
  });

  it('with --keep runs on until Ctrl-C, and says how to look at the run', async () => {
    const interrupt = new AbortController();
    const { stack, closed } = fakeStack(world);
    const closedAtHint: number[] = [];

    const { exitCode, stderr } = await world.withWorker(() =>
      runCaptured(['demo', '--keep'], {
        interrupt,
        services: { startLocalStack: () => Promise.resolve(stack) },
        onStderr: (text) => {
          if (!text.includes('  gcore-workflows result ') || interrupt.signal.aborted) return;
          closedAtHint.push(closed());
          interrupt.abort();
        },
      }),
    );

    expect([exitCode, closed(), closedAtHint]).toEqual([0, 1, [0]]);
    expect(stderr).toContain(`--address ${world.address} --namespace ${world.namespace}`);
  });

  it('closes everything after Ctrl-C', async () => {
    const interrupt = new AbortController();
    const { stack, closed } = fakeStack(world, undefined);

    const { exitCode, stdout, stderr } = await runCaptured(['demo'], {
      interrupt,
      services: { startLocalStack: () => Promise.resolve(stack) },
      onStderr: (text) => {
        if (text.includes('Run ')) interrupt.abort();
      },
    });

    expect([exitCode, stdout, closed()]).toEqual([130, '', 1]);
    expect(stderr).toContain('The demo was stopped');
  });
});

describe('a Temporal server that cannot be reached', () => {
  it('is named within seconds, with the next step', async () => {
    const started = Date.now();

    const { exitCode, stderr } = await runCaptured(['list', '--address', '127.0.0.1:1']);

    expect(exitCode).toBe(1);
    expect(Date.now() - started).toBeLessThan(8_000);
    expect(stderr).toMatch(/No Temporal server answers at 127\.0\.0\.1:1 .*\n.*--address/);
  });

  it('differs from an unknown namespace', async () => {
    const args = ['list', '--address', world.address, '--namespace', 'nobody'];

    const { exitCode, stderr } = await runCaptured(args);

    expect(exitCode).toBe(1);
    expect(stderr).toContain("NamespaceNotFound: Namespace not found: 'nobody'");
  });
});
