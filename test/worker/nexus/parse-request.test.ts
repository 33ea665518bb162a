import { describe, expect, it } from '@jest/globals';

import { InvalidInputError } from '../../../src/client/index.js';
import { parseRequest } from '../../../src/worker/nexus/operation-handler.js';

function faultPathsOf(sent: unknown): string[] {
  try {
    parseRequest('listSshKeys', sent);
  } catch (error) {
    if (error instanceof InvalidInputError) return error.faults.map(({ path }) => path);
    throw error;
  }
  return [];
}

describe('the request of a call by Nexus', () => {
  it('carries an input, and may say more', () => {
    const all = { requestId: 'a', urgency: 'bulk', onConflict: 'join', input: { name: 'ingest' } };

    expect(parseRequest('listSshKeys', { input: {} })).toEqual({ input: {} });
    expect(parseRequest('listSshKeys', all)).toEqual(all);
  });

  it.each([
    ['nothing', undefined, ['(input)']],
    ['null', null, ['(input)']],
    ['a list', [], ['(input)']],
    ['the input alone', { name: 'ingest' }, ['input', 'name']],
    ['a null input', { input: null }, ['(input)']],
    [
      'fields of other types',
      { requestId: 7, urgency: 'now', input: {} },
      ['requestId', 'urgency'],
    ],
    ['an unknown field', { input: {}, workflowId: 'w' }, ['workflowId']],
    ['a plan', { input: { planOnly: true } }, ['planOnly']],
    ['a control character in the id', { requestId: 'a\nb', input: {} }, ['requestId']],
    ['an empty id', { requestId: '', input: {} }, ['requestId']],
    [
      'faults in both',
      { requestId: '\0', onConflict: 1, input: { nmae: 'x', onBlocked: 1 } },
      ['onConflict', 'requestId', 'onBlocked', 'nmae'],
    ],
  ])('with %s names every fault', (_name, sent, paths) => {
    expect(faultPathsOf(sent)).toEqual(paths);
  });
});
