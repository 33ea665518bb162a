import { mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import { mergeResults } from '../../../src/cli/input/import-files.js';
import { checkResultsFile, writeResults } from '../../../src/cli/output/results-file.js';

const OLD = '{"line":1,"outcome":"viewable"}\n';

function folderWith(files: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'results-'));
  const at = (name: string) => join(folder, name);
  for (const [name, text] of Object.entries(files)) writeFileSync(at(name), text);
  const read = () =>
    Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(at(name), 'utf8')]));
  return { at, read };
}

describe('results', () => {
  it('keep those of an earlier run', async () => {
    const { at, read } = folderWith({ done: OLD, 'done.1': 'older' });

    const written = await writeResults(at('done'), [{ line: 2 }]);

    expect(written).toEqual({ count: 1, kept: at('done.2') });
    expect(read()).toEqual({ done: '{"line":2}\n', 'done.1': 'older', 'done.2': OLD });
  });

  it('take the place of the same results, and of those that they hold', async () => {
    const { at, read } = folderWith({ done: OLD });

    expect(await writeResults(at('done'), [{ line: 1, outcome: 'viewable' }])).toEqual({
      count: 1,
    });
    expect(await writeResults(at('done'), [{ line: 2 }], { holdsEarlier: true })).toEqual({
      count: 1,
    });
    expect(read()).toEqual({ done: '{"line":2}\n' });
  });

  it('leave what is there when they cannot be had', async () => {
    const { at, read } = folderWith({ done: OLD });
    async function* broken() {
      yield await Promise.resolve({ line: 1 });
      throw new Error('the server is away');
    }

    await expect(writeResults(at('done'), broken())).rejects.toThrow('the server is away');
    expect(read()).toEqual({ done: OLD });
  });

  it('go to what is no file too', async () => {
    expect(await writeResults('/dev/null', [{ line: 1 }])).toEqual({ count: 1 });
    await expect(writeResults('/dev/full', [{ line: 1 }])).rejects.toThrow('could not be written');
  });

  it('never take the place of their own list, whatever its name', () => {
    const { at } = folderWith({ list: OLD, other: OLD });
    symlinkSync(at('list'), at('link'));

    for (const results of ['list', 'link']) {
      expect(() => {
        checkResultsFile(at(results), at('list'));
      }).toThrow('A file is missing or has a fault.');
    }
    expect(() => {
      checkResultsFile(at('other'), at('list'));
      checkResultsFile(at('new'), at('list'));
      checkResultsFile(undefined, at('list'));
      checkResultsFile(at('new'), '-');
    }).not.toThrow();
  });

  it('that could not be written are refused before anything is sent', () => {
    const { at } = folderWith({ list: OLD, done: OLD });

    for (const results of ['missing/done', 'list/done', '.']) {
      expect(() => {
        checkResultsFile(at(results), at('list'));
      }).toThrow('A file is missing or has a fault.');
    }
    expect(() => {
      checkResultsFile(at('done'), at('list'));
      checkResultsFile('done-in-this-folder.jsonl', at('list'));
      checkResultsFile('/dev/null', at('list'));
    }).not.toThrow();
  });

  it('of a rerun stand in the place of their lines', async () => {
    const earlier = [4, 1, 2, 3].map((line) => ({ line, outcome: 'failed' }));
    async function* fresh() {
      yield* await Promise.resolve([2, 3, 6].map((line) => ({ line, outcome: 'viewable' })));
    }
    const merged: string[] = [];
    for await (const result of mergeResults(earlier, fresh())) {
      merged.push(Object.values(result).join(' '));
    }

    expect(merged).toEqual([...['1 failed', '2 viewable', '3 viewable', '4 failed', '6 viewable']]);
  });
});
