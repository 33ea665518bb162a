import { describe, expect, it } from '@jest/globals';

import { failureIn, inActivity } from '../support/http/in-activity.js';
import { createScriptedApi, json } from '../support/http/scripted-api.js';

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
    expect(whole).toEqual({ is: 'there', isAsWanted: false, value: null, shown: 'an object' });
    expect(JSON.stringify([long, whole])).not.toContain('canary');
  });

  it('takes a 404 of the API for an answer, and that of a page before it for an outage', async () => {
    expect(await look(() => json({}, 404), '/a', '')).toEqual({ is: 'missing' });
    const page = () => new Response('<html>', { status: 404 });
    const { type } = await failureIn(() =>
      scripted(page).activities.lookAtApi({ path: PATH, gone: true }),
    );
    expect(type).toBe('ServiceUnavailable');
  });
});
