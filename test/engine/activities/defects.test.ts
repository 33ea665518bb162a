import { describe, expect, it } from '@jest/globals';
import { CancelledFailure, ApplicationFailure } from '@temporalio/common';
import { z } from 'zod';

import { isDefect, toDefect } from '../../../src/engine/activities/defects.js';
import { nameDefects } from '../../../src/worker/name-defects.js';
import { inActivity } from '../../support/http/in-activity.js';

function thrownBy(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error;
  }
}

const withCode = (code: string): Error => Object.assign(new Error('it failed'), { code });

describe('a defect', () => {
  it.each([
    ['URIError', () => encodeURIComponent('\ud800')],
    ['TypeError', (): unknown => Reflect.construct(Map, [1])],
    ['RangeError', () => new Date(Number.NaN).toISOString()],
    ['SyntaxError', (): unknown => JSON.parse('{')],
    ['TypeError with a code of Node', () => new URL('nowhere')],
    ['ZodError', () => z.string().parse(1)],
  ])('is what the code itself throws: %s', (_name, act) => {
    expect(isDefect(thrownBy(act))).toBe(true);
  });

  it.each([
    ['a failure that has a type', ApplicationFailure.create({ type: 'NotFound' })],
    ['a cancellation', new CancelledFailure('cancelled')],
    ['a lost connection', withCode('ECONNRESET')],
    ['a full disk', withCode('ENOSPC')],
    ['an answer of the Temporal server', Object.assign(new Error('14 UNAVAILABLE'), { code: 14 })],
    ['a failed fetch', new TypeError('fetch failed', { cause: withCode('ECONNREFUSED') })],
    ['an abort', new DOMException('aborted', 'AbortError')],
    ['no error', 'text'],
    ['nothing', undefined],
  ])('is not %s: that may pass', (_what, error) => {
    expect(isDefect(error)).toBe(false);
  });

  it('is named, never repeated, and quotes nothing that the activity was given', () => {
    const failure = toDefect(new TypeError('"hunter2 ü" is no header, "key 17" neither'), [
      { password: 'hunter2 ü', deep: [{ key: 'key 17' }] },
    ]);

    expect(failure).toMatchObject({ type: 'Defect', nonRetryable: true });
    expect(failure.message).toMatch(
      /^The worker met a defect of its own \(TypeError: "\[redacted\]" is no header, "\[redacted\]" neither\)\. \S/,
    );
    expect(failure.cause).toBeUndefined();
  });

  it('of a parser is named without its message, which quotes the text', () => {
    const failure = toDefect(new SyntaxError('Unexpected token h, "hunter2" is not JSON'), []);

    expect(failure.message).toContain('(SyntaxError).');
    expect(failure.message).not.toContain('hunter2');
  });
});

describe('the interceptor of all activities', () => {
  const run = (error: Error, given: unknown = 'a'): Promise<unknown> =>
    inActivity(async () => {
      const { Context } = await import('@temporalio/activity');
      const execute = nameDefects(Context.current()).inbound?.execute;
      return execute?.({ args: [given], headers: {} }, () => Promise.reject(error));
    });

  it('names a defect', async () => {
    await expect(run(new URIError('URI malformed'))).rejects.toMatchObject({
      type: 'Defect',
      message: expect.stringContaining('(URIError: URI malformed)'),
    });
  });

  it('keeps its message to itself where a secret was put in: that may be quoted', async () => {
    const error = new TypeError('Cannot convert hunter2');

    await expect(run(error, { body: [{ $secret: 'web' }] })).rejects.toMatchObject({
      type: 'Defect',
      message: expect.not.stringContaining('hunter2'),
    });
  });

  it('leaves everything else as it is', async () => {
    const lost = withCode('ECONNRESET');

    await expect(run(lost)).rejects.toBe(lost);
  });
});
