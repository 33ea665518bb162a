import { Client } from '@temporalio/client';

import type { Codec } from '../codec/codec.js';

/** The same client, whose payloads also pass this codec. */
export function withCodec(client: Client, codec: Codec | undefined): Client {
  if (codec === undefined) return client;
  const { connection, options } = client;
  const { loadedDataConverter: converter, ...others } = options;
  const payloadCodecs = [...converter.payloadCodecs, codec];
  return new Client({ ...others, connection, dataConverter: { ...converter, payloadCodecs } });
}
