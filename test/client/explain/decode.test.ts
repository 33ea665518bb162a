import { describe, expect, it } from '@jest/globals';
import {
  ApplicationFailure,
  DefaultFailureConverter,
  defaultPayloadConverter,
  type Payload,
  type PayloadCodec,
} from '@temporalio/common';

import { decodeFailure, decodePayloads } from '../../../src/client/explain/decode.js';

/** Marks each payload with one byte, and refuses one that does not begin with it. */
function createCodec(mark: number): PayloadCodec {
  const change = (payloads: Payload[], act: (data: Uint8Array) => Uint8Array): Promise<Payload[]> =>
    Promise.resolve(
      payloads.map((payload) => ({ ...payload, data: act(payload.data ?? new Uint8Array()) })),
    );
  return {
    encode: (payloads) => change(payloads, (data) => Uint8Array.from([mark, ...data])),
    decode: (payloads) =>
      change(payloads, (data) => {
        if (data[0] !== mark) throw new Error(`It does not begin with ${mark}`);
        return data.subarray(1);
      }),
  };
}

const FIRST = createCodec(1);
const SECOND = createCodec(2);

const CONVERTER = {
  payloadConverter: defaultPayloadConverter,
  failureConverter: new DefaultFailureConverter({ encodeCommonAttributes: true }),
  payloadCodecs: [FIRST, SECOND],
};

async function encode(payload: Payload): Promise<Payload> {
  const [encoded = {}] = await SECOND.encode(await FIRST.encode([payload]));
  return encoded;
}

describe('the payloads of a history', () => {
  it('are decoded by each codec, the last one first', async () => {
    const payload = await encode(defaultPayloadConverter.toPayload({ taskIds: ['t-1'] }));

    const values = await decodePayloads(CONVERTER, [payload]);

    expect(values).toEqual([{ taskIds: ['t-1'] }]);
  });
});

describe('a failure in a history', () => {
  const thrown = ApplicationFailure.create({ type: 'RateLimited', message: 'too many calls' });

  it('has its message and type', async () => {
    const plain = new DefaultFailureConverter().errorToFailure(thrown, defaultPayloadConverter);

    const failure = await decodeFailure(CONVERTER, plain);

    expect(failure).toEqual({ message: 'too many calls', type: 'RateLimited' });
  });

  it('has its message where a codec has encrypted it', async () => {
    const converter = CONVERTER.failureConverter;
    const hidden = converter.errorToFailure(thrown, defaultPayloadConverter);
    const encodedAttributes = await encode(hidden.encodedAttributes ?? {});

    const failure = await decodeFailure(CONVERTER, { ...hidden, encodedAttributes });

    expect(hidden.message).not.toContain('too many calls');
    expect(failure).toEqual({ message: 'too many calls', type: 'RateLimited' });
  });
});
