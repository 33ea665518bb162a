import { describe, expect, it } from '@jest/globals';
import { Command } from 'commander';

import {
  labelsOf,
  takesLabels,
  withRunFields,
  type LabelOptions,
} from '../../../src/cli/input/run-options.js';

function parsed(...words: string[]): LabelOptions {
  const command = takesLabels(new Command('start')).exitOverride();
  command.configureOutput({ writeErr: () => undefined });
  return command.parse(words, { from: 'user' }).opts<LabelOptions>();
}

describe('the labels of a command', () => {
  it.each([
    [['--group', 'incident-42'], { group: 'incident-42' }],
    [['-l', 'team=media', '--label', 'by=a.b/c:d@e+f'], { team: 'media', by: 'a.b/c:d@e+f' }],
    [['-l', 'group=one', '--group', 'two'], { group: 'two' }],
  ])('%j are %j', (words, labels) => {
    expect(labelsOf(parsed(...words))).toEqual(labels);
  });

  it.each([
    ['-l', 'media', 'It must be of the form team=media'],
    ['-l', '=media', 'It must be of the form team=media'],
    ['-l', 'Team=media', 'Its name must be 1 to 32 of the letters a-z'],
    ['-l', 'team=', 'Its value must be 1 to 63'],
    ['-l', 'team=médias', 'Its value must be 1 to 63 of the letters a-z and A-Z, digits'],
    ['--group', 'a b', 'It must be 1 to 63'],
  ])('refuses %s %s: %s', (option, word, rule) => {
    expect(() => parsed(option, word)).toThrow(rule);
  });

  it('are none when none are given', () => {
    expect(labelsOf(parsed())).toBeUndefined();
  });
});

describe('the input of a file', () => {
  const options = { account: 'blue', label: { team: 'media' }, wait: true };

  it('has what the options add', () => {
    const labels = { team: 'web', order: '7' };

    expect(withRunFields({ storeId: 1, labels }, options)).toEqual({
      storeId: 1,
      account: 'blue',
      labels: { team: 'media', order: '7' },
    });
  });

  it.each([[null], [7], [[1, 2]]])('is left as it is when it is no object: %j', (input) => {
    expect(withRunFields(input, options)).toEqual(input);
  });
});
