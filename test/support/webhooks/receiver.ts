import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { Webhook } from 'standardwebhooks';

import type { WebhookSettings } from '../../../src/engine/core/webhook-settings.js';
import type { WebhookBody } from '../../../src/engine/core/webhooks.js';
import { webhookBodySchema } from '../../../src/contract/documents.js';
import { listen } from '../http/listen.js';

/** A webhook whose signature was right. */
export interface Received {
  id: string;
  body: WebhookBody;
  signatures: string[];
}

/** A real HTTP server that receives webhooks. */
export interface Receiver {
  url: string;
  /** For the worker. */
  settings: WebhookSettings;
  secret: string;
  /** Every try, in order, whatever it was answered. */
  tries: Received[];
  /** Those that were answered with 204, in order. */
  taken: Received[];
  /** TCP connections so far, whatever came over them. */
  connections: () => number;
  /** Answers from now on with this status; with a time after which the next try is wanted. */
  answerWith: (status: number, retryAfterSeconds?: number) => void;
  /** Chooses the status of each answer from now on; `lost`: takes the webhook, and its answer gets lost. */
  flap: (choose: () => number | 'lost') => void;
  /** From now on no try gets an answer. */
  hang: () => void;
  /** Closes the connections of tries without an answer. */
  hangUp: () => void;
}

export function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** A worker that sends to this host and no other, signed with the secret `test`. */
function settingsOf(host: string, secretsFolder: string): WebhookSettings {
  return { hosts: [], privateHosts: [host], secretsFolder, secrets: { test: [host] }, notify: {} };
}

/** Runs `use` with a receiver whose secret has the name `test`. */
export async function withReceiver<T>(use: (receiver: Receiver) => Promise<T>): Promise<T> {
  const secretsFolder = await mkdtemp(join(tmpdir(), 'webhook-secrets-'));
  const secret = newSecret();
  await writeFile(join(secretsFolder, 'test'), `${secret}\n`);
  const tries: Received[] = [];
  const taken: Received[] = [];
  const held: ServerResponse[] = [];
  let answer = (response: ServerResponse): number => response.writeHead(204).end().statusCode;
  const server = createServer((request, response) => {
    void (async () => {
      const given = await text(request);
      const headers = {
        'webhook-id': String(request.headers['webhook-id']),
        'webhook-timestamp': String(request.headers['webhook-timestamp']),
        'webhook-signature': String(request.headers['webhook-signature']),
      };
      const body = webhookBodySchema.parse(new Webhook(secret).verify(given, headers));
      const signatures = headers['webhook-signature'].split(' ');
      const received = { id: headers['webhook-id'], body, signatures };
      tries.push(received);
      if (answer(response) === 204) taken.push(received);
    })().catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  let connections = 0;
  server.on('connection', () => (connections += 1));
  const host = `127.0.0.1:${await listen(server)}`;
  try {
    return await use({
      url: `http://${host}/hook?token=secret-of-url`,
      settings: settingsOf(host, secretsFolder),
      secret,
      tries,
      taken,
      connections: () => connections,
      answerWith: (status, retryAfterSeconds) => {
        answer = (response) => {
          if (retryAfterSeconds !== undefined) {
            response.setHeader('retry-after', String(retryAfterSeconds));
          }
          return response.writeHead(status).end().statusCode;
        };
      },
      flap: (choose) => {
        answer = (response) => {
          const chosen = choose();
          if (chosen === 'lost') response.destroy();
          else response.writeHead(chosen).end();
          return chosen === 'lost' ? 204 : chosen;
        };
      },
      hang: () => {
        answer = (response) => {
          held.push(response);
          return 0;
        };
      },
      hangUp: () => {
        for (const response of held.splice(0)) response.destroy();
      },
    });
  } finally {
    server.closeAllConnections();
    server.close();
    await rm(secretsFolder, { recursive: true });
  }
}

/** `run.blocked 1`, … */
export function names(received: readonly Received[]): string[] {
  return received.map(({ body }) => `${body.type} ${body.data.sequence}`);
}
