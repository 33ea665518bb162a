import { describe, expect, it } from '@jest/globals';

import type { CommandOutline } from '../../src/cli/outline.js';
import { readOutlines } from '../../src/cli/run-cli.js';
import { runCaptured } from '../support/cli/run-captured.js';

const outlines = await readOutlines();

function pathsOf({ name, commands }: CommandOutline): string[][] {
  return [[name], ...commands.flatMap(pathsOf).map((path) => [name, ...path])];
}

const PATHS = [[], ['completion'], ...outlines.flatMap(pathsOf)];
const NOWHERE = ['--address', '127.0.0.1:1'];

/** Commands of the examples. The others are words that no line can hold. */
const TO_PASTE = /^(?:\w+ \S+ \| |\S+ <\()?gcore-workflows |^temporal .* \\$|^--\w|^\S+$/;

/** Lines that a terminal would break, or would have to cut. */
function brokenLines(text: string, columns: number): string[] {
  return text.split('\n').filter((line) => line.length > columns && !TO_PASTE.test(line.trim()));
}

describe.each([40, 80, 200])('on a terminal of %d columns', (columns) => {
  it.each(PATHS)('the help breaks at words: %s %s', async (...path) => {
    const { stdout } = await runCaptured([...path, '--help'], { columns });

    expect(stdout).toContain('Usage: ');
    expect(brokenLines(stdout, columns)).toEqual([]);
  });

  it.each([
    ['an unknown command', ['provison']],
    ['no word of those it may be', ['plan', 'nope', 'x']],
    ['faults of an input', ['provision', '-f', '-', ...NOWHERE]],
    ['a missing file', ['provision', '--file', 'no/such/file/of/mine.json']],
    ['no run', ['cancel']],
    ['a name that nobody may have', ['--as', 'gateway:me', 'list']],
    ['faults of the settings', ['doctor', '--address', 'http://x']],
  ])('an error breaks at words: %s', async (_what, args) => {
    const { stderr } = await runCaptured(args, {
      columns,
      stdin: '{"instance": {"flavour": "x"}}',
    });

    expect(stderr).toContain('what to do');
    expect(brokenLines(stderr, columns)).toEqual([]);
  });
});

describe('the examples of the help', () => {
  it.each(PATHS)('are whole on any terminal: %s %s', async (...path) => {
    const examplesOf = (help: string): string[] =>
      help
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line.startsWith('gcore-workflows '));
    const wide = await runCaptured([...path, '--help'], { columns: 200 });
    const narrow = await runCaptured([...path, '--help'], { columns: 40 });

    expect(examplesOf(narrow.stdout)).toEqual(examplesOf(wide.stdout));
  });
});
