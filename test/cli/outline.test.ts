import { Command } from 'commander';
import { describe, expect, it } from '@jest/globals';

import { addOutline, outlineOf, type CommandOutline } from '../../src/cli/outline.js';
import { readOutlines } from '../../src/cli/run-cli.js';

const outlines = await readOutlines();

/** The outline of the command that is made of an outline. */
function madeAgain(outline: CommandOutline): CommandOutline {
  const program = new Command();
  addOutline(program, outline, () => Promise.resolve());
  const [again] = program.commands.map(outlineOf);
  if (again === undefined) throw new Error('The outline adds nothing.');
  return again;
}

describe('the outline of a command', () => {
  it.each(outlines.map((outline) => [outline.name, outline] as const))(
    'says all that may be typed for %s',
    (_name, outline) => {
      expect(madeAgain(outline)).toEqual(outline);
      // The build writes it as JSON.
      expect(JSON.parse(JSON.stringify(outline))).toEqual(outline);
    },
  );

  it('knows commands, arguments, options, words and the notes of the help', () => {
    const schedule = outlines.find(({ name }) => name === 'schedule');
    const create = schedule?.commands.find(({ name }) => name === 'create');

    expect(create?.arguments.map(({ term }) => term)).toEqual(['<ID>', '<OPERATION>', '[FILE]']);
    expect(create?.options.find(({ flags }) => flags === '--overlap <RULE>')).toMatchObject({
      preset: 'skip',
      choices: expect.arrayContaining(['wait-all']),
    });
    expect(create?.notes).toMatch(/^\nExamples:\n.*changes nothing\.$/s);
    expect(schedule?.commands.find(({ name }) => name === 'resume')?.aliases).toEqual(['unpause']);
  });
});
