import { createServer } from 'node:http';
import { once } from 'node:events';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';

import { exampleEvent } from '../../../src/cli/commands/webhook/example-events.js';
import { WEBHOOK_EVENT_TYPES } from '../../../src/engine/core/status.js';
import { runCaptured } from '../../support/cli/run-captured.js';
import { schemaErrors } from '../../support/contract/schema-errors.js';
import {
  createWebhookFolder,
  NEXT_SECRET,
  SECRET,
  type WebhookFolder,
} from './webhook-listener.js';

const eventSchema = z.looseObject({ id: z.string(), type: z.string() });

let folder: WebhookFolder;

beforeAll(async () => {
  folder = await createWebhookFolder();
});

beforeEach(() => folder.writeSecrets(SECRET, ''));

afterEach(() => folder.stop());

afterAll(() => folder.remove());

function trigger(...options: string[]) {
  return runCaptured(['webhook', 'trigger', '--secret-file', folder.secretFile, ...options]);
}

function eventsOf(text: string) {
  return text
    .trim()
    .split('\n')
    .map((line) => eventSchema.parse(JSON.parse(line)));
}

describe('webhook trigger', () => {
  it('sends one event of each type, and the receiver takes them all', async () => {
    const listener = await folder.listen();

    const { exitCode, stdout } = await trigger('--url', listener.url);

    const sent = eventsOf(stdout);
    expect(exitCode).toBe(0);
    expect(sent).toEqual(
      WEBHOOK_EVENT_TYPES.map((type) => ({ id: expect.any(String), type, status: 204 })),
    );
    expect(eventsOf(listener.stdout())).toEqual(
      sent.map(({ id, type }) => expect.objectContaining({ id, type })),
    );
  });

  it.each(WEBHOOK_EVENT_TYPES)('has an example of %s that is one', (type) => {
    const body = exampleEvent(type, new Date().toISOString());

    expect(schemaErrors('webhook', body)).toBeUndefined();
  });

  it('signs with both secrets while one is being changed', async () => {
    const receiver = await createWebhookFolder();
    await receiver.writeSecrets(SECRET);
    const listener = await receiver.listen();
    await folder.writeSecrets(NEXT_SECRET, SECRET);

    const { exitCode, stdout } = await trigger('run.failed', '--url', listener.url);
    await receiver.stop();
    await receiver.remove();

    expect([exitCode, eventsOf(stdout)]).toEqual([
      0,
      [expect.objectContaining({ type: 'run.failed', status: 204 })],
    ]);
  });

  it('fails when the receiver refuses, with its answer and the next step', async () => {
    const listener = await folder.listen('--answer', '503');

    const { exitCode, stdout, stderr } = await trigger('run.blocked', '--url', listener.url);

    expect([exitCode, eventsOf(stdout)]).toEqual([1, [expect.objectContaining({ status: 503 })]]);
    expect(stderr).toContain('NotTaken: The receiver did not take 1 of 1 events: it answered 503.');
    expect(stderr).toContain('It must answer 2xx.');
  });

  it('follows no redirect, as a worker does not', async () => {
    const server = createServer((_request, response) => {
      response.writeHead(302, { location: '/elsewhere' }).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = z.object({ port: z.number() }).parse(server.address());

    const { exitCode, stderr } = await trigger('run.failed', '--url', `http://127.0.0.1:${port}/`);
    server.close();

    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('it answered 302')]);
  });

  it.each([
    [['run.exploded'], 64, 'Allowed choices are run.blocked, run.resumed'],
    [['run.failed', '--url', 'localhost'], 64, 'It must be an address'],
    [['run.failed', '--url', 'http://127.0.0.1:1/'], 1, 'NoAnswer: The receiver does not answer'],
    [['run.failed', '--secret-file', 'nowhere'], 64, '--secret-file nowhere: does not exist'],
  ])('refuses %j and says why', async (words, code, text) => {
    const { exitCode, stdout, stderr } = await trigger(...words);

    expect([exitCode, stdout]).toEqual([code, '']);
    expect(stderr).toContain(text);
  });
});
