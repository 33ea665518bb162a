import { describe, expect, it } from '@jest/globals';
import { defaultPayloadConverter } from '@temporalio/common';

import { secretsIn } from '../support/replay/secrets-in.js';

const KEY = 'simulator-key';

function historyWith(value: unknown) {
  const payloads = [defaultPayloadConverter.toPayload(value)];
  const workflowExecutionSignaledEventAttributes = { input: { payloads } };
  return {
    workflowId: 'run',
    history: { events: [{ eventId: 7, workflowExecutionSignaledEventAttributes }] },
  };
}

describe('the scan of every replayed history', () => {
  it.each([
    ['the key', `the key is ${KEY}`],
    ['a header', 'Authorization: APIKey 1234$abcdefghijkl'],
    ['the secret of a webhook', { secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }],
    ...['', 'a', 'ab', 'user:'].map((before) => [
      `the key in base64 after "${before}"`,
      Buffer.from(`${before}${KEY}--`).toString('base64'),
    ]),
  ])('finds %s', (_, value) => {
    expect(secretsIn(historyWith(value), KEY)).toEqual(['run, event 7, shows a secret']);
  });

  it('finds nothing in names and ids', () => {
    const value = {
      keyName: 'my-key',
      tokenName: 'bearer of news',
      id: '9c1b2d3e-0000-4000-8000-000000000000',
    };

    expect(secretsIn(historyWith(value), KEY)).toEqual([]);
  });
});
