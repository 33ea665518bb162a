import Long from 'long';

import type { Duration, Payload, Payloads, Timestamp } from './proto.js';

/** A protobuf duration in milliseconds. An absent one is 0, as in the server. */
export function toMs(duration: Duration | null | undefined): number {
  if (duration === null || duration === undefined) return 0;
  return toNumber(duration.seconds) * 1_000 + (duration.nanos ?? 0) / 1e6;
}

export function toDuration(ms: number): Duration {
  return {
    seconds: Long.fromNumber(Math.floor(ms / 1_000)),
    nanos: Math.round((ms % 1_000) * 1e6),
  };
}

export function toTimestamp(ms: number): Timestamp {
  return toDuration(ms);
}

/** The time in milliseconds since 1970, or undefined for an absent one. */
export function toTime(timestamp: Timestamp | null | undefined): number | undefined {
  return timestamp === null || timestamp === undefined ? undefined : toMs(timestamp);
}

/** A number of any of the ways in which a message may hold it. */
export function toNumber(value: Long | number | string | null | undefined): number {
  if (value === null || value === undefined) return 0;
  if (typeof value === 'number') return value;
  return typeof value === 'string' ? Number(value) : value.toNumber();
}

export function toLong(value: number): Long {
  return Long.fromNumber(value);
}

const ENCODING = Buffer.from('json/plain');

/** A value as the server itself writes payloads. */
export function toPayload(value: unknown, type?: string): Payload {
  return {
    metadata: {
      encoding: ENCODING,
      ...(type !== undefined && { type: Buffer.from(type) }),
    },
    data: Buffer.from(JSON.stringify(value)),
  };
}

export function toPayloads(value: unknown): Payloads {
  return { payloads: [toPayload(value)] };
}

/** The JSON value of a payload, or undefined where it holds none. */
export function fromPayload(payload: Payload | null | undefined): unknown {
  const data = payload?.data;
  if (data === null || data === undefined || data.length === 0) return undefined;
  try {
    return JSON.parse(Buffer.from(data).toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Bytes of the payloads, as good as the history size needs it. */
export function sizeOf(value: unknown): number {
  if (value instanceof Uint8Array) return value.length;
  if (typeof value === 'string') return value.length;
  if (Array.isArray(value)) {
    let size = 0;
    for (const item of value) size += sizeOf(item);
    return size;
  }
  if (typeof value !== 'object' || value === null) return 2;
  let size = 4;
  for (const item of Object.values(value)) size += sizeOf(item);
  return size;
}
