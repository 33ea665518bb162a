import { describe, expect, it } from '@jest/globals';
import { CancelledFailure } from '@temporalio/common';

import { fillSecrets } from '../../../src/activities/secrets/fill-secrets.js';
import type { SecretSource } from '../../../src/activities/index.js';
import {
  sentKvItemSchema,
  type KvItem,
  type SentKvItem,
} from '../../../src/contract/api/fastedge.js';
import { hasSecretRef, type SecretRef } from '../../../src/contract/wire/secret-ref.js';
import {
  createActivityEnvironment,
  failureIn,
  inActivity,
  thrownBy,
} from '../../support/http/in-activity.js';
import { secretsIn } from '../../support/secrets/secrets-in.js';

const FORM = {
  schema: sentKvItemSchema,
  isSent: (item: KvItem): item is SentKvItem => !hasSecretRef(item),
};

function masked(value: string | SecretRef, encoding: 'masked' | 'base64' = 'masked'): KvItem {
  return { op: 'add', key: 'k', datatype: 'kv', payload: { value, encoding } };
}

const fill = (source: SecretSource, ...items: KvItem[]) =>
  fillSecrets(
    source,
    items.map((value, at) => ({ at: `line ${at + 1}, `, value })),
    FORM,
  );

describe('secrets by their names', () => {
  it('get their values, each read once, and a key picks a field of a JSON object', async () => {
    const source = secretsIn({ token: 't0ken', db: '{"user":"u","password":"p\\u00e4ss"}' });
    const token = masked({ $secret: 'token' });
    const field = masked({ $secret: 'db', key: 'password' });

    const filled = await inActivity(() => fill(source, token, field, token, masked('clear')));

    expect(filled.sent.map(({ payload }) => payload)).toMatchObject([
      { value: 't0ken' },
      { value: 'päss' },
      { value: 't0ken' },
      { value: 'clear' },
    ]);
    expect(filled.secrets).toEqual(['t0ken', 'päss']);
    expect(source.asked).toEqual(['token', 'db']);
  });

  it('that do not exist block the run, and all of them are named', async () => {
    const source = secretsIn({ there: 'x' });
    const items = ['a', 'there', 'b'].map((name) => masked({ $secret: name }));

    const failure = await failureIn(() => fill(source, ...items));

    expect(failure).toMatchObject({ type: 'SecretUnavailable', nonRetryable: true });
    expect(failure.message).toBe(
      'Not sent: the secret "a" does not exist; the secret "b" does not exist. Add a.',
    );
    expect(failure.details).toEqual([{ advice: 'Add a.' }]);
  });

  it('that their place does not give are waited for, unless one is missing', async () => {
    const away = { is: 'away', why: 'TimeoutError' } as const;
    const [one, two] = [masked({ $secret: 'one' }), masked({ $secret: 'two' })];

    const waits = await failureIn(() => fill(secretsIn({ one: away, two: 'x' }), one, two));
    const blocks = await failureIn(() => fill(secretsIn({ one: away }), one, two));

    expect(waits).toMatchObject({ type: 'ServiceUnavailable', nonRetryable: false });
    expect(waits.message).toContain('the secret "one" could not be read (TimeoutError)');
    expect(blocks.type).toBe('SecretUnavailable');
  });

  it('with an unexpected error of their place are waited for, and its text stays there', async () => {
    const source = { read: () => Promise.reject(new TypeError('value hunter2')) };

    const failure = await failureIn(() => fill(source, masked({ $secret: 'a' })));

    expect(failure).toMatchObject({ type: 'ServiceUnavailable' });
    expect(failure.message).toContain('(TypeError)');
    expect(JSON.stringify(failure) + failure.message).not.toContain('hunter2');
  });

  it.each<[string, { item: KvItem; value: string; fault: RegExp }]>([
    [
      'no base64',
      {
        item: masked({ $secret: 'a' }, 'base64'),
        value: 'canary-1!',
        fault: /^line 1, payload.value: the secret "a" must be base64/,
      },
    ],
    [
      'too long',
      {
        item: masked({ $secret: 'a' }),
        value: 'x'.repeat(1_048_577),
        fault: /^line 1, payload.value: the secret "a" must have at most 1048576 bytes/,
      },
    ],
    [
      'no JSON',
      {
        item: masked({ $secret: 'a', key: 'b' }),
        value: 'canary-1',
        fault: /^line 1, payload.value: the secret "a" \(key "b"\) is not a JSON object/,
      },
    ],
    [
      'a number in JSON',
      {
        item: masked({ $secret: 'a', key: 'b' }),
        value: '{"b":4711}',
        fault: /^line 1, payload.value: the secret "a" \(key "b"\) must be a text/,
      },
    ],
  ])(
    'whose value is %s fail as InvalidInput and show no value',
    async (_, { item, value, fault }) => {
      const failure = await failureIn(() => fill(secretsIn({ a: value }), item));

      expect(failure.type).toBe('InvalidInput');
      const [details] = failure.details ?? [];
      expect(details).toMatchObject({ faults: [{ path: 'line 1, payload.value' }] });
      expect(failure.message.split('\n')[1]?.trim()).toMatch(fault);
      expect(failure.message).not.toMatch(/canary|xxxx|4711/);
    },
  );

  it('that lack a field block the run: somebody can add it', async () => {
    const item = masked({ $secret: 'a', key: 'toString' });

    const failure = await failureIn(() => fill(secretsIn({ a: '{"c":"x"}' }), item));

    expect(failure.type).toBe('SecretUnavailable');
    expect(failure.message).toContain('the secret "a" (key "toString") has no such key');
  });

  it('are not read any more when the activity is cancelled', async () => {
    const environment = createActivityEnvironment();
    const source: SecretSource = {
      read: () => {
        environment.cancel();
        return Promise.resolve({ is: 'away', why: 'x' });
      },
    };
    const items = Array.from({ length: 20 }, (_, at) => masked({ $secret: `s${at}` }));

    const error = await thrownBy(() => inActivity(() => fill(source, ...items), environment));

    expect(error).toBeInstanceOf(CancelledFailure);
  });
});
