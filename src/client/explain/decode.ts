import type {
  LoadedDataConverter,
  Payload,
  ProtoFailure,
  SerializationContext,
} from '@temporalio/common';
import type proto from '@temporalio/proto';
import { z } from 'zod';

import { isoOf } from '../../engine/core/times.js';

/**
 * The values in these payloads, by the client's own codecs and converter.
 * @param reader the run that must own them; without it they are shown as they are, which explains why a run has refused
 * one
 */
export async function decodePayloads(
  { payloadCodecs, payloadConverter }: LoadedDataConverter,
  payloads: readonly Payload[],
  reader?: SerializationContext,
): Promise<unknown[]> {
  let decoded = [...payloads];
  // They were encoded by the first codec first.
  for (const codec of [...payloadCodecs].reverse()) decoded = await codec.decode(decoded, reader);
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

type Timestamp = proto.google.protobuf.ITimestamp | proto.google.protobuf.IDuration;

/** Milliseconds: since the epoch, or of a duration. */
export function toMs(time: Timestamp | null | undefined): number {
  return Number(time?.seconds ?? 0) * 1000 + (time?.nanos ?? 0) / 1_000_000;
}

export function toIso(time: Timestamp | null | undefined): string {
  return isoOf(toMs(time));
}
