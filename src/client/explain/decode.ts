import type { LoadedDataConverter, Payload, ProtoFailure } from '@temporalio/common';
import { z } from 'zod';

/** The values in these payloads, by the client's own codecs and converter. */
export async function decodePayloads(
  { payloadCodecs, payloadConverter }: LoadedDataConverter,
  payloads: readonly Payload[],
): Promise<unknown[]> {
  let decoded = [...payloads];
  // They were encoded by the first codec first.
  for (const codec of [...payloadCodecs].reverse()) decoded = await codec.decode(decoded);
  return decoded.map((payload) => payloadConverter.fromPayload<unknown>(payload));
}

const attributesSchema = z.object({ message: z.string() });

/** Message and type of a failure. With an encrypting codec the message stands in `encodedAttributes`. */
export async function decodeFailure(
  converter: LoadedDataConverter,
  { message, encodedAttributes, applicationFailureInfo }: ProtoFailure,
): Promise<{ message: string; type?: string }> {
  const encoded = encodedAttributes ? [encodedAttributes] : [];
  const [attributes] = await decodePayloads(converter, encoded);
  const readable = attributesSchema.safeParse(attributes).data;
  const type = applicationFailureInfo?.type;
  return { message: readable?.message ?? message ?? '', ...(type ? { type } : {}) };
}
