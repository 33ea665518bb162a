import { readFileSync } from 'node:fs';

import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';

import { ADVICE } from '../../../src/activities/advice.js';
import { taskIdsSchema } from '../../../src/contract/api/cloud.js';
import type { FailureType } from '../../../src/engine/core/failures.js';
import { FAILURE_ROWS } from './failure-rows.js';
import { failureIn, inActivity } from '../../support/http/in-activity.js';
import { createScriptedApi, json } from '../../support/http/scripted-api.js';

const PATH = '/cloud/v1/things/1';
const READ = { method: 'GET', path: PATH, response: taskIdsSchema, repeatable: true } as const;
const DELETE = { ...READ, method: 'DELETE' } as const;
const MUTATION = { ...READ, method: 'POST', repeatable: false, body: {} } as const;

/** Temporal repeats a read after these; a mutation has one attempt, whatever its failure says. */
const RETRYABLE: readonly FailureType[] = ['RateLimited', 'ServiceUnavailable', 'ResourceBusy'];

describe('the failure table', () => {
  it.each(FAILURE_ROWS)('reads $title on a read as $read', async ({ answer, read, details }) => {
    const { api } = createScriptedApi(answer);

    const failure = await failureIn(() => api.request(READ));

    expect(failure).toMatchObject({
      type: read,
      nonRetryable: !RETRYABLE.includes(read),
      nextRetryDelay: undefined,
      cause: undefined,
    });
    expect(failure.details).toEqual([
      { method: 'GET', path: PATH, status: answer().status, ...details, advice: ADVICE[read] },
    ]);
  });

  it.each(FAILURE_ROWS)(
    'reads $title on a mutation as $mutation',
    async ({ answer, mutation, details }) => {
      const { api } = createScriptedApi(answer);

      const failure = await failureIn(() => api.request(MUTATION));

      expect(failure).toMatchObject({
        type: mutation,
        nonRetryable: !RETRYABLE.includes(mutation),
        nextRetryDelay: undefined,
        cause: undefined,
      });
      expect(failure.details).toEqual([
        {
          method: 'POST',
          path: PATH,
          status: answer().status,
          ...details,
          advice: ADVICE[mutation],
        },
      ]);
    },
  );

  it.each(FAILURE_ROWS)('treats $title on a delete by id like a read', async (row) => {
    const { api } = createScriptedApi(row.answer);

    const failure = await failureIn(() => api.request(DELETE));

    expect(failure.type).toBe(row.read);
  });

  it.each(FAILURE_ROWS)('sends one request only for $title', async ({ answer }) => {
    const { api, requests } = createScriptedApi(answer);

    await failureIn(() => api.request(READ));
    await failureIn(() => api.request(MUTATION));

    expect(requests.map((request) => request.method)).toEqual(['GET', 'POST']);
  });

  it('names the call, the answer and the next action', async () => {
    const { api } = createScriptedApi(() => json({ message: 'Flavor is sold out' }, 403));

    const failure = await failureIn(() => api.request(MUTATION));

    expect(failure.message).toBe(
      `POST ${PATH} was answered with 403 (Flavor is sold out). ${ADVICE.CapacityUnavailable}`,
    );
  });

  it.each([
    [400, { message: 'is wrong' }, 'is wrong'],
    [400, { error: 'is wrong' }, 'is wrong'],
    [
      400,
      { message: 'is wrong', invalid_fields: { size: ['too small'] } },
      'is wrong; size: too small',
    ],
    [
      422,
      { errors: { name: ["can't be blank", 'is odd'], url: 'is bad' } },
      "name: can't be blank, is odd; url: is bad",
    ],
  ])('says what the API says, with the fields: %d %j', async (status, body, said) => {
    const { api } = createScriptedApi(() => json(body, status));

    const { message } = await failureIn(() => api.request(MUTATION));

    expect(message).toContain(`was answered with ${status} (${said}). `);
  });

  it('repeats only an excerpt of a long text', async () => {
    const { api } = createScriptedApi(() => json({ message: 'long '.repeat(10_000) }, 400));

    const failure = await failureIn(() => api.request(READ));

    expect(failure.message.length).toBeLessThan(1_000);
  });

  it.each([
    ['null', { tasks: null }, 'tasks: Invalid input: expected array, received null'],
    ['nothing', { task: 1 }, 'tasks: Invalid input: expected array, received undefined'],
    [
      'another type',
      { tasks: [4711] },
      'tasks[0]: Invalid input: expected string, received number',
    ],
  ])('names the field that has %s, and not its value', async (_title, body, said) => {
    const { api } = createScriptedApi(() => json(body));

    const failure = await failureIn(() => api.request(READ));

    expect(failure.message).toBe(
      `GET ${PATH} was answered with 200 and an unknown form of body (${JSON.stringify(body).length} characters): ${said}. ${ADVICE.UnexpectedResponse}`,
    );
  });

  it('repeats no text of the answer where a text is a key', async () => {
    const { api } = createScriptedApi(() => json({ 'pass-4711': [{}] }));
    const response = z.record(z.string(), z.array(z.object({ addr: z.string() })));

    const failure = await failureIn(() => api.request({ ...READ, response }));

    expect(failure.message).toContain('…[0].addr: Invalid input');
    expect(failure.message).not.toContain('4711');
  });

  it('has advice for every failure type', () => {
    const advice = Object.entries(ADVICE).filter(([, text]) => !/^[A-Z].+\.$/.test(text));

    expect(advice).toEqual([]);
  });
});

describe('a request', () => {
  it('carries the key under its scheme, and is sent once', async () => {
    const { api, requests } = createScriptedApi(() => json({ tasks: [] }));

    const answer = await inActivity(() => api.request(READ));

    expect(answer).toEqual({ tasks: [] });
    expect(requests).toHaveLength(1);
    expect(requests[0]?.headers.get('authorization')).toBe('apikey canary-key$4711');
  });

  it('names the product, its version and the run, for the audit log of the API', async () => {
    const [, version] = /"version": "(.*)"/.exec(readFileSync('package.json', 'utf8')) ?? [];
    const { api, requests } = createScriptedApi(() => json({ tasks: [] }));

    await inActivity(() => api.request(READ));

    const userAgent = requests[0]?.headers.get('user-agent');
    expect(userAgent).toMatch(`gcore-workflows/${version ?? ''} (`);
  });

  it('follows no redirect, because the key would go with it', async () => {
    const { api, requests } = createScriptedApi(() => json({ tasks: [] }));

    await inActivity(() => api.request(READ));

    expect(requests[0]?.redirect).toBe('manual');
  });

  it('repeats a query parameter for each value, and omits undefined', async () => {
    const { api, requests } = createScriptedApi(() => json({ tasks: [] }));
    const query = { state: ['NEW', 'RUNNING'], limit: 5, exact: true, name: undefined };

    await inActivity(() => api.request({ ...READ, query }));

    expect(requests[0]?.url.search).toBe('?state=NEW&state=RUNNING&limit=5&exact=true');
  });

  it('returns only the parsed answer, without unknown fields', async () => {
    const { api } = createScriptedApi(() => json({ tasks: ['t'], secret: 'x' }));

    const answer = await inActivity(() => api.request(READ));

    expect(answer).toEqual({ tasks: ['t'] });
  });
});
