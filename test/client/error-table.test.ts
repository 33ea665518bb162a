import { describe, expect, it } from '@jest/globals';

import { toKnownError } from '../../src/client/error-table.js';
import * as client from '../../src/client/index.js';
import { RunFailedError } from '../../src/client/index.js';
import { ERRORS_OF } from '../support/errors-of-the-client.js';

const ALL = Object.entries(ERRORS_OF).flatMap(([kind, errors]) =>
  errors.map((error) => ({ kind, name: error.name, error })),
);

/** Only the commands of deployments meet these, and they have their texts. */
const OF_ONE_COMMAND = ['DeploymentNotFoundError', 'PromotionRefusedError'];

const isErrorClass = (value: unknown): value is new () => Error =>
  typeof value === 'function' && value.prototype instanceof Error;

describe('the table of errors', () => {
  it('knows every error that the client exports', () => {
    const exported = Object.values(client)
      .filter(isErrorClass)
      .filter(({ name }) => !OF_ONE_COMMAND.includes(name));

    const known = new Set<unknown>(ALL.map(({ error }) => error.constructor));
    const unknown = exported.filter((it) => !known.has(it)).map(({ name }) => name);

    expect(exported.length).toBeGreaterThan(10);
    expect(unknown).toEqual([]);
  });

  it.each(ALL)('says the kind of $name: $kind', ({ kind, error }) => {
    expect(toKnownError(error)).toMatchObject({ kind, error });
  });

  it.each(ALL)('says what $name is, what happened and what to do', ({ error }) => {
    const { title, message, advice } = toKnownError(error) ?? {};

    expect(title).toMatch(/^[A-Z].*[a-z]$/);
    expect(message).toMatch(/^["A-Z].*\.$/);
    expect(advice).toMatch(/^[A-Z].*[.)]$/);
    expect(message).not.toContain(advice);
  });

  it('knows no error that nobody has foreseen', () => {
    expect(toKnownError(new TypeError('x is undefined'))).toBeUndefined();
    expect(toKnownError('a text')).toBeUndefined();
  });

  it('tells the faults of a failed run apart from what happened', () => {
    const faults = [{ path: 'projectId', message: 'must be a number' }];
    const error = new RunFailedError('run', {
      type: 'InvalidInput',
      message: 'The input has 1 fault:\n  projectId: must be a number Correct it.',
      details: { advice: 'Correct it.', faults },
    });

    expect(toKnownError(error)).toMatchObject({
      code: 'InvalidInput',
      message: 'The input has 1 fault.',
      advice: 'Correct it.',
      faults,
    });
  });
});
