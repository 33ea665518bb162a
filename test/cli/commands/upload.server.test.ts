import { setTimeout as delay } from 'node:timers/promises';

import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';

import { add } from '../../support/worlds/kv-stores.js';
import { toLines } from '../../support/worlds/manifests.js';
import type { CliWorld } from '../../support/cli/cli-world.js';
import { runCaptured } from '../../support/cli/run-captured.js';
import { openCli } from '../open-cli.js';

let world: CliWorld;

const run = openCli('each', (opened) => {
  world = opened;
});

const uploadedSchema = z.object({ manifest: z.object({ url: z.string() }) });
const STDIN = toLines([add('a', 'b'), add('c', 'd')]);

async function upload(...more: string[]) {
  const line = ['upload', 'modify-kv-store', '-', ...more, ...world.server];
  const { stdout } = await runCaptured(line, { stdin: STDIN });
  return uploadedSchema.parse(JSON.parse(stdout)).manifest.url;
}

/** The server lists, and deletes, some time later. */
async function listedWhen(fits: (stdout: string) => boolean, ...more: string[]) {
  for (;;) {
    const { stdout } = await run('upload', 'list', ...more);
    if (fits(stdout)) return stdout;
    await delay(100);
  }
}

describe('upload', () => {
  it('shows what is kept, how much may be, and deletes it', async () => {
    const url = await upload();

    const listed = await listedWhen((text) => text.includes(url) && !text.includes('not whole'));
    const deleted = await run('upload', 'delete', url);
    const again = await run('upload', 'delete', url);
    const left = await listedWhen((text) => !text.includes(url));

    expect(url).toMatch(/^upload:default\/[0-9a-f]{64}$/);
    expect(listed).toMatch(/modifyKvStore +2 +1 kB +\d{4}-/);
    expect(listed).toMatch(/^Kept of you: 1 kB of 268436 kB; of the account: 1 kB of 1073742 kB/m);
    expect(deleted).toMatchObject({ exitCode: 0, stdout: `${url}\n` });
    expect(again).toMatchObject({ exitCode: 1 });
    expect(again.stderr).toContain('upload list');
    expect(left).toContain('Kept of you: 0 kB');
  });

  it('keeps a list for the runs of one account, and shows it there', async () => {
    const url = await upload('--account', 'blue');

    const blue = await listedWhen((text) => text.includes(url), '--account', 'blue');
    const { stdout } = await run('upload', 'list');

    expect(url).toMatch(/^upload:blue\//);
    expect(blue).toContain('of the account: 1 kB');
    expect(stdout).not.toContain(url);
  });

  it('says the limits of the environment, and refuses what is above them', async () => {
    process.env['GCORE_UPLOADS_CALLER_MIB'] = '2';
    process.env['GCORE_UPLOADS_LIST_MIB'] = '1';
    const long = toLines(Array.from({ length: 3 }, (_, at) => add(`k${at}`, 'x'.repeat(400_000))));
    try {
      const { stdout } = await run('upload', 'list');
      const refused = await runCaptured(['upload', 'modify-kv-store', '-', ...world.server], {
        stdin: long,
      });
      process.env['GCORE_UPLOADS_LIST_MIB'] = '65';
      const faulty = await run('upload', 'list');

      expect(stdout).toMatch(/^Kept of you: \d+ kB of 2098 kB;.* A list may have 1049 kB\.$/m);
      expect(refused.stderr).toContain('is above the limit of 1048576 bytes');
      expect([refused.exitCode, faulty.exitCode]).toEqual([64, 64]);
      expect(faulty.stderr).toContain(
        'GCORE_UPLOADS_LIST_MIB: must be a whole number from 1 to 64',
      );
    } finally {
      delete process.env['GCORE_UPLOADS_CALLER_MIB'];
      delete process.env['GCORE_UPLOADS_LIST_MIB'];
    }
  });

  it('names what is no list', async () => {
    const { exitCode, stderr } = await run('upload', 'delete', 'fleet.jsonl');

    expect(exitCode).toBe(64);
    expect(stderr).toContain('upload:ACCOUNT/SHA256');
  });
});
