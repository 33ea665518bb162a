import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';

import { failureIn, inActivity } from '../../support/http/in-activity.js';
import { createScriptedApi } from '../../support/http/scripted-api.js';

/** A call whose answer nobody reads. */
const CALL = { path: '/x', response: z.unknown() } as const;
const MUTATION = { ...CALL, method: 'PATCH', body: {}, repeatable: false } as const;
const READ = { ...CALL, method: 'GET', repeatable: true } as const;

const answering = (body: string | null, status = 200) =>
  createScriptedApi(() => new Response(body, { status })).api;

describe('a success that is not of the API', () => {
  it.each([
    ['a page', '<html>Bad gateway</html>'],
    ['a text', 'upstream is busy'],
    ['JSON that is cut', '{"id": 1, "na'],
    ['more than an answer may have', `"${'a'.repeat(1024 ** 2)}"`],
  ])('says nothing of a call, also where no body is wanted: %s', async (_title, body) => {
    expect(await failureIn(() => answering(body).request(MUTATION))).toMatchObject({
      type: 'OutcomeUnknown',
    });
    expect(await failureIn(() => answering(body).request(READ))).toMatchObject({
      type: 'UnexpectedResponse',
    });
  });

  it.each([
    ['nothing', null, 204, undefined],
    ['nothing in a 200', '', 200, undefined],
    ['null', 'null', 200, null],
    ['an object', '{}', 201, {}],
  ])('is none of these, which are of the API: %s', async (...[, body, status, answer]) => {
    expect(await inActivity(() => answering(body, status).request(MUTATION))).toEqual(answer);
  });
});
