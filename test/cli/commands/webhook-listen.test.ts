import { once } from 'node:events';
import { connect } from 'node:net';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';

import { createReceiver } from '../../../src/cli/commands/webhook/receive-webhook.js';
import {
  createWebhookFolder,
  NEXT_SECRET,
  SECRET,
  sendWebhook,
  signedWebhook,
  WEBHOOK_BODY,
  type SentWebhook,
  type WebhookFolder,
} from './webhook-listener.js';

const KIB = 1024;

let folder: WebhookFolder;

beforeAll(async () => {
  folder = await createWebhookFolder();
});

beforeEach(() => folder.writeSecrets(SECRET, ''));

afterEach(() => folder.stop());

afterAll(() => folder.remove());

const linesOf = (text: string): unknown[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line): unknown => JSON.parse(line));

describe('webhook listen', () => {
  it('prints a right webhook as one line of JSON, and answers 204', async () => {
    const listener = await folder.listen();

    expect(await sendWebhook(listener)).toBe(204);

    expect(listener.stdout()).toBe(`${JSON.stringify({ id: 'evt_1', ...WEBHOOK_BODY })}\n`);
    expect(listener.stderr()).toBe(`Listening at ${listener.url}. Ctrl-C stops.\n`);
  });

  it('prints an event once, however often it comes', async () => {
    const listener = await folder.listen();

    const statuses = [
      await sendWebhook(listener),
      await sendWebhook(listener),
      await sendWebhook(listener),
    ];

    expect(statuses).toEqual([204, 204, 204]);
    expect(linesOf(listener.stdout())).toHaveLength(1);
    expect(listener.stderr().match(/answered 204: evt_1 \(run\.failed\) came again/g)).toHaveLength(
      2,
    );
  });

  it('forgets the oldest of a thousand ids', async () => {
    const receive = createReceiver({ secretFile: folder.secretFile, answer: 204 });
    const isNew = async (id: string) => 'event' in (await receive(signedWebhook({ id })));

    for (let at = 0; at <= 1_000; at++) await isNew(`evt_${at}`);

    expect([await isNew('evt_1'), await isNew('evt_0')]).toEqual([false, true]);
  });

  it.each<[string, () => SentWebhook, string]>([
    ['another secret', () => ({ secret: NEXT_SECRET }), 'no signature fits: write the secret'],
    [
      'another body than the signed one',
      () => ({ headers: { 'webhook-signature': new Webhook(SECRET).sign('evt_1', now(), '{}') } }),
      'no signature fits',
    ],
    ['an old time', () => ({ sentAt: minutesAgo(6) }), '5 minutes off: set the clock'],
    ['a time in the future', () => ({ sentAt: minutesAgo(-6) }), '5 minutes off'],
    ['no time', () => ({ headers: { 'webhook-timestamp': 'soon' } }), '5 minutes off'],
    ['no signature', () => ({ headers: { 'webhook-signature': '' } }), 'a header is missing'],
  ])('refuses %s with 401', async (_what, sent, notice) => {
    const listener = await folder.listen();

    expect(await sendWebhook(listener, sent())).toBe(401);

    expect(listener.stdout()).toBe('');
    expect(listener.stderr()).toContain('answered 401: ');
    expect(listener.stderr()).toContain(notice);
  });

  it.each([
    ['no JSON', '{"type": ', 'the body is not JSON'],
    ['another JSON', '{"type": "run.failed", "timestamp": "x"}', 'data is missing'],
    [
      'an unknown event',
      JSON.stringify({ ...WEBHOOK_BODY, type: 'run.lost' }),
      'no webhook of a run: type',
    ],
    ['an empty body', '', 'the body is not JSON'],
  ])('refuses %s with 400', async (_what, text, notice) => {
    const listener = await folder.listen();

    expect(await sendWebhook(listener, { text })).toBe(400);

    expect(listener.stdout()).toBe('');
    expect(listener.stderr()).toContain('answered 400: ');
    expect(listener.stderr()).toContain(notice);
  });

  it('takes 256 KiB, and refuses more with 413', async () => {
    const listener = await folder.listen();
    const bare = JSON.stringify(WEBHOOK_BODY);

    const full = bare.padEnd(256 * KIB);
    const statuses = [
      await sendWebhook(listener, { id: 'evt_1', text: full }),
      await sendWebhook(listener, { id: 'evt_2', text: `${full} ` }),
      await sendWebhook(listener, { id: 'evt_3', text: bare.padEnd(4096 * KIB) }),
    ];

    expect(statuses).toEqual([204, 413, 413]);
    expect(linesOf(listener.stdout())).toHaveLength(1);
    expect(listener.stderr()).toContain('answered 413: the body is larger than 256 KiB');
  });

  it('refuses other methods with 405', async () => {
    const listener = await folder.listen();

    const answers = [
      await fetch(listener.url),
      await fetch(listener.url, { method: 'PUT', body: 'x' }),
    ];

    expect(answers.map(({ status, headers }) => [status, headers.get('allow')])).toEqual([
      [405, 'POST'],
      [405, 'POST'],
    ]);
    expect(listener.stderr()).toContain('answered 405: GET is no webhook: send a POST');
  });

  it('answers as --answer says, but only what is right', async () => {
    const listener = await folder.listen('--answer', '503');

    const statuses = [
      await sendWebhook(listener),
      await sendWebhook(listener),
      await sendWebhook(listener, { secret: NEXT_SECRET }),
    ];

    expect(statuses).toEqual([503, 503, 401]);
    expect(linesOf(listener.stdout())).toHaveLength(1);
    expect(listener.stderr()).toContain('answered 503: evt_1 (run.failed) came again');
  });

  it('sees a rotation of the secret, and a file that has become faulty', async () => {
    const listener = await folder.listen();
    const ask = (id: string, secret: string) => sendWebhook(listener, { id, secret });

    expect(await ask('evt_1', NEXT_SECRET)).toBe(401);
    await folder.writeSecrets(`${NEXT_SECRET}\r`, '', `${SECRET}\r`, '');
    expect([await ask('evt_2', NEXT_SECRET), await ask('evt_3', SECRET)]).toEqual([204, 204]);
    await folder.writeSecrets(NEXT_SECRET);
    expect(await ask('evt_4', SECRET)).toBe(401);
    await folder.writeSecrets('canary-three');
    expect(await ask('evt_5', SECRET)).toBe(500);

    expect(listener.stderr()).toContain(
      `answered 500: ${folder.secretFile} must be one or two lines`,
    );
    for (const text of [listener.stdout(), listener.stderr()]) {
      expect(text).not.toMatch(/canary|whsec_[^"]/);
    }
  });

  it('takes a webhook that is signed with two secrets, when it knows one of them', async () => {
    const listener = await folder.listen();
    const sentAt = now();
    const text = JSON.stringify(WEBHOOK_BODY);
    const signatures = [NEXT_SECRET, SECRET].map((secret) =>
      new Webhook(secret).sign('evt_1', sentAt, text),
    );

    const headers = { 'webhook-signature': signatures.join(' ') };
    expect(await sendWebhook(listener, { sentAt, headers })).toBe(204);
  });

  it('ends with 0 after --count new events, and all answers', async () => {
    const listener = await folder.listen('--count', '2');

    const statuses = [
      await sendWebhook(listener, { id: 'evt_1' }),
      await sendWebhook(listener, { id: 'evt_1' }),
      await sendWebhook(listener, { secret: NEXT_SECRET }),
      await sendWebhook(listener, { id: 'evt_2' }),
    ];

    const { exitCode, stdout } = await listener.ended;
    expect(statuses).toEqual([204, 204, 401, 204]);
    expect(exitCode).toBe(0);
    expect(linesOf(stdout)).toMatchObject([{ id: 'evt_1' }, { id: 'evt_2' }]);
  });

  it('prints no more than --count events that come at the same time', async () => {
    const listener = await folder.listen('--count', '1');

    const statuses = await Promise.all(
      ['evt_1', 'evt_2', 'evt_3'].map((id) => sendWebhook(listener, { id }).catch(() => 'refused')),
    );

    const { stdout } = await listener.ended;
    expect(statuses.filter((status) => status === 204)).toHaveLength(1);
    expect(linesOf(stdout)).toHaveLength(1);
  });

  it('ends with 0 on Ctrl-C, also with a request that does not end', async () => {
    const listener = await folder.listen();
    const slow = connect(Number(new URL(listener.url).port), '127.0.0.1');
    slow.on('error', () => undefined);
    await once(slow, 'connect');
    slow.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\nhalf');

    listener.interrupt.abort();

    expect(await listener.ended).toMatchObject({ exitCode: 0, stdout: '' });
    slow.destroy();
  });

  it('goes on when a sender goes away before its end', async () => {
    const listener = await folder.listen();
    const gone = connect(Number(new URL(listener.url).port), '127.0.0.1');
    await once(gone, 'connect');
    gone.end('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\nhalf');
    await once(gone.resume(), 'close');

    expect(await sendWebhook(listener)).toBe(204);
  });
});

function now(): Date {
  return new Date();
}

function minutesAgo(minutes: number): Date {
  return new Date(Date.now() - minutes * 60_000);
}
