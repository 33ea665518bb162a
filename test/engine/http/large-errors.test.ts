import { describe, expect, it } from '@jest/globals';

import { jsonByteLength } from '../../../src/engine/core/text.js';
import { taskIdsSchema } from '../../../src/contract/api/cloud.js';
import { failureIn } from '../../support/http/in-activity.js';
import { createScriptedApi, json } from '../../support/http/scripted-api.js';

const CALL = { path: '/x', response: taskIdsSchema } as const;
const MUTATION = { ...CALL, method: 'POST', repeatable: false } as const;

describe('a refusal with thousands of faults', () => {
  const fields = Object.fromEntries(
    Array.from({ length: 40_000 }, (_, at) => [`field-${at}`, ['bad']]),
  );

  it.each([
    ['errors', { errors: fields }],
    ['invalid_fields', { exception_class: 'ValidationError', invalid_fields: fields }],
  ])('names 20 of them and counts the rest (%s)', async (_title, body) => {
    const { api, requests } = createScriptedApi(() => json(body, 422));

    const failure = await failureIn(() => api.request(MUTATION));

    expect(failure).toMatchObject({ type: 'InvalidRequest', nonRetryable: true });
    expect(failure.details?.[0]).toMatchObject({
      faults: expect.arrayContaining([{ path: '…', message: '39,980 more faults', count: 39_980 }]),
    });
    expect(jsonByteLength([failure.message, failure.details])).toBeLessThan(24_000);
    expect(requests).toHaveLength(1);
  });

  it('cuts every text of it', async () => {
    const long = '\u0001'.repeat(100_000);
    const body = {
      exception_class: long,
      request_id: long,
      message: long,
      errors: { [long]: long },
    };
    const { api } = createScriptedApi(() => json(body, 422));

    const failure = await failureIn(() => api.request(MUTATION));

    expect(failure.type).toBe('InvalidRequest');
    expect(jsonByteLength([failure.message, failure.details])).toBeLessThan(4_000);
  });
});

describe('a body that JSON cannot write', () => {
  it.each([true, false])('is not sent and not tried again (repeatable %s)', async (repeatable) => {
    let body: unknown = {};
    for (let level = 0; level < 200_000; level++) body = [body];
    const { api, requests } = createScriptedApi(() => json({ tasks: [] }));

    const failure = await failureIn(() => api.request({ ...MUTATION, body, repeatable }));

    expect(failure).toMatchObject({ type: 'InvalidInput', nonRetryable: true });
    expect(failure.message).toContain('was not sent: its body cannot be written as JSON');
    expect(requests).toEqual([]);
  });
});
