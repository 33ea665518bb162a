import { describe, expect, it } from '@jest/globals';

import { failureIn, inActivity } from '../support/http/in-activity.js';
import { createScriptedApi, json } from '../support/http/scripted-api.js';
import { secretsIn } from '../support/secrets/secrets-in.js';

const PATH = '/cloud/v1/networks/1/2';
const LISTED = [`GET ${PATH}`, `POST ${PATH}`];

const scripted = (answer: () => Response, callApi: readonly string[] = LISTED) =>
  createScriptedApi(answer, { callApi });

describe('sendApiCall', () => {
  const send = (answer: () => Response) => {
    const { activities, requests } = scripted(answer);
    const body = { name: 'x' };
    const call = { method: 'POST', path: PATH, query: { dry: 'true' }, body } as const;
    return { act: () => activities.sendApiCall(call), requests };
  };

  it('sends the method, the path, the query and the body as they are', async () => {
    const { act, requests } = send(() => json({ tasks: ['t-1'] }));

    expect(await inActivity(act)).toEqual({ taskIds: ['t-1'] });
    expect(requests.map(({ url }) => `${url.pathname}${url.search}`)).toEqual([`${PATH}?dry=true`]);
    expect(requests[0]).toMatchObject({ method: 'POST', body: { name: 'x' } });
  });

  it.each([
    ['no tasks', () => json({ id: 'n-1', password: 'canary' }), {}],
    ['no body', () => new Response(null, { status: 204 }), {}],
    ['an empty list of tasks', () => json({ tasks: [] }), { taskIds: [] }],
  ])('takes an answer with %s', async (_what, answer, taken) => {
    expect(await inActivity(send(answer).act)).toEqual(taken);
  });

  it('does not know what became of a call whose tasks have an unknown form', async () => {
    const { type } = await failureIn(send(() => json({ tasks: [{ id: 7 }] })).act);

    expect(type).toBe('OutcomeUnknown');
  });
});

describe('sendApiCall with secrets', () => {
  const PEM = '-----BEGIN PRIVATE KEY-----\nMIIcanary0123456789\n-----END PRIVATE KEY-----\n';
  const HASHED = Buffer.from('canary of a password').toString('base64');
  const secrets = secretsIn({ tls: PEM, users: JSON.stringify({ anna: HASHED }) });
  const body = {
    name: 'tls',
    payload: { private_key: { $secret: 'tls' } },
    user_list: [{ username: 'anna', encrypted_password: { $secret: 'users', key: 'anna' } }],
  };
  const send = (answer: () => Response, source = secrets) => {
    const options = { callApi: LISTED, secrets: source };
    const { activities, requests } = createScriptedApi(answer, options);
    const call = { method: 'POST', path: PATH, body } as const;
    return { act: () => activities.sendApiCall(call), requests };
  };

  it('puts each in its place, wherever that is', async () => {
    const { act, requests } = send(() => json({ tasks: ['t-1'], private_key: PEM }));

    expect(await inActivity(act)).toEqual({ taskIds: ['t-1'] });
    expect(requests[0]?.body).toEqual({
      name: 'tls',
      payload: { private_key: PEM },
      user_list: [{ username: 'anna', encrypted_password: HASHED }],
    });
  });

  it.each<[string, (value: string) => string]>([
    ['as it is', (value) => value],
    ['in JSON', (value) => JSON.stringify(value)],
    ['in base64', (value) => Buffer.from(value).toString('base64')],
    ['decoded', (value) => Buffer.from(value, 'base64').toString()],
    ['in a URL', encodeURIComponent],
    ['cut', (value) => value.slice(0, 40)],
  ])('repeats none of them %s, when the API does', async (_how, write) => {
    const said = [PEM, HASHED].map(write).join(' ');
    const { act } = send(() => json({ message: `bad body: ${said}`, exception_class: said }, 400));

    const { type, message, details } = await failureIn(act);

    expect(type).toBe('InvalidRequest');
    const shown = JSON.stringify([message, details]);
    expect(shown).toContain('[redacted]');
    for (const value of [PEM, HASHED]) {
      for (const form of [write(value), 'canary', Buffer.from(value).toString('base64')]) {
        expect(shown).not.toContain(form.slice(0, 30));
      }
    }
  });

  it.each([
    ['is missing', {}, 'SecretUnavailable', /^Not sent: the secret "tls" does not exist.*Add tls/],
    [
      'does not answer',
      { tls: { is: 'away', why: 'x' }, users: '{"anna":"x"}' } as const,
      'ServiceUnavailable',
      /^Not sent/,
    ],
    [
      'is too long',
      { tls: 'x'.repeat(2_100_000), users: '{"anna":"x"}' },
      'InvalidInput',
      /at most 2097152 bytes/,
    ],
  ])('sends nothing when one %s', async (...row) => {
    const [, kept, type, says] = row;
    const { act, requests } = send(() => json({}), secretsIn(kept));

    const failure = await failureIn(act);

    expect(failure).toMatchObject({ type, message: expect.stringMatching(says) });
    expect(requests).toEqual([]);
  });
});

describe('a path that the worker no longer allows', () => {
  it.each(['sendApiCall', 'lookAtApi'] as const)(
    'blocks %s, and nothing goes out',
    async (name) => {
      const { activities, requests } = scripted(() => json({}), []);
      const call = { method: 'POST', path: PATH } as const;

      const failure = await failureIn(() => activities[name](call));

      expect(failure).toMatchObject({ type: 'Unauthorized', nonRetryable: true });
      expect(failure.message).toMatch(/^Not sent: (?:POST|GET) \S+ is not .* GCORE_CALL_API/);
      expect(requests).toEqual([]);
    },
  );
});

describe('lookAtApi', () => {
  const look = (
    answer: () => Response,
    pointer: string,
    equals: string | null | Record<string, unknown>,
  ) => inActivity(() => scripted(answer).activities.lookAtApi({ path: PATH, pointer, equals }));

  it.each([
    ['the same object in another order', '/a', { y: [1], x: null }, true],
    ['an object with more', '/a', { y: [1] }, false],
    ['null', '/a/x', null, true],
    ['nothing, which is not null', '/a/z', null, false],
    ['a text that is no number', '/a/y/0', '1', false],
  ])('compares %s', async (...row) => {
    const [, pointer, equals, isAsWanted] = row;
    const sight = await look(() => json({ a: { x: null, y: [1] } }), pointer, equals);

    expect(sight).toMatchObject({ is: 'there', isAsWanted });
  });

  it('gives away no more than one value, cut, and nothing of lists and objects', async () => {
    const long = await look(() => json({ a: 'x'.repeat(1_000), b: 'canary' }), '/a', '');
    const whole = await look(() => json({ a: 'canary' }), '', '');

    expect(JSON.stringify(long).length).toBeLessThan(800);
    expect(whole).toEqual({ is: 'there', isAsWanted: false, shown: 'an object' });
    expect(JSON.stringify([long, whole])).not.toContain('canary');
  });

  it.each([
    ['here', 'what is wanted', true],
    ['canary', 'another value (withheld, because the call sends secrets)', false],
    [4_711, 'another value (withheld, because the call sends secrets)', false],
    [true, 'true', false],
  ])(
    'repeats neither what it looks for nor, of a call with secrets, another text (%#)',
    async (...row) => {
      const [answer, shown, isAsWanted] = row;
      const { activities } = scripted(() => json({ a: answer }));
      const call = { path: PATH, pointer: '/a', equals: 'here', withholds: true } as const;

      const sight = await inActivity(() => activities.lookAtApi(call));

      expect(sight).toEqual({ is: 'there', isAsWanted, shown });
    },
  );

  it('takes a 404 of the API for an answer, and that of a page before it for an outage', async () => {
    expect(await look(() => json({}, 404), '/a', '')).toEqual({ is: 'missing' });
    const page = () => new Response('<html>', { status: 404 });
    const { type } = await failureIn(() =>
      scripted(page).activities.lookAtApi({ path: PATH, gone: true }),
    );
    expect(type).toBe('ServiceUnavailable');
  });
});
