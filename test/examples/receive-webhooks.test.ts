import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { transformFile } from '@swc/core';
import { Webhook } from 'standardwebhooks';

import { runCaptured } from '../support/cli/run-captured.js';
import { until } from '../support/timing/until.js';
import { NEXT_SECRET, SECRET } from '../cli/commands/webhook-listener.js';

/** Below this one, Node finds the packages. */
let folder: string;
let receiver: ChildProcess;
/** What it has printed. */
const printed: string[] = [];
let url = '';

beforeAll(async () => {
  await mkdir('.cache', { recursive: true });
  folder = await mkdtemp(resolve('.cache/receive-webhooks-'));
  const { code } = await transformFile('examples/webhooks/receive.ts', {
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
  });
  await writeFile(join(folder, 'receive.js'), code);
  await writeFile(join(folder, 'secret'), SECRET);
  await writeFile(join(folder, 'other'), NEXT_SECRET);
  const child = spawn(process.execPath, [join(folder, 'receive.js')], {
    env: { ...process.env, WEBHOOK_SECRET: SECRET, PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  receiver = child;
  createInterface(child.stdout).on('line', (line) => printed.push(line));
  const said: unknown[] = await once(createInterface(child.stderr), 'line');
  [, url = ''] = /Listening at (\S+)/.exec(String(said)) ?? [];
});

afterAll(async () => {
  receiver.kill();
  await once(receiver, 'exit');
  await rm(folder, { recursive: true });
});

function trigger(secret: string) {
  const words = ['webhook', 'trigger', 'run.failed', '--secret-file', join(folder, secret)];
  return runCaptured([...words, '--url', url]);
}

async function send(body: string, id: string): Promise<number> {
  const sentAt = new Date();
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
    'webhook-signature': new Webhook(SECRET).sign(id, sentAt, body),
  };
  return (await fetch(url, { method: 'POST', body, headers })).status;
}

describe('the receiver in examples/webhooks', () => {
  it('takes an event of "webhook trigger", and refuses another secret', async () => {
    const right = await trigger('secret');
    const wrong = await trigger('other');

    expect([right.exitCode, wrong.exitCode]).toEqual([0, 1]);
    await until('it has printed the event', () => printed.length > 0);
    expect(printed).toEqual([expect.stringContaining('"type":"run.failed"')]);
    expect(wrong.stderr).toContain('it answered 401');
  });

  it('does the work of a repeated event once, and checks the body as it came', async () => {
    const [one, two] = ['{ "n":  1 }', '{ "n":  2 }'];

    const statuses = [await send(one, 'msg_1'), await send(one, 'msg_1'), await send(two, 'msg_2')];
    await until('it has printed the last one', () => printed.includes(two));

    expect(statuses).toEqual([204, 204, 204]);
    expect(printed.slice(1)).toEqual([one, two]);
  });
});
