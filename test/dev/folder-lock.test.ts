import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { lockFolder, stopHolder } from '../../src/dev/folder-lock.js';

let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lock-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

/** A process that holds the lock and says nothing about itself. */
async function startHolder() {
  const source = `require('node:net').createServer().listen(process.argv[1], () => console.log('up'))`;
  const child = spawn(process.execPath, ['-e', source, '--', join(folder, 'lock')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return {
    child,
    async kill() {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

describe('the lock of a folder', () => {
  it('lets another process ask its holder to end, and waits until it has', async () => {
    const lock = await lockFolder(folder);
    // As a worker that finishes its calls.
    const ended = lock.stopAsked.then(() => delay(300)).then(lock.release);

    const holder = await stopHolder(folder);

    expect(holder).toBe(`process ${process.pid}`);
    expect(await stopHolder(folder)).toBeUndefined();
    await ended;
  });

  it('is not ended by a look at it', async () => {
    const lock = await lockFolder(folder);
    let asked = false;
    void lock.stopAsked.then(() => (asked = true));

    await expect(lockFolder(folder)).rejects.toThrow('is in use');

    expect(asked).toBe(false);
    await lock.release();
  });

  it('refuses a second user and names the first one with what it announced', async () => {
    const lock = await lockFolder(folder);
    lock.announce('Temporal at 127.0.0.1:7233');

    const second = lockFolder(folder);

    await expect(second).rejects.toThrow(
      `The folder ${folder} is in use by another process: process ${process.pid}, Temporal at 127.0.0.1:7233.`,
    );
    await lock.release();
  });

  it('is free after its release', async () => {
    const first = await lockFolder(folder);
    await first.release();

    const second = await lockFolder(folder);

    await second.release();
    expect(existsSync(join(folder, 'lock'))).toBe(false);
  });

  it('is taken over from a process that was killed', async () => {
    const holder = await startHolder();
    await holder.kill();
    expect(existsSync(join(folder, 'lock'))).toBe(true);

    const lock = await lockFolder(folder);

    await expect(lockFolder(folder)).rejects.toThrow('in use');
    await lock.release();
  });

  it('stays with a process that is alive and does not answer', async () => {
    const holder = await startHolder();
    holder.child.kill('SIGSTOP');

    await expect(lockFolder(folder)).rejects.toThrow('it does not answer');

    await holder.kill();
  });

  it('belongs to one of many processes that find the same stale file', async () => {
    const holder = await startHolder();
    await holder.kill();

    const tries = await Promise.allSettled(Array.from({ length: 8 }, () => lockFolder(folder)));

    const locks = tries.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    expect(locks).toHaveLength(1);
    await Promise.all(locks.map((lock) => lock.release()));
  });
});
