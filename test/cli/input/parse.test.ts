import { describe, expect, it } from '@jest/globals';

import { runCaptured } from '../../support/cli/run-captured.js';

describe('bad usage', () => {
  it.each([
    [
      'an option',
      ['provision', '--fil', 'input.json'],
      "unknown option '--fil' (Did you mean --file?)",
    ],
    [
      'an option',
      ['delete', 'x', '--volume', 'keep'],
      "unknown option '--volume' (Did you mean --volumes?)",
    ],
    ['a command', ['stauts', 'order-4711'], "unknown command 'stauts' (Did you mean status?)"],
    ['a command', ['help', 'stauts'], "unknown command 'stauts' (Did you mean status?)"],
  ])(
    'with %s misspelt names the word and suggests the right one: %j',
    async (_what, args, fault) => {
      const { exitCode, stdout, stderr } = await runCaptured(args);

      expect([exitCode, stdout]).toEqual([64, '']);
      expect(stderr).toContain(`Error: Usage: ${fault}\n`);
    },
  );

  it('names a missing option when none is misspelt', async () => {
    const { stderr } = await runCaptured(['provision', '--no-wait']);

    expect(stderr).toContain("required option '-f, --file <FILE>' not specified");
  });
});
