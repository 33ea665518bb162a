import { describe, expect, it } from '@jest/globals';

import { KEYS_PATH, PUBLIC_KEY } from '../../support/worlds/ssh-keys.js';
import type { CliWorld } from '../../support/cli/cli-world.js';
import { openCli } from '../open-cli.js';

let world: CliWorld;

const run = openCli('each', async (opened) => {
  world = opened;
  for (const name of ['ingest-1', 'backup']) await makeKey(name);
});

async function makeKey(name: string): Promise<void> {
  const headers = { authorization: 'apikey test-key' };
  const body = JSON.stringify({ name, public_key: PUBLIC_KEY });
  await world.simulator.fetch(`http://x${KEYS_PATH}`, { method: 'POST', headers, body });
}

describe('ssh-keys', () => {
  it('prints the keys as JSON alone on stdout, and the progress on stderr', async () => {
    const { exitCode, stdout, stderr } = await world.withWorker(() => run('ssh-keys'));

    expect(exitCode).toBe(0);
    const key = { publicKey: PUBLIC_KEY, createdAt: expect.any(String) };
    expect(JSON.parse(stdout)).toEqual({
      keys: [
        { ...key, id: 1, name: 'ingest-1' },
        { ...key, id: 2, name: 'backup' },
      ],
      count: 2,
      total: 2,
    });
    expect(stderr).toMatch(/^Run list-ssh-keys\/default\/[0-9a-f-]{36}$/m);
    expect(stderr).toMatch(/\] read SSH keys: verified, 2 keys$/m);
  });

  it('prints only the keys whose name contains the text', async () => {
    const { stdout } = await world.withWorker(() => run('ssh-keys', '--name', 'ingest'));

    expect(JSON.parse(stdout)).toMatchObject({ keys: [{ name: 'ingest-1' }], count: 1 });
  });

  it('prints a part of the keys in another order', async () => {
    const options = ['--order-by', 'name.asc', '--offset', '0', '--limit', '1'];
    const { stdout } = await world.withWorker(() => run('ssh-keys', ...options));

    expect(JSON.parse(stdout)).toMatchObject({ keys: [{ name: 'backup' }], count: 1, total: 2 });
  });

  it('names each wrong option', async () => {
    const wrong = await run('ssh-keys', '--order-by', 'size', '--limit', 'few', '--offset', '-1');

    expect(wrong.exitCode).not.toBe(0);
    expect(wrong.stderr).toMatch(/orderBy +must be one of created_at.asc/);
    expect(wrong.stderr).toMatch(/offset +must be at least 0/);
    expect(wrong.stderr).toMatch(/limit +must be a number/);
  });

  it('reads the keys again each time', async () => {
    const second = await world.withWorker(async () => {
      await run('ssh-keys');
      await makeKey('new');
      return run('ssh-keys');
    });

    expect(JSON.parse(second.stdout)).toMatchObject({ count: 3 });
  });

  it('makes a run that the other commands know', async () => {
    const { result, watched, explained, cancelled } = await world.withWorker(async () => {
      const { stderr } = await run('ssh-keys');
      const id = /^Run (\S+)$/m.exec(stderr)?.[1] ?? '';
      return {
        result: await run('result', id),
        watched: await run('watch', id),
        explained: await run('explain', id),
        cancelled: await run('cancel', id),
      };
    });

    expect(JSON.parse(result.stdout)).toMatchObject({ count: 2 });
    expect(watched.stdout).toBe(result.stdout);
    expect(explained.stdout).toContain('(listSshKeys)');
    expect(explained.stdout).toContain('It only reads: nothing was changed.');
    expect(cancelled).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('RunEnded') });
  });

  it('names a fault of its options without a server', async () => {
    const { exitCode, stderr } = await run('ssh-keys', '--name', '', '--account', 'A b');

    expect(exitCode).toBe(64);
    expect(stderr).toMatch(/account +must be the name of an account/);
    expect(stderr).toMatch(/name +must not be empty/);
  });
});
