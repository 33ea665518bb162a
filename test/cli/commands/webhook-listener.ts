import { rm, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Webhook } from 'standardwebhooks';

import type { WebhookBody } from '../../../src/engine/core/webhooks.js';
import { runCaptured, type Captured } from '../../support/cli/run-captured.js';

export const SECRET = `whsec_${Buffer.alloc(32, 'canary-one').toString('base64')}`;
export const NEXT_SECRET = `whsec_${Buffer.alloc(32, 'canary-two').toString('base64')}`;

export const WEBHOOK_BODY: WebhookBody = {
  type: 'run.failed',
  timestamp: '2026-05-04T03:02:00.000Z',
  data: {
    workflowId: 'provision-instance/default/order-1',
    runId: '0f9a4d6e-6f57-4a3c-8a4d-1f0a5a8c9b1e',
    operation: 'provisionInstance',
    account: 'default',
    sequence: 1,
    resources: [],
  },
};

/** A folder with a secret file, and the commands that read it. */
export interface WebhookFolder {
  secretFile: string;
  writeSecrets: (...lines: string[]) => Promise<void>;
  /** Runs `webhook listen` on any free port, until it listens. */
  listen: (...options: string[]) => Promise<WebhookListener>;
  /** Ends all commands. */
  stop: () => Promise<void>;
  remove: () => Promise<void>;
}

export interface WebhookListener {
  url: string;
  stdout: () => string;
  stderr: () => string;
  ended: Promise<Captured>;
  interrupt: AbortController;
}

export async function createWebhookFolder(): Promise<WebhookFolder> {
  const folder = await mkdtemp(join(tmpdir(), 'webhook-listen-'));
  const secretFile = join(folder, 'orders');
  const listeners: WebhookListener[] = [];
  return {
    secretFile,
    writeSecrets: (...lines) => writeFile(secretFile, lines.join('\n')),
    async listen(...options) {
      const listener = await startListener(['--secret-file', secretFile, ...options]);
      listeners.push(listener);
      return listener;
    },
    async stop() {
      for (const { interrupt, ended } of listeners.splice(0)) {
        interrupt.abort();
        await ended;
      }
    },
    remove: () => rm(folder, { recursive: true }),
  };
}

function startListener(options: string[]): Promise<WebhookListener> {
  const interrupt = new AbortController();
  let stdout = '';
  let stderr = '';
  return new Promise((resolve, reject) => {
    const ended = runCaptured(['webhook', 'listen', '--port', '0', ...options], {
      interrupt,
      onStdout: (text) => (stdout = text),
      onStderr(text) {
        stderr = text;
        const [, url] = /Listening at (\S+)\. /.exec(text) ?? [];
        if (url === undefined) return;
        resolve({ url, stdout: () => stdout, stderr: () => stderr, ended, interrupt });
      },
    });
    ended.then((end) => {
      reject(new Error(`It ended: ${end.stderr}`));
    }, reject);
  });
}

export interface SentWebhook {
  id?: string;
  text?: string;
  secret?: string;
  sentAt?: Date;
  /** Instead of the right ones. */
  headers?: Record<string, string>;
}

/** What a worker sends. */
export function signedWebhook(sent: SentWebhook) {
  const { id = 'evt_1', text = JSON.stringify(WEBHOOK_BODY), sentAt = new Date() } = sent;
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
    'webhook-signature': new Webhook(sent.secret ?? SECRET).sign(id, sentAt, text),
    ...sent.headers,
  };
  return { method: 'POST', headers, body: text };
}

/** @returns The status of the answer. */
export async function sendWebhook(
  { url }: Pick<WebhookListener, 'url'>,
  sent: SentWebhook = {},
): Promise<number> {
  const answer = await fetch(`${url}/any/path`, signedWebhook(sent));
  await answer.text();
  return answer.status;
}
