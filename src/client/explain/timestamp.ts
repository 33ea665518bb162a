import type proto from '@temporalio/proto';

import { isoOf } from '../../engine/core/iso-of.js';

type Timestamp = proto.google.protobuf.ITimestamp | proto.google.protobuf.IDuration;

/** Milliseconds: since the epoch, or of a duration. */
export function toMs(time: Timestamp | null | undefined): number {
  return Number(time?.seconds ?? 0) * 1000 + (time?.nanos ?? 0) / 1_000_000;
}

export function toIso(time: Timestamp | null | undefined): string {
  return isoOf(toMs(time));
}
