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

  it('names what is no list', async () => {
    const { exitCode, stderr } = await run('upload', 'delete', 'fleet.jsonl');

    expect(exitCode).toBe(64);
    expect(stderr).toContain('upload:ACCOUNT/SHA256');
  });
});
