import { describe, expect, it } from '@jest/globals';

import { STORAGES_PATH } from '../../support/worlds/sftp-storages.js';
import { KEYS_PATH, PUBLIC_KEY } from '../../support/worlds/ssh-keys.js';
import type { CliWorld } from '../../support/cli/cli-world.js';
import type { Captured } from '../../support/cli/run-captured.js';
import { openCli } from '../open-cli.js';

let world: CliWorld;

const cli = openCli('each', async (opened) => {
  world = opened;
  for (const name of ['ingest', 'audit']) {
    await send(KEYS_PATH, { name, public_key: PUBLIC_KEY });
  }
  await send(STORAGES_PATH, { name: 'films', location_name: 's-region-1', password_mode: 'none' });
});

/** Keys have the ids 1 and 2, the storage 3, in the order in which they are made. */
async function send(path: string, body: unknown): Promise<void> {
  const headers = { authorization: 'apikey test-key' };
  await world.simulator.fetch(`http://x${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
}

function run(...args: string[]): Promise<Captured> {
  return cli('grant-sftp', ...args);
}

const linked = (): unknown =>
  world.simulator.inventory().sftpStorages.map(({ id, ssh_key_ids: keys }) => ({ id, keys }));

describe('grant-sftp', () => {
  it('links keys and prints what is linked as JSON alone on stdout', async () => {
    const { exitCode, stdout, stderr } = await world.withWorker(async () => {
      const id = String(world.simulator.inventory().sftpStorages[0]?.id);
      return run(id, '--key', 'ingest', '--key', 'audit');
    });

    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      storageName: 'films',
      keys: [
        { id: 1, name: 'ingest', linked: true },
        { id: 2, name: 'audit', linked: true },
      ],
      changed: true,
    });
    expect(stderr).toMatch(/^Run grant-sftp-access\/default\/[0-9a-f-]{36}$/m);
    expect(stderr).toMatch(/\] link keys: verified, .*linked: 1, 2$/m);
    expect(linked()).toMatchObject([{ keys: [1, 2] }]);
  });

  it('looks again each time, unless the request is named', async () => {
    const { second, named, again } = await world.withWorker(async () => {
      const id = String(world.simulator.inventory().sftpStorages[0]?.id);
      await run(id, '--key', 'ingest');
      return {
        second: await run(id, '--key', 'ingest'),
        named: await run(id, '--key', 'audit', '--request-id', 'r-1'),
        again: await run(id, '--key', 'audit', '--request-id', 'r-1'),
      };
    });

    expect(JSON.parse(second.stdout)).toMatchObject({ changed: false });
    expect(JSON.parse(named.stdout)).toMatchObject({ changed: true });
    expect(again.stdout).toBe(named.stdout);
    expect(again.stderr).toContain('Already done: this request succeeded on ');
  });

  it.each([
    [['seven', '--key', 'a'], 'whole number'],
    [['7'], '--key'],
    [['7', '--key', 'a b'], 'keyNames[0]'],
    [['7', '--key', 'a', '--key', 'a'], 'keyNames[1]'],
  ])('refuses %j before anything is sent', async (args, message) => {
    const { exitCode, stderr } = await run(...args);

    expect(exitCode).toBe(64);
    expect(stderr).toContain(message);
  });
});
