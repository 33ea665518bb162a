import fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';

import { createHint } from '../../../src/cli/hint.js';
import { fit } from '../../../src/cli/output/fit.js';
import { coloured, toTerminalText, widthOf } from '../../../src/cli/output/terminal-text.js';

const hint = createHint({ programName: './gcore-workflows' }, { address: 'temporal.example:7233' });
const COMMAND = hint('explain', 'provision-instance/default/order-4711');

const plainWord = fc.stringMatching(/^[a-z,.東é]{1,12}$/);
const id = fc.uuid().map((text) => `provision-instance/default/${text}`);
const command = fc.array(plainWord, { minLength: 1, maxLength: 8 }).map((words) => hint(...words));
const painted = plainWord.map((word) => coloured('bad', word));
const word = fc.oneof({ weight: 8, arbitrary: plainWord }, id, command, painted);
const line = fc
  .tuple(fc.nat({ max: 8 }), fc.array(word, { minLength: 1 }), fc.constantFrom(' ', '  '))
  .map(([indent, words, gap]) => ' '.repeat(indent) + words.join(gap));
const width = fc.constantFrom(40, 80, 200);

describe('lines that fit a terminal', () => {
  it('are no wider than it, but for what is to be pasted, which is whole and alone', () => {
    fc.assert(
      fc.property(line, width, (text, columns) => {
        for (const part of fit([text], columns)) {
          const isAlone = !part.trim().includes(' ');
          expect(widthOf(part) <= columns || isAlone).toBe(true);
        }
      }),
    );
  });

  it('say the same as before', () => {
    fc.assert(
      fc.property(line, width, (text, columns) => {
        const wordsOf = (lines: readonly string[]): string[] =>
          lines.flatMap((part) => part.split(' ').map((one) => one.replace(/[.,;:]+$/, '')));

        expect(wordsOf(fit([text], columns)).filter(Boolean)).toEqual(
          wordsOf([text]).filter(Boolean),
        );
      }),
    );
  });

  it('continue below the last column', () => {
    expect(fit(['  what to do  Start a worker, and then look at it again.'], 40)).toEqual([
      '  what to do  Start a worker, and then',
      '              look at it again.',
    ]);
  });

  it('part a long command from the sentence that it stands in', () => {
    const lines = fit([`  what to do  Watch it again: ${COMMAND}, or wait.`], 60);

    expect(lines.map(toTerminalText)).toEqual([
      '  what to do  Watch it again:',
      './gcore-workflows explain provision-instance/default/order-4711 --address temporal.example:7233',
      '              or wait.',
    ]);
  });

  it('stay as they are without a terminal, and where they fit', () => {
    const text = `a  ${COMMAND}`;

    expect(fit([text, ''], undefined)).toEqual([text, '']);
    expect(fit([text, ''], 200)).toEqual([text, '']);
  });
});
