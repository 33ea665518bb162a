import { mkdirSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';
import { DefaultLogger } from '@temporalio/worker';

import { createApiKeys } from '../../src/activities/index.js';
import { followKey } from '../../src/worker/follow-key.js';
import { withAccountFiles, type AccountFiles } from '../support/inputs/account-files.js';
import { until } from '../support/timing/until.js';

const FIRST = 'first-canary';
const SECOND = 'second-canary';
const LOOK_MS = 10;

interface Followed {
  path: string;
  current: () => string;
  /** Messages of the log, with the reason. */
  said: string[];
  replaced: () => number;
}

/** Follows a key file. The first look has seen it when the test begins. */
async function following(
  place: (files: AccountFiles) => string,
  test: (followed: Followed, files: AccountFiles) => Promise<void>,
): Promise<void> {
  await withAccountFiles(async (files) => {
    const path = place(files);
    const keys = createApiKeys(FIRST);
    const said: string[] = [];
    let replaced = 0;
    const logger = new DefaultLogger('DEBUG', ({ level, message, meta = {} }) => {
      expect(JSON.stringify(meta)).not.toContain('canary');
      const reason = 'reason' in meta ? `: ${String(meta['reason'])}` : '';
      said.push(`${level} ${message}${reason}`);
    });
    const stop = followKey({
      account: 'blue',
      path,
      keys,
      logger,
      everyMs: LOOK_MS,
      onReplaced: () => {
        replaced += 1;
      },
    });
    try {
      await test({ path, current: keys.current, said, replaced: () => replaced }, files);
    } finally {
      stop();
    }
  });
}

function file({ write }: AccountFiles): string {
  return write('blue.key', `${FIRST}\n`);
}

/** As Kubernetes mounts it: key -> ..data/key, ..data -> a folder with a time. */
function mounted({ folder }: AccountFiles): string {
  writeVersion(folder, { version: '..1', key: FIRST });
  symlinkSync('..1', join(folder, '..data'));
  symlinkSync(join('..data', 'key'), join(folder, 'key'));
  return join(folder, 'key');
}

function writeVersion(folder: string, { version, key }: { version: string; key: string }): void {
  mkdirSync(join(folder, version));
  writeFileSync(join(folder, version, 'key'), key);
}

describe('a key file', () => {
  it('brings a new key when it is written', () =>
    following(file, async ({ path, current, said, replaced }) => {
      writeFileSync(path, `${SECOND}\n`);

      await until('the key is replaced', () => current() === SECOND);

      expect(replaced()).toBe(1);
      expect(said).toEqual(['INFO The key of the account was replaced']);
    }));

  it('brings a new key when an editor renames another file over it', () =>
    following(file, async ({ path, current }, { write }) => {
      renameSync(write('blue.key~', SECOND), path);

      await until('the key is replaced', () => current() === SECOND);
    }));

  it('brings a new key when Kubernetes swaps its symbolic link', () =>
    following(mounted, async ({ current, said }, { folder }) => {
      writeVersion(folder, { version: '..2', key: SECOND });
      symlinkSync('..2', join(folder, '..data_tmp'));
      renameSync(join(folder, '..data_tmp'), join(folder, '..data'));
      rmSync(join(folder, '..1'), { recursive: true });

      await until('the key is replaced', () => current() === SECOND);

      expect(said).toEqual(['INFO The key of the account was replaced']);
    }));

  it.each<[what: string, (path: string) => void, reason: string]>([
    [
      'is empty',
      (path) => {
        truncateSync(path);
      },
      'must be an API key',
    ],
    [
      'is deleted',
      (path) => {
        rmSync(path);
      },
      'cannot be read (ENOENT)',
    ],
    [
      'holds two words',
      (path) => {
        writeFileSync(path, 'two canary');
      },
      'must be an API key',
    ],
    [
      'is a folder',
      (path) => {
        rmSync(path);
        mkdirSync(path);
      },
      'is not a file',
    ],
  ])('that %s leaves the former key, and is reported once', (_what, spoil, reason) =>
    following(file, async ({ path, current, said, replaced }) => {
      spoil(path);
      await until('it is reported', () => said.length > 0);
      await untilLooks(5);
      const meanwhile = [...said];
      rmSync(path, { recursive: true, force: true });
      writeFileSync(path, FIRST);
      await until('it is in order again', () => said.at(-1)?.includes('in order again') === true);

      expect(meanwhile).toEqual([expect.stringMatching(/^WARN .*the former key stays/)]);
      expect(meanwhile[0]).toContain(reason);
      expect([current(), replaced()]).toEqual([FIRST, 0]);
    }),
  );

  it('that was replaced between the start and the first look is noticed', () =>
    following(
      ({ write }) => write('blue.key', SECOND),
      async ({ current, replaced }) => {
        await until('the key is replaced', () => current() === SECOND);

        expect(replaced()).toBe(1);
      },
    ));
});

async function untilLooks(count: number): Promise<void> {
  const end = performance.now() + count * LOOK_MS;
  await until('time has passed', () => performance.now() >= end);
}
