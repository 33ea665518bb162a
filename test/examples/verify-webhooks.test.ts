import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';

import { describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';

const SCRIPT = 'examples/webhooks/verify.sh';
const MAX_LINES = 25;

const SECRET = secretOf(32, 7);
const NEXT_SECRET = secretOf(64, 200);
const ID = 'evt_1';
const BODY = '{"type": "run.failed",\n "data": {"account": "größer"}}\n';

interface Message {
  secret: string;
  timestamp: string;
  signature: string;
  body: string;
}

/** A webhook with a right signature, sent some seconds ago. */
function message({ secret = SECRET, seconds = 0 } = {}): Message {
  const sentAt = new Date(Date.now() - seconds * 1000);
  const timestamp = String(Math.floor(sentAt.getTime() / 1000));
  return { secret, timestamp, signature: sign(secret, sentAt), body: BODY };
}

function sign(secret: string, sentAt = new Date()): string {
  return new Webhook(secret).sign(ID, sentAt, BODY);
}

async function verify({ secret, timestamp, signature, body }: Message) {
  const child = spawn('bash', [SCRIPT], {
    env: {
      ...process.env,
      WEBHOOK_SECRET: secret,
      WEBHOOK_ID: ID,
      WEBHOOK_TIMESTAMP: timestamp,
      WEBHOOK_SIGNATURE: signature,
    },
  });
  // It may end before it has read the body.
  child.stdin.on('error', () => undefined).end(body);
  const [stdout, stderr] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { exitCode: child.exitCode, output: stdout + stderr };
}

describe('the check of a webhook in bash', () => {
  it('accepts a right signature', async () => {
    expect(await verify(message())).toEqual({ exitCode: 0, output: '' });
  });

  it('accepts one right signature of two, in any order', async () => {
    const right = message();
    const wrong = sign(NEXT_SECRET);

    for (const signature of [`${wrong} ${right.signature}`, `${right.signature} ${wrong}`]) {
      expect(await verify({ ...right, signature })).toMatchObject({ exitCode: 0 });
    }
  });

  it('accepts a secret of 64 bytes, and a clock that is four minutes off', async () => {
    for (const seconds of [240, -240]) {
      const right = message({ secret: NEXT_SECRET, seconds });
      expect(await verify(right)).toMatchObject({ exitCode: 0 });
    }
  });

  const faulty: [string, () => Message][] = [
    ['a changed body', () => ({ ...message(), body: `${BODY} ` })],
    ['an old time', () => message({ seconds: 330 })],
    ['a time in the future', () => message({ seconds: -330 })],
    ['another time than the signed one', () => ({ ...message({ seconds: 60 }), timestamp: now() })],
    ['a time that is none', () => ({ ...message(), timestamp: 'soon' })],
    ['the signature of another secret', () => ({ ...message(), signature: sign(NEXT_SECRET) })],
    ['another version of the signature', () => newerVersion(message())],
    ['no signature', () => ({ ...message(), signature: '' })],
    ['an empty secret, which everybody knows', () => signedWithNothing()],
  ];

  it('is short', async () => {
    const source = await readFile(SCRIPT, 'utf8');

    expect(source.trimEnd().split('\n').length).toBeLessThanOrEqual(MAX_LINES);
  });

  it.each(faulty)('refuses %s with 1, and shows no secret', async (_what, toMessage) => {
    const refused = toMessage();

    const { exitCode, output } = await verify(refused);

    expect(exitCode).toBe(1);
    expect(output).not.toContain(SECRET.slice('whsec_'.length));
  });
});

function secretOf(bytes: number, first: number): string {
  const key = Uint8Array.from({ length: bytes }, (_, at) => (first + at * 13) % 256);
  return `whsec_${Buffer.from(key).toString('base64')}`;
}

function now(): string {
  return String(Math.floor(Date.now() / 1000));
}

function newerVersion(right: Message): Message {
  return { ...right, signature: right.signature.replace('v1,', 'v2,') };
}

function signedWithNothing(): Message {
  const sentAt = new Date();
  const signature = new Webhook(new Uint8Array(1), { format: 'raw' }).sign(ID, sentAt, BODY);
  return { ...message(), secret: 'whsec_', signature };
}
