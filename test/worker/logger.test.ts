import { runInNewContext } from 'node:vm';

import { describe, expect, it } from '@jest/globals';
import type { LogEntry } from '@temporalio/worker';

import { createLogger, toLine } from '../../src/worker/logger.js';

function lineOf(meta: Record<string, unknown>, change: Partial<LogEntry> = {}): unknown {
  const line = toLine({
    level: 'INFO',
    timestampNanos: 1_779_512_851_250_000_000n,
    message: 'Something happened',
    meta,
    ...change,
  });
  return JSON.parse(line);
}

const HEAD = {
  time: '2026-05-23T05:07:31.250Z',
  level: 'INFO',
  message: 'Something happened',
};

describe('toLine', () => {
  it('writes one line of JSON with time, level, message and facts', () => {
    const line = lineOf({ workflowId: 'w-1', attempt: 2, text: 'two\nlines' });

    expect(line).toEqual({ ...HEAD, workflowId: 'w-1', attempt: 2, text: 'two\nlines' });
  });

  it('writes name and message of an error from another realm, such as the workflow sandbox', () => {
    const error: unknown = runInNewContext(
      'Object.assign(new TypeError("no"), { headers: { cookie: "c" } })',
    );

    const line = lineOf({ error });

    expect(line).toEqual({ ...HEAD, error: { name: 'TypeError', message: 'no' } });
  });

  it('keeps its own fields when a fact has the same name', () => {
    const line = lineOf({ message: 'other', level: 'other', time: 'other' });

    expect(line).toEqual(HEAD);
  });

  it('leaves out facts that JSON cannot hold', () => {
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;

    const line = lineOf(circular);

    expect(line).toEqual(HEAD);
  });

  it('writes an entry without facts', () => {
    const line = toLine({ level: 'WARN', timestampNanos: 0n, message: 'm' });

    expect(line).toBe('{"time":"1970-01-01T00:00:00.000Z","level":"WARN","message":"m"}');
  });

  it.each([
    'taskToken',
    'authorization',
    'Authorization',
    'password',
    'user_data',
    'apiKey',
    'api_key',
    'x-api-key',
    'apikey',
    'secret',
    'clientSecret',
    'accessToken',
  ])('hides %s at every depth', (key) => {
    const line = lineOf({ [key]: 'canary', nested: { list: [{ [key]: 'canary', kept: 1 }] } });

    expect(line).toEqual({ ...HEAD, nested: { list: [{ kept: 1 }] } });
  });

  it('writes only the name and message of an error', () => {
    const cause = Object.assign(new Error('inner canary'), { headers: { cookie: 'canary' } });
    const error = Object.assign(new TypeError('outer words', { cause }), {
      details: ['canary'],
      request: { body: 'canary' },
    });

    const line = lineOf({ error });

    expect(line).toEqual({ ...HEAD, error: { name: 'TypeError', message: 'outer words' } });
  });

  it('writes a big integer as text', () => {
    const line = lineOf({ durationNanos: 12_345_678_901_234_567_890n });

    expect(line).toEqual({ ...HEAD, durationNanos: '12345678901234567890' });
  });
});

describe('createLogger', () => {
  it('writes entries of its level and above, one line each', () => {
    const lines: string[] = [];
    const logger = createLogger('WARN', (line) => lines.push(line));

    logger.info('quiet');
    logger.warn('loud', { taskToken: 'canary', taskQueue: 'q' });
    logger.error('louder', { error: new Error('words') });

    const entries = lines.map((line): unknown => JSON.parse(line));
    expect(entries).toEqual([
      expect.objectContaining({ level: 'WARN', message: 'loud', taskQueue: 'q' }),
      expect.objectContaining({ level: 'ERROR', error: { name: 'Error', message: 'words' } }),
    ]);
    expect(lines.join()).not.toMatch(/canary|\n/);
  });
});
