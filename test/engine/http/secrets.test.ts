import { inspect } from 'node:util';

import { defaultFailureConverter, defaultPayloadConverter } from '@temporalio/common';
import { describe, expect, it } from '@jest/globals';

import { redact } from '../../../src/engine/http/secrets.js';
import type { CreateInstanceBody } from '../../../src/contract/api/create-instance-body.js';
import { FAILURE_ROWS } from './failure-rows.js';
import { failureIn } from '../../support/http/in-activity.js';
import { A_UUID, createBody } from '../../support/inputs/instance-bodies.js';
import { API_KEY, createScriptedApi, json, untilAborted } from '../../support/http/scripted-api.js';
import { createSimulatedAccount } from '../../support/worlds/simulated-account.js';

const PASSWORD = 'canary-password "x" $1';
const USER_DATA = 'Y2FuYXJ5LXVzZXItZGF0YQ==';
const SECRETS = [API_KEY, PASSWORD, USER_DATA];

const INSTANCE: CreateInstanceBody = {
  ...createBody({}),
  username: 'admin',
  password: PASSWORD,
  user_data: USER_DATA,
};
const INPUT = {
  projectId: 1,
  regionId: 1,
  maker: 'maker-1',
  marker: 'default/order-1',
  instance: INSTANCE,
};

type Answer = (request: Request) => Response | Promise<Response>;

/** Everything in a failure that a log, a debugger, a history or a person could see. */
async function everyViewOf(answer: Answer): Promise<string> {
  const { activities } = createScriptedApi(answer, { timeoutMs: 20 });
  const failure = await failureIn(() => activities.createInstance(INPUT));
  const inHistory = defaultFailureConverter.errorToFailure(failure, defaultPayloadConverter);
  const payloads = inHistory.applicationFailureInfo?.details?.payloads ?? [];
  return [
    inspect(failure, { depth: null, showHidden: true, maxStringLength: null }),
    JSON.stringify(failure),
    JSON.stringify({ ...inHistory, applicationFailureInfo: undefined }),
    ...payloads.map(({ data }) => new TextDecoder().decode(data ?? undefined)),
  ].join('\n');
}

/** Errors that repeat the request in each field that may hold an error text. */
const ECHOES: [string, unknown][] = [
  ['the message', { message: `Bad token: apikey ${API_KEY}, ${PASSWORD} and ${USER_DATA}` }],
  ['the error', { error: `no ${API_KEY}${PASSWORD}${USER_DATA}` }],
  ['invalid_fields', { invalid_fields: { password: [PASSWORD, `${USER_DATA} of ${API_KEY}`] } }],
  ['the names of invalid_fields', { invalid_fields: { [PASSWORD]: 'bad', [API_KEY]: ['bad'] } }],
  ['exception_class', { exception_class: API_KEY, message: 'no' }],
  ['request_id', { request_id: `${API_KEY} ${PASSWORD}`, message: 'no' }],
  ['errors', { errors: { user_data: [`${USER_DATA} is no YAML`, PASSWORD, API_KEY] } }],
  ['fields outside the schema', { data: INSTANCE, traceback: `${API_KEY} ${PASSWORD}` }],
];

describe('a failure', () => {
  it.each(FAILURE_ROWS)('of $title shows no secret', async ({ answer }) => {
    const seen = await everyViewOf(answer);

    expect(seen).toContain('/cloud/v2/instances/1/1');
    expect(SECRETS.filter((secret) => seen.includes(secret))).toEqual([]);
  });

  it.each(
    ECHOES.flatMap(([title, body]) =>
      [400, 401, 403, 409, 422, 429, 500, 200].map((status) => ({ title, status, body })),
    ),
  )('of a $status that echoes secrets in $title shows none', async ({ status, body }) => {
    const seen = await everyViewOf(() => json(body, status));

    expect(SECRETS.filter((secret) => seen.includes(secret))).toEqual([]);
  });

  it.each<[string, Answer]>([
    ['a body that is not JSON', () => new Response(`<p>${SECRETS.join()}</p>`, { status: 500 })],
    ['a 200 that is not JSON', () => new Response(SECRETS.join(), { status: 200 })],
    ['a timeout', untilAborted],
    [
      'an error of the connection with headers',
      (request) =>
        Promise.reject(
          new TypeError(`fetch failed for apikey ${API_KEY}`, {
            cause: Object.assign(new Error(PASSWORD), { code: 'ECONNRESET', request, INSTANCE }),
          }),
        ),
    ],
  ])('made from %s shows no secret', async (_title, answer) => {
    const seen = await everyViewOf(answer);

    expect(SECRETS.filter((secret) => seen.includes(secret))).toEqual([]);
  });

  it('shows no part of a secret when a long text is cut', async () => {
    const [beginning] = API_KEY.split('$');
    for (let length = 400; length < 520; length += 5) {
      const message = `${'x'.repeat(length)} ${API_KEY}`;

      const seen = await everyViewOf(() => json({ message }, 400));

      expect(seen).not.toContain(beginning?.slice(0, 4));
    }
  });

  it('hides the longer of two secrets when it contains the other', () => {
    expect(redact('abcdefgh', ['abcd', 'abcdefgh'])).toBe('[redacted]');
  });

  it('keeps the text around a secret, so that the reason stays readable', async () => {
    const { activities } = createScriptedApi(() =>
      json({ message: `Bad permanent token: ${API_KEY}` }, 401),
    );

    const failure = await failureIn(() => activities.createInstance(INPUT));

    expect(failure.message).toContain('Bad permanent token: [redacted]');
  });

  it('after a wrong key shows no key, with the simulated API', async () => {
    const { simulator } = createSimulatedAccount();
    const { activities } = createScriptedApi((request) =>
      simulator.fetch(new Request(request, { headers: { authorization: 'apikey wrong' } })),
    );

    const failure = await failureIn(() =>
      activities.deleteVolume({ projectId: 1, regionId: 1, volumeId: A_UUID }),
    );

    expect(failure.type).toBe('Unauthorized');
    expect(inspect(failure, { depth: null, showHidden: true })).not.toContain(API_KEY);
  });
});
