import { describe, expect, it } from '@jest/globals';

import { toKnownError } from '../../src/client/error-table.js';
import { ScheduleConflictError } from '../../src/client/errors.js';
import { RequestConflictError } from '../../src/client/index.js';
import { differingPaths } from '../../src/client/intent.js';
import { noWorkerProblem, toProblem } from '../../src/gateway/to-problem.js';
import { ERRORS_OF } from '../support/errors-of-the-client.js';

const ALL = Object.values(ERRORS_OF).flatMap((errors) =>
  errors.map((error) => ({ name: error.name, error })),
);

describe('the problem of an error', () => {
  it.each([
    ['InvalidInput', 400],
    ['RequestConflict', 409],
    ['RunEnding', 503],
    ['RunNotFound', 404],
    ['RunFailed', 422],
    ['Cancelled', 422],
    ['RunEnded', 409],
    ['Refused', 409],
    ['NoAnswer', 503],
    ['DecryptionFailed', 503],
    ['TemporalRefuses', 502],
    ['TemporalUnreachable', 503],
  ] as const)('of the kind %s has the status %i', (kind, status) => {
    const statuses = ERRORS_OF[kind].map((error) => toProblem(error).status);

    expect(new Set(statuses)).toEqual(new Set([status]));
  });

  it.each(ALL)('says when to come again just where that alone may help: $name', ({ error }) => {
    const isTold = toProblem(error).headers?.['Retry-After'] !== undefined;

    expect(isTold).toBe(toKnownError(error)?.retryable);
  });

  it('is unexpected for an error that the table does not know, and says nothing of it', () => {
    const problem = toProblem(new TypeError('s3cret'));

    expect(problem).toMatchObject({ status: 500, code: 'Unexpected' });
    expect(JSON.stringify(problem)).not.toContain('s3cret');
  });

  it('of a run that nobody answers for is told alike, by an error or without one', () => {
    const [unanswered] = ERRORS_OF.NoAnswer;
    const { status, code, title, headers } = toProblem(unanswered);

    expect(noWorkerProblem('run')).toMatchObject({ status, code, title, headers });
  });

  it('names the first difference of an input by its place in the body', () => {
    const conflict = new RequestConflictError('run', 'open', ['instance.flavor', 'instance.name']);

    expect(toProblem(conflict)).toMatchObject({
      detail:
        'The run of this request is open with another input. Nothing was started. The first difference is at /instance/flavor.',
      faults: [{ pointer: '/instance/flavor' }, { pointer: '/instance/name' }],
    });
  });

  it('repeats no long name of an input that differs', () => {
    const asked = (size: number) => ({
      ['a'.repeat(60_000)]: Array.from({ length: 30 }, (_, at) => size + at),
    });
    const paths = differingPaths(asked(1), asked(100));

    for (const error of [
      new RequestConflictError('run', 'open', paths),
      new ScheduleConflictError('nightly', paths),
    ])
      expect(JSON.stringify(toProblem(error)).length).toBeLessThan(64 * 1_024);
  });

  it('of a cancelled run claims nothing about what is left: an import keeps its videos, a batch its runs', () => {
    const [cancelled] = ERRORS_OF.Cancelled;

    expect(toProblem(cancelled)).toMatchObject({
      detail: 'The run was cancelled.',
      advice:
        'See what it has left: GET /v1/runs/{id}/explanation. The same request may start again.',
    });
  });

  it('of a failed run tells advice and faults once, and the other details of the failure', () => {
    const [failed] = ERRORS_OF.RunFailed;
    const problem = toProblem(failed);

    expect(problem).toMatchObject({ detail: 'It broke.', advice: 'Look at it.' });
    expect(JSON.parse(JSON.stringify(problem.failure))).toEqual({ step: 'create instance' });
  });
});
