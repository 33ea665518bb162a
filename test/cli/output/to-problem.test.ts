import { describe, expect, it } from '@jest/globals';
import { NamespaceNotFoundError } from '@temporalio/common';

import { renderProblem, toErrorJson } from '../../../src/cli/output/render-problem.js';
import { toProblem as toProblemWith } from '../../../src/cli/output/to-problem.js';
import {
  InvalidInputError,
  NoAnswerError,
  RequestConflictError,
  RunCancelledError,
  RunEndedError,
  RunFailedError,
  RunNotFoundError,
  UpdateRefusedError,
} from '../../../src/client/index.js';
import { ConfigurationError } from '../../../src/config.js';
import { FailureType } from '../../../src/contract/index.js';
import { ERRORS_OF, grpcError } from '../../support/errors-of-the-client.js';

const workflowId = 'provision-instance/default/order-4711';

const toProblem = (error: unknown) =>
  toProblemWith(error, (...words) => `gcore-workflows ${words.join(' ')} --namespace blue`);

const unanswered = { update: 'pause', waitedMs: 5_000 } as const;

function failed(type: string): RunFailedError {
  return new RunFailedError(workflowId, { type, message: 'It broke.', details: {} });
}

const quota = new RunFailedError(workflowId, {
  type: FailureType.quotaExceeded,
  message: 'No instances are left. Ask for more. Still there: volume v-1.',
  details: {
    advice: 'Ask for more.',
    step: 'create instance',
    method: 'POST',
    path: '/cloud/v2/instances/1/1',
    status: 403,
    code: 'QuotaLimitExceed',
    requestId: 'r-1',
    taskId: 't-1',
    resources: [
      { kind: 'volume', id: 'v-1' },
      { kind: 'instance', id: 'i-1' },
    ],
  },
});

describe('toProblem', () => {
  it.each([
    ['a run that failed', failed(FailureType.taskFailed), 1],
    ['a run that was terminated', failed('TerminatedFailure'), 1],
    ['a run that was cancelled', new RunCancelledError(workflowId), 2],
    ['a run of which items failed', failed(FailureType.itemsFailed), 3],
    ['a run without authorisation', failed(FailureType.unauthorized), 4],
    ['a client without authorisation', grpcError(16), 4],
    ['a client without permission', grpcError(7), 4],
    ['an input that only the worker could refuse', failed(FailureType.invalidInput), 64],
    ['a request with another input', new RequestConflictError(workflowId, 'open', []), 6],
    ['an input with faults', new InvalidInputError([]), 64],
    ['a faulty configuration', new ConfigurationError(['x']), 64],
    ['an unknown run', new RunNotFoundError(workflowId), 1],
    ['a run that has ended', new RunEndedError(workflowId, 'FAILED'), 1],
    [
      'an update that was refused',
      new UpdateRefusedError(workflowId, { message: 'x', details: {} }),
      1,
    ],
    [
      'an update without a worker',
      new NoAnswerError(workflowId, { ...unanswered, mayStillCome: false }),
      1,
    ],
    ['an unknown namespace', new NamespaceNotFoundError('x'), 1],
    ['a server that went away', grpcError(14), 1],
    ['a defect', new TypeError('x'), 1],
  ])('knows the exit code of %s', (_what, error, exitCode) => {
    expect(toProblem(error).exitCode).toBe(exitCode);
  });

  it('always has an advice', () => {
    const errors = [quota, new TypeError('x'), ...Object.values(ERRORS_OF).flat()];

    for (const error of errors) expect(toProblem(error).advice).not.toBe('');
  });
});

describe('the advice for an update that failed', () => {
  it.each([
    [new RunCancelledError(workflowId), `explain ${workflowId}`],
    [new RunEndedError(workflowId, 'FAILED'), `explain ${workflowId}`],
    [new RunNotFoundError(workflowId), 'list'],
    [new UpdateRefusedError(workflowId, { message: 'x', details: {} }), `explain ${workflowId}`],
    [new NoAnswerError(workflowId, { ...unanswered, mayStillCome: false }), 'worker'],
    [new NoAnswerError(workflowId, { ...unanswered, mayStillCome: true }), `explain ${workflowId}`],
    [
      new NoAnswerError(workflowId, { ...unanswered, mayStillCome: false, because: 'It fails.' }),
      `explain ${workflowId}`,
    ],
  ])('names the next command at the same server: %s', (error, command) => {
    expect(toProblem(error).advice).toContain(`gcore-workflows ${command} --namespace blue`);
  });

  it.each([
    [{ advice: 'Resume it.' }, 'Nothing was changed. Resume it. See where'],
    [{}, 'Nothing was changed. See where'],
  ])('repeats what the run advises with its refusal: %j', (details, advice) => {
    const refused = new UpdateRefusedError(workflowId, {
      message: 'The run is paused. Resume it.',
      details,
    });

    expect(toProblem(refused).advice).toContain(advice);
  });

  it('promises that nothing was changed only when that is certain', () => {
    const certain = new NoAnswerError(workflowId, { ...unanswered, mayStillCome: false });
    const open = new NoAnswerError(workflowId, { ...unanswered, mayStillCome: true });

    expect(toProblem(certain).message).toContain('was not sent: nothing was changed');
    expect(toProblem(open).message).toContain(
      'the Temporal server takes no more updates of this run now (it takes ten at a time). It may still be carried out',
    );
  });
});

describe('renderProblem', () => {
  it('says what happened, what still exists, where and what to do, each once', () => {
    expect(renderProblem(toProblem(quota))).toEqual([
      'Error: QuotaExceeded: No instances are left. Still there: volume v-1.',
      '  still there  instance i-1',
      '  at step      create instance',
      '  API call     POST /cloud/v2/instances/1/1: 403 QuotaLimitExceed',
      '  request id   r-1',
      '  task         t-1',
      `  run          ${workflowId}`,
      '  what to do   Ask for more.',
    ]);
  });

  it('lists every fault of an input once', () => {
    const faults = [
      { path: 'instance.flavor', message: 'is missing' },
      { path: 'projectId', message: 'must be a number' },
    ];

    const lines = renderProblem(toProblem(new InvalidInputError(faults)));

    expect(lines).toEqual([
      'Error: InvalidInput: The input has 2 faults. Nothing was started or changed.',
      '  instance.flavor  is missing',
      '  projectId        must be a number',
      '  what to do  Correct them and run the command again.',
    ]);
  });

  it('counts the faults of an input that are not named', () => {
    const faults = [
      { path: 'videos[0].name', message: 'is missing' },
      { path: '…', message: '699 more faults', count: 699 },
    ];

    const [first] = renderProblem(toProblem(new InvalidInputError(faults)));

    expect(first).toContain('The input has 700 faults.');
  });
});

describe('the problem of a request with another input', () => {
  it('names where the inputs differ, and each way out', () => {
    const conflict = new RequestConflictError(workflowId, 'succeeded', ['instance.flavor']);

    const lines = renderProblem(toProblem(conflict)).join('\n');

    expect(lines).toContain('has succeeded with another input. Nothing was started.');
    expect(lines).toMatch(/instance\.flavor +differs/);
    expect(lines).toContain('--request-id');
    expect(lines).toContain('--join');
  });
});

describe('toErrorJson', () => {
  it('writes the problem on one line', () => {
    const line = toErrorJson(toProblem(quota));

    expect(line).not.toContain('\n');
    expect(JSON.parse(line)).toEqual({
      error: {
        type: 'QuotaExceeded',
        message: 'No instances are left. Still there: volume v-1.',
        advice: 'Ask for more.',
        workflowId,
        details: quota.details,
      },
    });
  });
});
