import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { transformFile } from '@swc/core';
import { Webhook } from 'standardwebhooks';

import { buildGoModule, pythonWith } from '../support/callers/install-callers.js';
import { runCaptured } from '../support/cli/run-captured.js';
import { until } from '../support/timing/until.js';
import { NEXT_SECRET, SECRET } from '../cli/commands/webhook-listener.js';

/** Without a cache, Go compiles its own library first. */
const BUILD_MS = 300_000;

/** Below this one, Node finds the packages. */
let folder: string;
const commands = new Map<string, [string, ...string[]]>();
let receiver: ChildProcess | undefined;

beforeAll(async () => {
  await mkdir('.cache', { recursive: true });
  folder = await mkdtemp(resolve('.cache/receive-webhooks-'));
  const { code } = await transformFile('examples/webhooks/receive.ts', {
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
  });
  await writeFile(join(folder, 'receive.js'), code);
  await writeFile(join(folder, 'secret'), SECRET);
  await writeFile(join(folder, 'other'), NEXT_SECRET);
  const [python] = await Promise.all([
    pythonWith('examples/webhooks/requirements.txt'),
    buildGoModule('examples/go/webhooks', join(folder, 'receive-in-go')),
  ]);
  commands.set('TypeScript', [process.execPath, join(folder, 'receive.js')]);
  commands.set('Python', [python, 'examples/webhooks/receive.py']);
  commands.set('Go', [join(folder, 'receive-in-go')]);
}, BUILD_MS);

afterEach(async () => {
  if (receiver === undefined || receiver.exitCode !== null) return;
  receiver.kill();
  await once(receiver, 'exit');
});

afterAll(() => rm(folder, { recursive: true }));

function start(language: string, secret: string): ChildProcess {
  const [program = '', ...args] = commands.get(language) ?? [];
  receiver = spawn(program, args, {
    env: { ...process.env, WEBHOOK_SECRET: secret, PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return receiver;
}

/** Starts a receiver; what it prints comes into the list. */
async function listening(language: string): Promise<{ url: string; printed: string[] }> {
  const { stdout, stderr } = start(language, SECRET);
  const printed: string[] = [];
  if (stdout === null || stderr === null) throw new Error('it has no output');
  createInterface(stdout).on('line', (line) => printed.push(line));
  const said: unknown[] = await once(createInterface(stderr), 'line');
  const [, url = ''] = /Listening at (\S+)/.exec(String(said)) ?? [];
  return { url, printed };
}

function trigger(url: string, secret: string) {
  const words = ['webhook', 'trigger', 'run.failed', '--secret-file', join(folder, secret)];
  return runCaptured([...words, '--url', url]);
}

async function send(url: string, { body, id }: { body: string; id: string }): Promise<number> {
  const sentAt = new Date();
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
    'webhook-signature': new Webhook(SECRET).sign(id, sentAt, body),
  };
  return (await fetch(url, { method: 'POST', body, headers })).status;
}

describe.each(['TypeScript', 'Python', 'Go'])('the receiver in %s', (language) => {
  it('takes a webhook that is right, does the work of a repeat once, and refuses another secret', async () => {
    const { url, printed } = await listening(language);
    const [one, two] = ['{ "n":  1 }', '{ "n":  "größer" }'];

    const right = await trigger(url, 'secret');
    const wrong = await trigger(url, 'other');
    const statuses = [
      await send(url, { body: one, id: 'msg_1' }),
      await send(url, { body: one, id: 'msg_1' }),
      await send(url, { body: two, id: 'msg_2' }),
    ];
    await until('it has printed the last one', () => printed.includes(two));

    expect([right.exitCode, wrong.exitCode]).toEqual([0, 1]);
    expect(wrong.stderr).toContain('it answered 401');
    expect(statuses).toEqual([204, 204, 204]);
    expect(printed).toEqual([expect.stringContaining('"type":"run.failed"'), one, two]);
  });

  it.each(['', 'whsec_'])(
    'does not start with the secret "%s", which everybody knows',
    async (secret) => {
      const child = start(language, secret);

      await once(child, 'exit');

      expect(child.exitCode).toBe(1);
    },
  );
});
