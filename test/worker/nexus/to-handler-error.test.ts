import { describe, expect, it } from '@jest/globals';
import { WorkflowNotFoundError } from '@temporalio/client';
import { HandlerError } from 'nexus-rpc';

import { toKnownError } from '../../../src/client/error-table.js';
import {
  InvalidInputError,
  NoAnswerError,
  RequestConflictError,
  RunEndingError,
} from '../../../src/client/index.js';
import { toHandlerError } from '../../../src/worker/nexus/to-handler-error.js';
import { ERRORS_OF } from '../../support/errors-of-the-client.js';

describe('what a caller by Nexus gets when nothing was started', () => {
  it.each([
    ['BAD_REQUEST', new InvalidInputError([{ path: 'name', message: 'is missing' }])],
    ['CONFLICT', new RequestConflictError('w', 'open', ['name'])],
    ['NOT_FOUND', new WorkflowNotFoundError('not found', 'w', undefined)],
  ])('is %s when no repetition helps', (type, error) => {
    expect(toHandlerError(error)).toMatchObject({ type, retryable: false, message: error.message });
  });

  it.each([
    new RunEndingError('w', 3_000),
    new NoAnswerError('w', { update: 'join', waitedMs: 3_000, mayStillCome: false }),
  ])('is an error that the server repeats while the run cannot be joined: $name', (error) => {
    expect(toHandlerError(error)).toMatchObject({ type: 'UNAVAILABLE', retryable: true });
  });

  it.each(Object.values(ERRORS_OF).flat())(
    'is repeated just where that may help: $name',
    (error) => {
      const answer = toHandlerError(error);
      const retryable = answer instanceof HandlerError ? answer.retryable : undefined;

      expect([undefined, toKnownError(error)?.retryable]).toContain(retryable);
    },
  );

  it("is Temporal's own error otherwise", () => {
    const error = new Error('the server is away');

    expect(toHandlerError(error)).toBe(error);
    expect(error).not.toBeInstanceOf(HandlerError);
  });
});
