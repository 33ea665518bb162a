import { EventType } from '../base/proto.js';
import type { Command, HistoryEvent, Payload } from '../base/proto.js';
import { fromPayload, toLong } from '../base/values.js';
import { record } from '../history/record.js';
import { mergeAttributes, typedAttributes } from '../visibility/search-attributes.js';
import type { CommandContext } from './context.js';

export function recordMarker(
  { server, execution, completedEventId }: CommandContext,
  { recordMarkerCommandAttributes: attributes }: Command,
): HistoryEvent | undefined {
  return record(server, execution, {
    eventType: EventType.EVENT_TYPE_MARKER_RECORDED,
    markerRecordedEventAttributes: {
      markerName: attributes?.markerName ?? '',
      details: attributes?.details ?? null,
      header: attributes?.header ?? null,
      failure: attributes?.failure ?? null,
      workflowTaskCompletedEventId: toLong(completedEventId),
    },
  });
}

export function upsertSearchAttributes(
  { server, execution, completedEventId }: CommandContext,
  { upsertWorkflowSearchAttributesCommandAttributes: attributes }: Command,
): HistoryEvent | undefined {
  const changes = attributes?.searchAttributes?.indexedFields ?? {};
  execution.searchAttributes = mergeAttributes(execution.searchAttributes, changes);
  return record(server, execution, {
    eventType: EventType.EVENT_TYPE_UPSERT_WORKFLOW_SEARCH_ATTRIBUTES,
    upsertWorkflowSearchAttributesEventAttributes: {
      searchAttributes: { indexedFields: typedAttributes(server, changes) },
      workflowTaskCompletedEventId: toLong(completedEventId),
    },
  });
}

export function modifyProperties(
  { server, execution, completedEventId }: CommandContext,
  { modifyWorkflowPropertiesCommandAttributes: attributes }: Command,
): HistoryEvent | undefined {
  const changes = attributes?.upsertedMemo?.fields ?? {};
  execution.memo = mergeMemo(execution.memo, changes);
  return record(server, execution, {
    eventType: EventType.EVENT_TYPE_WORKFLOW_PROPERTIES_MODIFIED,
    workflowPropertiesModifiedEventAttributes: {
      upsertedMemo: attributes?.upsertedMemo ?? null,
      workflowTaskCompletedEventId: toLong(completedEventId),
    },
  });
}

/** The memo with these changes. A payload without a value removes its field. */
export function mergeMemo(
  before: Record<string, Payload>,
  changes: Record<string, Payload>,
): Record<string, Payload> {
  const after = new Map(Object.entries(before));
  for (const [name, payload] of Object.entries(changes)) {
    const encoding = Buffer.from(payload.metadata?.['encoding'] ?? []).toString();
    const isEmpty = (payload.data?.length ?? 0) === 0 || fromPayload(payload) === null;
    if (encoding === 'binary/null' || (encoding === 'json/plain' && isEmpty)) after.delete(name);
    else after.set(name, payload);
  }
  return Object.fromEntries(after);
}
