import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { transformFile } from '@swc/core';
import { Webhook } from 'standardwebhooks';

import { buildGoFile } from '../support/callers/install-callers.js';

const EXAMPLES = 'examples/webhooks';
/** Without a cache, Go compiles its own library first. */
const BUILD_MS = 300_000;
const MAX_LINES = 25;

const SECRET = secretOf(32, 7);
const NEXT_SECRET = secretOf(64, 200);
const ID = 'evt_1';
const BODY = '{"type": "run.failed",\n "data": {"account": "größer"}}\n';

let folder: string;
/** Below this one, Node finds the packages. */
let compiled: string;

beforeAll(async () => {
  await mkdir('.cache', { recursive: true });
  folder = await mkdtemp(join(tmpdir(), 'verify-webhooks-'));
  compiled = await mkdtemp(resolve('.cache/verify-webhooks-'));
  await buildGoFile(`${EXAMPLES}/verify.go`, join(folder, 'verify-in-go'));
  const { code } = await transformFile(`${EXAMPLES}/verify.ts`, {
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
  });
  await writeFile(join(compiled, 'verify.js'), code);
}, BUILD_MS);

afterAll(async () => {
  await rm(folder, { recursive: true });
  await rm(compiled, { recursive: true });
});

type Command = () => [string, ...string[]];

const COMMANDS: [string, Command][] = [
  ['Python', () => ['python3', `${EXAMPLES}/verify.py`]],
  ['Go', () => [join(folder, 'verify-in-go')]],
  ['bash', () => ['bash', `${EXAMPLES}/verify.sh`]],
  ['TypeScript', () => [process.execPath, join(compiled, 'verify.js')]],
];

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

async function verify(command: Command, { secret, timestamp, signature, body }: Message) {
  const [program, ...args] = command();
  const child = spawn(program, args, {
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

describe.each(COMMANDS)('the receiver in %s', (_language, command) => {
  it('accepts a right signature', async () => {
    expect(await verify(command, message())).toEqual({ exitCode: 0, output: '' });
  });

  it('accepts one right signature of two, in any order', async () => {
    const right = message();
    const wrong = sign(NEXT_SECRET);

    for (const signature of [`${wrong} ${right.signature}`, `${right.signature} ${wrong}`]) {
      expect(await verify(command, { ...right, signature })).toMatchObject({ exitCode: 0 });
    }
  });

  it('accepts a secret of 64 bytes, and a clock that is four minutes off', async () => {
    for (const seconds of [240, -240]) {
      const right = message({ secret: NEXT_SECRET, seconds });
      expect(await verify(command, right)).toMatchObject({ exitCode: 0 });
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

  it.each(faulty)('refuses %s with 1, and shows no secret', async (_what, toMessage) => {
    const refused = toMessage();

    const { exitCode, output } = await verify(command, refused);

    expect(exitCode).toBe(1);
    expect(output).not.toContain(SECRET.slice('whsec_'.length));
  });
});

describe('each receiver', () => {
  it.each(['py', 'go', 'sh', 'ts'])('in .%s is short', async (extension) => {
    const source = await readFile(`${EXAMPLES}/verify.${extension}`, 'utf8');

    expect(source.trimEnd().split('\n').length).toBeLessThanOrEqual(MAX_LINES);
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
