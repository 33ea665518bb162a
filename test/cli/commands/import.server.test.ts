import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import { toLines } from '../../support/worlds/manifests.js';
import { manyVideos, video } from '../../support/worlds/videos.js';
import type { CliWorld } from '../../support/cli/cli-world.js';
import { runCaptured, type Captured } from '../../support/cli/run-captured.js';
import { openCli } from '../open-cli.js';

let world: CliWorld;

const cli = openCli('each', (opened) => {
  world = opened;
});

const at = (name: string) => join(world.folder, name);

function write(name: string, videos: readonly object[]): string {
  writeFileSync(at(name), toLines(videos));
  return at(name);
}

function results(name: string): unknown[] {
  const lines = readFileSync(at(name), 'utf8').trimEnd().split('\n');
  return lines.map((line): unknown => JSON.parse(line));
}

function run(...args: string[]): Promise<Captured> {
  return cli('import', ...args);
}

const PAGE = expect.stringMatching(/_slug2$/);

describe('import', () => {
  it('imports a local list, counts on stderr, and writes one line per video', async () => {
    const file = write('a.jsonl', manyVideos(3));
    const { exitCode, stdout, stderr } = await world.withWorker(() =>
      run(file, '--results', at('done.jsonl'), '--fields', 'slug,priority'),
    );

    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ counts: { asked: 3, succeeded: 3, failed: 0 } });
    expect(stderr).toMatch(/^Run import-videos\/default\/[0-9a-f]{12}$/m);
    expect(stderr).toMatch(/await videos: .*3 done, 0 failed, 0 pending/);
    expect(stderr).toContain('Wrote 3 results to ');
    expect(results('done.jsonl')).toEqual([
      { line: 1, id: 1, outcome: 'viewable', video: { id: 1, slug: 'slug1', priority: 0 } },
      { line: 2, id: 2, outcome: 'viewable', video: { id: 2, slug: 'slug2', priority: 0 } },
      { line: 3, id: 3, outcome: 'viewable', video: { id: 3, slug: 'slug3', priority: 0 } },
    ]);
  });

  it('reads the details that the run has not kept, as the command videos does', async () => {
    // One that waits for its file has no outcome, at which a run looks.
    const file = write('a.jsonl', [video('a'), { name: 'b' }]);
    const fields = ['--fields', 'slug,status,iframe_url'];
    const { imported, shown } = await world.withWorker(async () => ({
      imported: await run(file, '--results', at('done.jsonl'), ...fields),
      shown: await cli('videos', '2 9', ...fields),
    }));

    expect(imported.exitCode).toBe(0);
    expect(imported.stderr).toContain(
      'Details of 0 of 1 video read\nDetails of 1 of 1 video read\n',
    );
    const waiting = { id: 2, slug: 'slug2', status: 'empty' };
    expect(results('done.jsonl')).toEqual([
      { line: 1, id: 1, outcome: 'viewable', video: expect.objectContaining({ slug: 'slug1' }) },
      // Only the answer that made it says its page.
      { ...{ line: 2, id: 2, outcome: 'created' }, video: { ...waiting, iframe_url: PAGE } },
    ]);
    expect(JSON.parse(shown.stdout)).toEqual({ videos: [waiting], missing: '9' });
    expect(shown.stderr).toMatch(/read videos: verified, 1 video, 1 not listed$/m);
  });

  it('ends with 3 when videos failed, and reruns the failures of one class', async () => {
    write('a.jsonl', [video('a'), video('b', 'forbidden'), video('c', 'broken')]);
    const { first, second, third } = await world.withWorker(async () => ({
      first: await run('file:a.jsonl', '--request-id', 'one', '--results', at('done.jsonl')),
      second: await run(
        ...['file:a.jsonl', '--request-id', 'two', '--rerun', at('done.jsonl')],
        ...['--class', 'origin-forbidden', '--tolerate', '100%', '--results', at('again.jsonl')],
      ),
      third: await run(
        'file:a.jsonl',
        '--request-id',
        'three',
        '--rerun',
        at('done.jsonl'),
        '--class',
        'x',
      ),
    }));

    expect(first).toMatchObject({ exitCode: 3, stdout: '' });
    expect(first.stderr).toContain('2 of 3 videos failed');
    expect(results('done.jsonl')).toMatchObject([
      { line: 1, outcome: 'viewable' },
      { line: 2, outcome: 'failed', class: 'origin-forbidden' },
      { line: 3, outcome: 'failed', class: 'encoding' },
    ]);
    expect(second.exitCode).toBe(0);
    expect(results('again.jsonl')).toMatchObject([{ line: 2, id: 4 }]);
    expect(third.exitCode).toBe(64);
    expect(third.stderr).toContain('classes: origin-forbidden, encoding');
  });

  it('keeps all results of a rerun in one file, and never writes over its own list', async () => {
    const list = write('a.jsonl', [video('a'), video('b', 'forbidden'), video('c')]);
    const { over, again } = await world.withWorker(async () => {
      await run('file:a.jsonl', '--request-id', 'merge-1', '--results', at('all.jsonl'));
      return {
        again: await run(
          ...['file:a.jsonl', '--request-id', 'merge-2', '--tolerate', '100%'],
          ...['--rerun', at('all.jsonl'), '--results', at('all.jsonl')],
        ),
        over: await run(list, '--results', list),
      };
    });

    expect(again.exitCode).toBe(0);
    expect(results('all.jsonl')).toMatchObject([{ line: 1 }, { line: 2 }, { line: 3 }]);
    expect(over.exitCode).toBe(64);
    expect(over.stderr).toContain('is the list itself: name another file for --results');
    expect(results('a.jsonl')).toHaveLength(3);
  });

  it('makes a run that the other commands know', async () => {
    const file = write('a.jsonl', [video('a', 'broken')]);
    const { explained, status } = await world.withWorker(async () => {
      await run(file, '--request-id', 'known');
      const id = 'import-videos/default/known';
      return {
        explained: await runCaptured(['explain', id, ...world.server]),
        status: await runCaptured(['status', id, ...world.server]),
      };
    });

    expect(explained.stdout).toContain('(importVideos)');
    expect(explained.stdout).toContain('1 of 1 video failed');
    expect(status.stdout).toContain('await videos');
  });

  it('does not wait with --no-wait', async () => {
    const { stdout } = await run(write('a.jsonl', manyVideos(1)), '--request-id', 'x', '--no-wait');

    expect(stdout).toBe('import-videos/default/x\n');
  });

  it.each<[string, () => string[], string]>([
    ['a file that is not there', () => [at('none')], 'does not exist'],
    [
      'a line that is not JSON',
      () => {
        writeFileSync(at('b'), '{"name":"a"}\nhunter2');
        return [at('b')];
      },
      'b:2',
    ],
    [
      'credentials',
      () => [write('b', [{ name: 'a', origin_url: 'sftp://u:hunter2@h/a' }])],
      'b:1  origin_url must not contain credentials',
    ],
    ['a manifest without a name for the request', () => ['file:a.jsonl'], '--request-id'],
    ['a path out of the root', () => ['file:../a', '--request-id', 'x'], 'manifest.url'],
    ['a tolerance that is none', () => ['file:a', '--tolerate', '101%'], 'share such as 1%'],
  ])('refuses %s before it connects', async (...[, args, words]) => {
    const { exitCode, stderr } = await run(...args());

    expect(exitCode).toBe(64);
    expect(stderr).toContain(words);
    expect(stderr).not.toContain('hunter2');
  });
});
