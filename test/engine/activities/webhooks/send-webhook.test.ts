import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import { PRODUCT } from '../../../../src/contract/wire/product.js';
import {
  createWebhookActivities,
  type WebhookDeps,
} from '../../../../src/engine/activities/webhooks/send-webhook.js';
import { toReference } from '../../../../src/engine/activities/webhooks/receiver-reference.js';
import type { WebhookEvent } from '../../../../src/engine/core/webhooks.js';
import { failureIn, inActivity } from '../../../support/http/in-activity.js';
import { until } from '../../../support/timing/until.js';
import { newSecret, withReceiver } from '../../../support/webhooks/receiver.js';
import { listen } from '../../../support/http/listen.js';

const EVENT: WebhookEvent = {
  id: 'msg_1',
  body: {
    type: 'run.failed',
    timestamp: '2026-05-01T00:00:00.000Z',
    data: {
      workflowId: 'w',
      runId: 'r',
      operation: 'protectIp',
      account: 'default',
      sequence: 1,
      resources: [],
    },
  },
};

const SECRET_NAME = 'test';

function sending(
  url: string,
  deps: Omit<WebhookDeps, 'account' | 'product'>,
  secretName = SECRET_NAME,
) {
  const activities = createWebhookActivities({ account: 'default', product: PRODUCT, ...deps });
  const target = { url, secretName, events: ['run.failed' as const] };
  return () => activities.sendWebhook({ target, event: EVENT });
}

describe('sendWebhook', () => {
  it('reads a Retry-After that is a date by the clock of the receiver', async () => {
    const server = createServer((_, response) => {
      response.sendDate = false;
      response.setHeader('date', 'Sat, 21 Nov 2099 12:00:00 GMT');
      response.setHeader('retry-after', 'Sat, 21 Nov 2099 12:00:40 GMT');
      response.writeHead(503).end();
    });
    const url = `http://127.0.0.1:${await listen(server)}/`;
    await withReceiver(async ({ settings }) => {
      const privateHosts = [new URL(url).host];
      const secrets = { test: privateHosts };
      const allowed = { ...settings, privateHosts, secrets };

      const failure = await failureIn(sending(url, { settings: allowed }));

      expect(failure.nextRetryDelay).toBe(40_000);
    });
    server.close();
  });

  it('sends the body, signed under the id of the event', () =>
    withReceiver(async ({ url, settings, taken }) => {
      await inActivity(sending(url, { settings }));

      expect(taken).toMatchObject([{ id: 'msg_1', body: EVENT.body }]);
    }));

  it('signs with the new secret and the old one, as soon as the file has both', () =>
    withReceiver(async ({ url, settings, secret, taken }) => {
      const file = join(settings.secretsFolder, SECRET_NAME);
      const send = sending(url, { settings });
      await inActivity(send);
      await writeFile(file, `${newSecret()}\n${secret}\n`);
      await inActivity(send);

      expect(taken.map(({ signatures }) => signatures.length)).toEqual([1, 2]);
    }));

  it('finds a receiver of its account, whose URL is in no history', () =>
    withReceiver(async ({ url, settings, taken, tries }) => {
      const secret = { url: `${url}&services=token-4711`, secretName: SECRET_NAME };
      const { url: reference } = toReference(secret);
      const known = { settings: { ...settings, notify: { default: [secret] } } };
      const foreign = { settings: { ...settings, notify: { other: [secret] } } };

      await inActivity(sending(reference, known));
      const removed = await failureIn(sending(reference, foreign));
      const otherSecret = await failureIn(sending(reference, known, 'other'));

      expect(reference).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#[0-9a-f]{8}$/);
      expect(taken).toHaveLength(1);
      expect(tries).toHaveLength(1);
      for (const failure of [removed, otherSecret]) {
        expect(failure).toMatchObject({ type: 'Refused', nonRetryable: false });
        expect(failure.message).toContain('the account default has this receiver at 127.0.0.1');
      }
    }));

  it('fails with what the receiver answered, and wants to come again when that says', () =>
    withReceiver(async ({ url, settings, answerWith }) => {
      answerWith(503, 7);

      const failure = await failureIn(sending(url, { settings }));

      expect(failure).toMatchObject({
        type: 'ServiceUnavailable',
        nonRetryable: false,
        nextRetryDelay: 7_000,
        message: expect.stringMatching(/^127\.0\.0\.1:\d+ answered 503$/),
      });
    }));

  it('is not repeated for a day when the worker itself has a defect, and says so', () =>
    withReceiver(async ({ url, settings }) => {
      const tries: string[] = [];
      const post = () => Promise.reject(new TypeError('it is not a function'));
      const onTry = (outcome: string) => void tries.push(outcome);

      const failure = await failureIn(sending(url, { settings, post, onTry }));

      expect(failure).toMatchObject({
        type: 'Defect',
        nonRetryable: true,
        message: expect.stringContaining('(TypeError: it is not a function)'),
      });
      expect(tries).toEqual(['defect']);
    }));

  it('is not repeated after 410', () =>
    withReceiver(async ({ url, settings, answerWith }) => {
      answerWith(410);

      const failure = await failureIn(sending(url, { settings }));

      expect(failure).toMatchObject({ type: 'NotFound', nonRetryable: true });
    }));

  it('follows no redirect', () =>
    withReceiver(async ({ url, settings, tries }) => {
      const redirecting = createServer((_, response) => {
        response.writeHead(307, { location: url }).end();
      });
      const port = await listen(redirecting);
      const privateHosts = [...settings.privateHosts, `127.0.0.1:${port}`];
      const deps = { settings: { ...settings, privateHosts, secrets: { test: privateHosts } } };

      const failure = await failureIn(sending(`http://127.0.0.1:${port}/`, deps));

      redirecting.close();
      expect(failure.message).toContain('answered 307');
      expect(tries).toEqual([]);
    }));

  it('says that a receiver cannot be reached, and never where its URL leads', () =>
    withReceiver(async ({ settings }) => {
      const url = 'http://127.0.0.1:1/hook?token=secret-of-url';
      const privateHosts = ['127.0.0.1:1'];
      const deps = { settings: { ...settings, privateHosts, secrets: { test: privateHosts } } };

      const failure = await failureIn(sending(url, deps));

      expect(failure.message).toBe('127.0.0.1:1 could not be reached (ECONNREFUSED)');
      expect(JSON.stringify([failure, failure.cause, failure.stack])).not.toContain(
        'secret-of-url',
      );
    }));

  it('refuses a host that is not allowed, and a secret that is missing, none, or for another host', () =>
    withReceiver(async ({ url, settings, tries }) => {
      await writeFile(join(settings.secretsFolder, 'weak'), 'whsec_MTIz');
      const none = { settings: { ...settings, privateHosts: [] } };
      const { host } = new URL(url);
      const all = { settings: { ...settings, secrets: { missing: [host], weak: [host] } } };

      const failures = [
        await failureIn(sending(url, none)),
        await failureIn(sending(url, all, 'missing')),
        await failureIn(sending(url, all, 'weak')),
        await failureIn(sending(url, all, 'test')),
      ];

      expect(failures.map(({ type, nonRetryable }) => [type, nonRetryable])).toEqual(
        Array(4).fill(['Refused', false]),
      );
      expect(failures[3]?.message).toContain('secret "test" is not for the host 127.0.0.1');
      expect(failures[0]?.message).toContain('does not allow the host');
      expect(failures[1]?.message).toContain('cannot read a signing secret "missing"');
      expect(failures[2]?.message).toContain('24 to 64 bytes');
      expect(tries).toEqual([]);
    }));

  it.each([
    ['by its name', 'https://localhost'],
    ['in decimal', 'https://2130706433'],
    ['in octal', 'https://0177.0.0.1'],
    ['in IPv6', 'https://[::1]'],
    ['mapped into IPv6', 'https://[::ffff:127.0.0.1]'],
    ['compatible with IPv6', 'https://[::7f00:1]'],
    ['translated to IPv6', 'https://[64:ff9b::7f00:1]'],
    ['of the metadata service', 'https://169.254.169.254'],
    ['that stands for all', 'https://0.0.0.0'],
  ])('connects to no private address, %s', (_, origin) =>
    withReceiver(async (receiver) => {
      const url = new URL(`${origin}:${new URL(receiver.url).port}/`);
      const hosts = [url.host];
      const bound = { hosts, privateHosts: [], secrets: { test: hosts } };
      const settings = { ...receiver.settings, ...bound };

      const failure = await failureIn(sending(url.href, { settings }));

      expect(failure.message).toContain('has an address that is not public');
      expect(receiver.connections()).toBe(0);
    }),
  );

  it('lets one receiver that does not answer take ten calls at a time', () =>
    withReceiver(async ({ url, settings, tries, hang, hangUp }) => {
      hang();
      const send = sending(url, { settings, turnWithinMs: 50 });
      const waiting = Array.from({ length: 10 }, () => failureIn(send));
      const failure = await failureIn(send);
      await until('ten are sent', () => tries.length === 10);
      hangUp();

      expect(failure.message).toContain('has not answered earlier webhooks yet');
      expect((await Promise.all(waiting)).map(({ type }) => type)).toEqual(
        Array.from({ length: 10 }, () => 'ServiceUnavailable'),
      );
    }));
});
