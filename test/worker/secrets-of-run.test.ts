import { randomBytes } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';

import { toApiKeys, type SecretSource } from '../../src/activities/index.js';
import { createCodec } from '../../src/codec/codec.js';
import { openCodec } from '../../src/codec/open-codec.js';
import { createArrivedInClear } from '../../src/worker/arrived-in-clear.js';
import type { CutShortDeps } from '../../src/worker/cut-short.js';
import { createSecretsOfRun } from '../../src/worker/secrets-of-run.js';
import { createActivityEnvironment, inActivity } from '../support/http/in-activity.js';
import { found, secretsIn } from '../support/secrets/secrets-in.js';

const MINUTE_MS = 60_000;

function payloads(value: unknown, encoding = 'json/plain') {
  const data = Buffer.from(JSON.stringify(value));
  return { payloads: [{ metadata: { encoding: Buffer.from(encoding) }, data }] };
}

/** A server that knows one run: its start, and its create call of some minutes ago. */
function historyOf(instance: object, sentAgoMs = MINUTE_MS, encoding = 'json/plain'): CutShortDeps {
  const [start, sent] = [{ instance }, { instance, marker: 'm' }];
  return historyWith({ start, sending: 'createInstance', sent, sentAgoMs, encoding });
}

interface Recorded {
  start: object;
  sending: string;
  sent: object;
  sentAgoMs?: number;
  encoding?: string;
}

function historyWith({
  start,
  sending,
  sent,
  sentAgoMs = MINUTE_MS,
  encoding = 'json/plain',
}: Recorded): CutShortDeps {
  const seconds = Math.round((Date.now() - sentAgoMs) / 1000);
  const events = [
    { workflowExecutionStartedEventAttributes: { input: payloads(start, encoding) } },
    {
      eventTime: { seconds },
      activityTaskScheduledEventAttributes: {
        activityType: { name: sending },
        input: payloads(sent, encoding),
      },
    },
  ];
  const workflowService = {
    getWorkflowExecutionHistory: () => Promise.resolve({ history: { events }, nextPageToken: [] }),
  };
  const withDeadline = <T>(_: unknown, call: () => Promise<T>): Promise<T> => call();
  return fake({ connection: { workflowService, withDeadline }, namespace: 'default' });
}

/** The few calls of a connection that these parts make. */
function fake(parts: object): CutShortDeps {
  const isDeps = (value: object): value is CutShortDeps => 'connection' in value;
  if (!isDeps(parts)) throw new TypeError('no connection');
  return parts;
}

const inRun = () =>
  createActivityEnvironment({ workflowExecution: { workflowId: 'w', runId: 'r' } });

function knownOf(deps: CutShortDeps, secrets?: SecretSource) {
  const secretsOfRun = createSecretsOfRun({
    ...deps,
    secrets,
    codec: createCodec(undefined),
    keys: toApiKeys('api-key'),
  });
  return inActivity(secretsOfRun, inRun());
}

const NAMED = {
  password: { $secret: 'web' },
  user_data: { $secret: 'init' },
  configuration: { a: { $secret: 'app' } },
};
const INIT = Buffer.from('#cloud-config').toString('base64');

describe('the secrets of a run', () => {
  it('are those that stand in its inputs, and those that it names, as long as they were sent', async () => {
    const source = secretsIn({ web: 'p w', init: INIT, app: 'k' });

    const clear = await knownOf(historyOf({ password: 'clear-1' }));
    const named = await knownOf(historyOf(NAMED), source);

    expect(clear).toContain('clear-1');
    expect(named).toEqual(expect.arrayContaining(['api-key', 'p w', INIT, '#cloud-config', 'k']));
  });

  it('are those that a call names, also after a correction', async () => {
    const body = (name: string) => ({ body: { a: [{ password: { $secret: name } }] } });
    const sending = 'sendApiCall';
    const history = historyWith({ start: body('old'), sending, sent: body('new') });

    const known = await knownOf(history, secretsIn({ old: 'p-old', new: INIT }));

    expect(known).toEqual(expect.arrayContaining(['api-key', 'p-old', INIT, '#cloud-config']));
    expect(await knownOf(history, secretsIn({ old: 'p-old' }))).toBeUndefined();
  });

  it.each<[string, SecretSource | undefined]>([
    ['has changed after the call', secretsIn({ web: found('new', 30_000) })],
    ['has changed shortly before it: another worker may have sent the old one', recent()],
    ['has changed at a time that nobody knows', secretsIn({ web: unknownAge('x') })],
    ['does not exist any more', secretsIn({})],
    ['cannot be read now', secretsIn({ web: { is: 'away', why: 'x' } })],
    ['is unknown to this worker', undefined],
  ])('are unknown when a secret %s, so no text leaves', async (_, source) => {
    expect(await knownOf(historyOf({ password: { $secret: 'web' } }), source)).toBeUndefined();
  });

  it('are unknown when an input is encrypted', async () => {
    const deps = historyOf({ password: 'x' }, MINUTE_MS, 'binary/encrypted');

    expect(await knownOf(deps)).toBeUndefined();
  });
});

function recent(): SecretSource {
  return secretsIn({ web: found('x', 5 * MINUTE_MS) });
}

function unknownAge(text: string) {
  return { is: 'found', text, since: () => Promise.resolve(undefined) } as const;
}

describe('the way in which an input has arrived', () => {
  const ring = { current: 'a', keys: { a: randomBytes(32).toString('base64') } };

  it.each([
    ['json/plain', ring, true],
    ['binary/encrypted', ring, false],
    // The worker would write it into the history again, into the input of the call.
    ['binary/encrypted', { ...ring, current: null }, true],
    ['binary/encrypted', undefined, true],
  ])(
    'with the encoding %s is in clear, according to the own ring (%#)',
    async (encoding, keys, isInClear) => {
      const codec = await openCodec(keys);
      const arrivedInClear = createArrivedInClear({
        ...historyOf({}, MINUTE_MS, encoding),
        codec,
      });

      expect(await inActivity(arrivedInClear, inRun())).toBe(isInClear);
    },
  );
});
