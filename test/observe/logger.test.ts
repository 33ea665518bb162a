import { runInNewContext } from 'node:vm';

import { describe, expect, it } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';
import { LogTimestamp } from '@temporalio/worker';

import { hideSecret } from '../../src/observe/known-secrets.js';
import { createLogger } from '../../src/observe/logger.js';
import { PLAIN_NAMES, SECRET_NAMES } from '../contract/wire/secret-names.js';
import { leastCpuMs } from '../support/timing/least-cpu-ms.js';

function lineOf(meta?: Record<string, unknown>, message = 'Something happened'): unknown {
  const lines: string[] = [];
  createLogger('INFO', (line) => lines.push(line)).info(message, {
    ...meta,
    [LogTimestamp]: 1_779_512_851_250_000_000n,
  });
  expect(lines).toEqual([expect.not.stringContaining('\n')]);
  return JSON.parse(lines.join(''));
}

const HEAD = {
  time: '2026-05-23T05:07:31.250Z',
  level: 'INFO',
  message: 'Something happened',
};

describe('a line of the log', () => {
  it('is JSON with time, level, message and facts', () => {
    const line = lineOf({ workflowId: 'w-1', attempt: 2, text: 'two\nlines' });

    expect(line).toEqual({ ...HEAD, workflowId: 'w-1', attempt: 2, text: 'two\nlines' });
  });

  it('has name and message of an error from another realm, such as the workflow sandbox', () => {
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

  it('ends where a fact goes round in a circle', () => {
    const circular: Record<string, unknown> = { kept: 1 };
    circular['self'] = circular;

    const line = lineOf({ circular });

    expect(line).toMatchObject({ ...HEAD, circular: { kept: 1, self: { kept: 1 } } });
    expect(JSON.stringify(line)).toContain('[cut]');
  });

  it('is short although many facts refer to each other', () => {
    const facts: Record<string, unknown> = {};
    for (let at = 0; at < 50; at++) facts[`fact${at}`] = facts;

    expect(JSON.stringify(lineOf({ facts })).length).toBeLessThan(50_000);
  });

  it('is written although a fact cannot be read', () => {
    const facts = {
      get broken(): string {
        throw new Error('no');
      },
    };

    const line = lineOf({ facts });

    expect(line).toEqual(HEAD);
  });

  it.each([...SECRET_NAMES, 'taskToken'])('hides %s at every depth', (key) => {
    const line = lineOf({
      [key]: 'canary',
      nested: {
        list: [{ [key]: { deep: ['canary'] }, kept: 1 }],
        env: [{ name: key, value: 'canary' }],
      },
      text: `${key}=canary, "${key}": "canary"`,
    });

    expect(line).toMatchObject({ ...HEAD, nested: { list: [{ kept: 1 }], env: [{ name: key }] } });
    expect(JSON.stringify(line)).not.toContain('canary');
  });

  it('shows what only looks like one', () => {
    const text = PLAIN_NAMES.map((name) => `${name}=x`).join(' ');

    for (const name of PLAIN_NAMES)
      expect(lineOf({ a: { [name]: 'x' } })).toMatchObject({ a: { [name]: 'x' } });
    expect(lineOf({ text })).toMatchObject({ text });
  });

  it('hides what its place says, and the path of a webhook', () => {
    const line = lineOf({
      tls: { key: 'canary', certificate: 'kept' },
      text: 'POST https://hooks.chat.example/services/T0/canary failed',
    });

    expect(line).toMatchObject({ tls: { certificate: 'kept' } });
    expect(JSON.stringify(line)).not.toContain('canary');
  });

  it('has the words of an error and of its causes, and nothing else of them', () => {
    const cause = Object.assign(new Error('inner words'), { headers: { cookie: 'canary' } });
    const error = Object.assign(new TypeError('outer words', { cause }), {
      request: { body: 'canary' },
      response: 'canary',
    });

    const line = lineOf({ error });

    expect(line).toEqual({
      ...HEAD,
      error: {
        name: 'TypeError',
        message: 'outer words',
        cause: { name: 'Error', message: 'inner words' },
      },
    });
  });

  it('names the request, the task and the place of a failure of the API', () => {
    const cause = ApplicationFailure.create({
      type: 'QuotaExceeded',
      message: 'POST /cloud/v2/instances/1/2 was answered with 403',
      details: [
        { requestId: 'r-1', taskId: 't-1', status: 403, advice: 'Ask.', resources: ['canary'] },
      ],
    });

    const line = lineOf({ error: new Error('Activity task failed', { cause }) });

    expect(line).toMatchObject({
      requestId: 'r-1',
      error: { cause: { type: 'QuotaExceeded', requestId: 'r-1', taskId: 't-1', status: 403 } },
    });
    expect(JSON.stringify(line)).not.toContain('canary');
  });

  it('writes a big integer as text', () => {
    const line = lineOf({ durationNanos: 12_345_678_901_234_567_890n });

    expect(line).toEqual({ ...HEAD, durationNanos: '12345678901234567890' });
  });
});

const TEXTS = [
  ['the password of a URL', 'GET https://me:canary@example.com/x failed', 'example.com/x failed'],
  [
    'the query of a URL',
    'GET https://example.com/x?sig=canary&a=1 failed',
    'example.com/x?*** failed',
  ],
  ['an API key', 'sent apikey 1234$0123456789abcanary0 to it', 'to it'],
  ['a permanent key alone', 'the key 1234$0123456789abcdef0123 is refused', 'is refused'],
  ['a bearer token', 'Authorization: Bearer canary-1234567 was sent', 'was sent'],
  ['a JSON Web Token', 'got eyJhbGciOiJI.eyJzdWIiOiIx.canary here', 'here'],
  ['a JSON field', '{"password":"canary canary","name":"web-1"}', '"name":"web-1"'],
  ['an assignment', 'user_data=canary, name=web-1', 'name=web-1'],
  [
    'a private key',
    'read -----BEGIN PRIVATE KEY-----\ncanary\n-----END PRIVATE KEY----- here',
    'here',
  ],
] as const;

describe('a text of the log', () => {
  it.each(TEXTS)('never shows %s', (_name, text, rest) => {
    const error = new Error('outer', { cause: new Error(text) });
    const line = JSON.stringify([lineOf({ facts: [{ text }], error }), lineOf({}, text)]);

    expect(line).not.toMatch(/canary|0123456789abcdef0123/);
    expect(line.split(JSON.stringify(rest).slice(1, -1))).toHaveLength(4);
  });

  it('never shows a secret that the process has named, in any form', () => {
    const secret = 'p&ss "w"/word';
    hideSecret(secret);
    const forms = [
      secret,
      JSON.stringify({ a: secret }),
      encodeURIComponent(secret),
      Buffer.from(secret).toString('base64'),
    ];

    const line = JSON.stringify(lineOf({ forms, nested: { [secret]: 1 } }, forms.join(' ')));

    for (const form of forms) expect(line).not.toContain(form);
    expect(line).toContain('***');
  });

  it.each([
    'GCORE_API_KEY_FILE cannot be read',
    'POST /cloud/v2/instances/1/76 was answered with 403 (no capacity)',
    'The token file has a fault',
    'https://example.com/a/b answered 500',
  ])('stays as it is without a secret: %s', (text) => {
    expect(lineOf({ text }, text)).toEqual({ ...HEAD, text, message: text });
  });

  it('is cut after its secrets are out', () => {
    const text = `${'x'.repeat(7_990)} password=canary`;

    expect(JSON.stringify(lineOf({ text }))).not.toContain('can');
  });

  // Beside a text that begins a scheme at each word, and holds none.
  it.each([
    ...[
      'password:',
      '"',
      'https://',
      'a://',
      'a://b?',
      'a://b@',
      'a@',
      '-----BEGIN ',
      'eyJ',
      ' eyJaaaaaa.',
    ],
    ...['1$a ', 'bearer ', `bearer${' '.repeat(99)}`, 'secret:', 'x'],
  ])('takes no long time, however often it has "%s"', async (part) => {
    const price = (unit: string): Promise<number> => {
      const text = unit.repeat(300_000 / unit.length);
      return leastCpuMs(0, () => lineOf({ text }));
    };

    expect(await price(part)).toBeLessThan(5 * (await price('a.')));
  });

  it('shows no credentials of the second URL of a word, and keeps the rest of a path', () => {
    const line = lineOf({ text: 'http://a,http://u:canary@b/c@d and https://e/f?g=canary' });

    expect(line).toMatchObject({ text: 'http://a,http://***@b/c@d and https://e/f?***' });
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
