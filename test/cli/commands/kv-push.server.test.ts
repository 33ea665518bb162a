import { readFile } from 'node:fs/promises';

import { describe, expect, it } from '@jest/globals';

import { add, contentOf } from '../../support/worlds/kv-stores.js';
import { toLines } from '../../support/worlds/manifests.js';
import type { CliWorld } from '../../support/cli/cli-world.js';
import { runCaptured } from '../../support/cli/run-captured.js';
import { openCli } from '../open-cli.js';

const ITEMS = 'examples/kv-items.json';

let world: CliWorld;
let store = 0;

const run = openCli('each', async (opened) => {
  world = opened;
  const headers = { authorization: 'apikey test-key' };
  const body = JSON.stringify({ name: 'edge' });
  await world.simulator.fetch('http://x/fastedge/v1/kv', { method: 'POST', headers, body });
  store = Number(world.simulator.snapshot().kvStores[0]?.id);
});

describe('kv-push', () => {
  it('writes the items of the example, and prints what was verified as JSON', async () => {
    const { exitCode, stdout, stderr } = await world.withWorker(() =>
      run('kv-push', ITEMS, '--store', String(store), '--verify', 'all'),
    );

    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ items: 3, verified: { mode: 'all', keys: 3 } });
    expect(stderr).toMatch(/^Run modify-kv-store\/default\/[0-9a-f-]{36}$/m);
    expect(contentOf(world.simulator, store)).toEqual({
      greeting: 'hello',
      scores: [
        ['ann', 12.5],
        ['bob', 7],
      ],
    });
  });

  it('uploads a list that is too long for a request, and names its faults before that', async () => {
    const values = { a: 'a'.repeat(600_000), b: 'b'.repeat(600_000) };
    const items = Object.entries(values).map(([key, value]) => add(key, value));
    const push = (list: readonly object[]) =>
      runCaptured(['kv-push', '-', '--store', String(store), ...world.server], {
        stdin: toLines(list),
      });

    const { bad, good } = await world.withWorker(async () => ({
      bad: await push([...items, { ...add('c', 'c'), op: 'replace' }]),
      good: await push(items),
    }));

    expect(bad.exitCode).toBe(64);
    expect(bad.stderr).toContain('stdin:3  op ');
    expect(good).toMatchObject({ exitCode: 0 });
    expect(good.stderr).toMatch(/^Uploaded 2 items \(1201 kB\)/m);
    expect(contentOf(world.simulator, store)).toEqual(values);
  });

  it('reads stdin, and writes the same once more unless the request is named', async () => {
    const stdin = await readFile(ITEMS, 'utf8');
    const push = (...more: string[]) =>
      runCaptured(['kv-push', '-', '--store', String(store), ...more, ...world.server], { stdin });

    const runs = await world.withWorker(async () => [
      await push(),
      await push(),
      await push('--request-id', 'named'),
      await push('--request-id', 'named'),
    ]);

    expect(runs.map(({ stdout }): unknown => JSON.parse(stdout))).toMatchObject([
      { revision: 1 },
      { revision: 2 },
      { revision: 3 },
      { revision: 3 },
    ]);
    expect(runs[3]?.stderr).toContain('Already done: this request succeeded on ');
  });

  it.each([
    [['--store', '1'], /items: is missing: set "items" or "manifest"/],
    [[ITEMS, '--store', '1', '--manifest', 'file:x.jsonl'], /manifest: cannot be combined/],
    [[ITEMS, '--store', '1', '--force'], /force: destroys/],
    [[ITEMS, '--store', '1', '--verify', 'some'], /verify: /],
    [[ITEMS], /--store/],
  ])('names a fault of %j without a server', async (args, fault) => {
    const { exitCode, stderr } = await run('kv-push', ...args);

    expect(exitCode).toBe(64);
    expect(stderr.replaceAll(/  +/g, ': ')).toMatch(fault);
  });
});
