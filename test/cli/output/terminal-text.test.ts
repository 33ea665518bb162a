import { describe, expect, it } from '@jest/globals';

import { coloured, toTerminalText } from '../../../src/cli/output/terminal-text.js';
import { toErrorJson } from '../../../src/cli/output/render-problem.js';
import { ExitCode } from '../../../src/cli/cli-error.js';
import { runCaptured } from '../../support/cli/run-captured.js';

/** One of each kind: C0, DEL, C1, bidirectional, separators. */
const CONTROLS = [0x00, 0x07, 0x08, 0x0d, 0x1b, 0x7f, 0x80, 0x9b, 0x9d, 0x61c, 0x200e, 0x200f]
  .concat([0x2028, 0x2029, 0x202a, 0x202e, 0x2066, 0x2069])
  .map((code) => String.fromCharCode(code));

describe('toTerminalText', () => {
  it.each(CONTROLS.map((sign) => [JSON.stringify(sign), sign]))('escapes %s', (_title, sign) => {
    const shown = toTerminalText(`a${sign}b`);

    expect(shown).toBe(`a\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}b`);
  });

  it('keeps line breaks, tabs and letters of any language', () => {
    const text = 'a\n\tб 東京 é 👍';

    expect(toTerminalText(text)).toBe(text);
  });

  it('colours a text, but obeys no colour inside of it', () => {
    const shown = toTerminalText(coloured('bad', 'name \u001b[32m\u001b[2J'));

    expect(shown).toBe('\u001b[31mname \\u001b[32m\\u001b[2J\u001b[0m');
  });

  it('leaves JSON the same', () => {
    const value = { name: CONTROLS.join('x') };

    const text = toTerminalText(JSON.stringify(value));

    expect(JSON.parse(text)).toEqual(value);
    expect(CONTROLS.filter((sign) => text.includes(sign))).toEqual([]);
  });
});

describe('the command line', () => {
  it.each([[['--output', 'text']], [['--output', 'json']], [['--color', 'always']]])(
    'with %j writes no control of an id or an option to the terminal',
    async (options) => {
      const name = `x${CONTROLS.join('x')}`;

      const { stderr, stdout } = await runCaptured([...options, 'status', 'id', `--${name}`]);

      // eslint-disable-next-line no-control-regex -- colours are control characters
      const written = (stderr + stdout).replaceAll(/\u001b\[(?:31|0)m/g, '');
      expect(written).toContain('\\u009b');
      expect(CONTROLS.filter((sign) => written.includes(sign))).toEqual([]);
    },
  );

  it('reports the same problem as JSON', () => {
    const problem = { type: 'Usage', message: '\u009b2J', advice: '', exitCode: ExitCode.badInput };

    const text = toTerminalText(toErrorJson(problem));

    expect(JSON.parse(text)).toMatchObject({ error: { message: '\u009b2J' } });
    expect(text).not.toContain('\u009b');
  });
});
