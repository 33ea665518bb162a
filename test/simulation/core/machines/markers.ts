import proto from '@temporalio/proto';
import type { temporal } from '@temporalio/proto';

import { fromMarkerTime, toMarkerTime, type Timestamp } from '../timestamps.js';
import {
  jsonPayload,
  parsePayload,
  type Failure,
  type HistoryEvent,
  type Payload,
} from '../messages.js';
import { toMs } from '../timestamps.js';

const { EventType } = proto.temporal.api.enums.v1;

type MarkerAttributes = temporal.api.history.v1.IMarkerRecordedEventAttributes;

function markerOf(event: HistoryEvent, name: string): MarkerAttributes | undefined {
  if (event.eventType !== EventType.EVENT_TYPE_MARKER_RECORDED) return undefined;
  const attributes = event.markerRecordedEventAttributes ?? undefined;
  return attributes?.markerName === name ? attributes : undefined;
}

export interface PatchMarker {
  id: string;
  deprecated: boolean;
}

/** What a marker of a patch says; undefined for any other event. */
export function patchOf(event: HistoryEvent): PatchMarker | undefined {
  const details = markerOf(event, 'core_patch')?.details?.['patch-data'];
  const data = parsePayload(details?.payloads?.[0]);
  if (typeof data !== 'object' || data === null) return undefined;
  const id: unknown = Reflect.get(data, 'id');
  return typeof id === 'string'
    ? { id, deprecated: Reflect.get(data, 'deprecated') === true }
    : undefined;
}

/** What the marker of a local activity says of it, besides its result. */
export interface LocalActivityMarker {
  seq: number;
  attempt: number;
  activityId: string;
  activityType: string;
  completeTime: Timestamp | undefined;
  backoffMs: number | undefined;
  originalScheduleTime: Timestamp | undefined;
}

export interface CompletedLocalActivity extends LocalActivityMarker {
  result: Payload | undefined;
  failure: Failure | undefined;
}

export function isLocalActivityMarker(event: HistoryEvent): boolean {
  return markerOf(event, 'core_local_activity') !== undefined;
}

/** What a marker of a local activity says; undefined where it cannot be read. */
export function localActivityOf(event: HistoryEvent): CompletedLocalActivity | undefined {
  const attributes = markerOf(event, 'core_local_activity');
  const data = parsePayload(attributes?.details?.['data']?.payloads?.[0]);
  if (attributes === undefined || typeof data !== 'object' || data === null) return undefined;
  const failure = attributes.failure ?? undefined;
  return {
    ...readMarker(data),
    result: failure === undefined ? resultOf(attributes) : undefined,
    failure,
  };
}

function resultOf({ details }: MarkerAttributes): Payload {
  return details?.['result']?.payloads?.at(-1) ?? {};
}

function readMarker(data: object): LocalActivityMarker {
  const field = (name: string): unknown => Reflect.get(data, name);
  const number = (name: string): number => {
    const value = field(name);
    return typeof value === 'number' ? value : 0;
  };
  const text = (name: string): string => {
    const value = field(name);
    return typeof value === 'string' ? value : '';
  };
  return {
    seq: number('seq'),
    attempt: number('attempt'),
    activityId: text('activity_id'),
    activityType: text('activity_type'),
    completeTime: fromMarkerTime(field('complete_time')),
    backoffMs: toMs(fromMarkerTime(field('backoff'))),
    originalScheduleTime: fromMarkerTime(field('original_schedule_time')),
  };
}

export function localActivityData(
  marker: LocalActivityMarker,
  backoff: Timestamp | undefined,
): Payload {
  return jsonPayload({
    seq: marker.seq,
    attempt: marker.attempt,
    activity_id: marker.activityId,
    activity_type: marker.activityType,
    complete_time: toMarkerTime(marker.completeTime),
    backoff: toMarkerTime(backoff),
    original_schedule_time: toMarkerTime(marker.originalScheduleTime),
  });
}
