import { readFile } from 'node:fs/promises';

import { describe, expect, it } from '@jest/globals';

import { parseMutations, readMutations, searchOf } from '../../bench/mutation-list.js';

describe('the mutation run', () => {
  it.each(readMutations())('finds its line once: $name', async ({ file, line }) => {
    const source = await readFile(file, 'utf8');

    expect(source.split(line)).toHaveLength(2);
  });
});

describe('a list of mutations', () => {
  it('has several lines of one file, each with its tests or for the matrix', () => {
    const list = [
      'For readers.',
      '--- a.ts',
      '@@ one',
      '-  x();',
      '-',
      '@@ two @@ a/b',
      '-y',
      '+z',
    ];

    expect(parseMutations(`${list.join('\n')}\n`)).toEqual([
      { name: 'one', file: 'a.ts', line: '  x();\n', broken: '' },
      { name: 'two', file: 'a.ts', line: 'y', broken: 'z', tests: 'a/b' },
    ]);
  });

  it('has the search that notices a line, where no tests do', () => {
    const range = ['--from', '90001', '--seeds', '300'];

    expect(searchOf("--only runBatch --kinds 'empty list,operator'")).toEqual([
      ...range,
      ...['--only', 'runBatch', '--kinds', 'empty list,operator'],
    ]);
    expect(searchOf()).toEqual([...range, '--plain', '--from', '1', '--seeds', '600']);
    expect(searchOf('engine/http')).toBeUndefined();
  });

  it.each(['@@ no line', '@@ no change\n-x\n+x', '@@ no sign\n-x\ny'])('refuses %j', (hunk) => {
    expect(() => parseMutations(`--- a.ts\n${hunk}\n`)).toThrow('no change of a line');
  });
});
