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
    ['a text', '{"error": "the store is in use"}'],
    ['its status too', '{"status": 400, "error": "Record is locked"}'],
    ['a class', '{"exception_class": "Conflict", "message": "locked"}'],
    ['fields', '{"errors": {"name": ["is taken"]}}'],
  ])('says nothing of a call whose body says an error: %s', async (_title, body) => {
    expect(await failureIn(() => answering(body).request(MUTATION))).toMatchObject({
      type: 'OutcomeUnknown',
      message: expect.stringContaining('it says an error'),
    });
  });

  it.each([
    ['a video that has failed', '{"id": 7, "error": "Encoding has failed"}'],
    ['no error', '{"error": null}'],
    ['an empty one', '{"error": ""}'],
  ])('takes no other body for an error: %s', async (_title, body) => {
    expect(await inActivity(() => answering(body).request(MUTATION))).toEqual(JSON.parse(body));
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
