import type { Connection } from '@temporalio/client';
import type { temporal } from '@temporalio/proto';

import type { Document } from './canaries.js';

export interface RawDocuments {
  /** Everything that the server has of the runs of a namespace, as text. */
  documents: Document[];
  /** Places of payloads that are not encrypted and may have to be. */
  clear: string[];
  encrypted: number;
}

type Execution = temporal.api.common.v1.IWorkflowExecution;

/** All that the Temporal server stores in a namespace, as somebody without the keys sees it. */
export async function rawDocuments(
  { workflowService: service }: Connection,
  namespace: string,
): Promise<RawDocuments> {
  const found: RawDocuments = { documents: [], clear: [], encrypted: 0 };
  const add = (name: string, value: object): void => {
    found.documents.push({ name, text: textOf(value) });
    walk(value, [name], found);
  };
  const { executions } = await service.listWorkflowExecutions({ namespace, pageSize: 1_000 });
  for (const listed of executions) {
    const execution = listed.execution ?? {};
    const name = execution.workflowId ?? '';
    add(`list: ${name}`, listed);
    add(`description: ${name}`, await service.describeWorkflowExecution({ namespace, execution }));
    for (const event of await eventsOf(service, namespace, execution)) {
      add(`history: ${name}, event ${String(event.eventId)}`, event);
    }
  }
  const { schedules } = await service.listSchedules({ namespace, maximumPageSize: 100 });
  for (const listed of schedules) {
    const scheduleId = listed.scheduleId ?? '';
    add(`schedules: ${scheduleId}`, listed);
    add(`schedule: ${scheduleId}`, await service.describeSchedule({ namespace, scheduleId }));
  }
  return found;
}

async function eventsOf(
  service: Connection['workflowService'],
  namespace: string,
  execution: Execution,
) {
  const events: temporal.api.history.v1.IHistoryEvent[] = [];
  let nextPageToken: Uint8Array = new Uint8Array();
  do {
    const page = await service.getWorkflowExecutionHistory({ namespace, execution, nextPageToken });
    events.push(...(page.history?.events ?? []));
    nextPageToken = page.nextPageToken;
  } while (nextPageToken.length > 0);
  return events;
}

/** Not covered by a codec: docs/secure.md lists them. */
const NEVER_ENCRYPTED =
  /searchAttributes|indexedFields|markerRecorded.*details (data|patch-data|version)|header|UpsertWorkflowSearchAttributes/i;

function walk(value: unknown, path: readonly string[], found: RawDocuments): void {
  if (!(value instanceof Object) || value instanceof Uint8Array) return;
  if ('metadata' in value && 'data' in value) {
    const place = path.join(' ');
    if (value.metadata instanceof Object && 'encryption-key-id' in value.metadata) {
      found.encrypted += 1;
    } else if (!NEVER_ENCRYPTED.test(place)) found.clear.push(place);
    return;
  }
  for (const [key, child] of Object.entries(value)) walk(child, [...path, key], found);
}

/** All texts and bytes below a value. */
function textOf(value: unknown): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString();
  if (typeof value === 'string') return value;
  if (!(value instanceof Object)) return '';
  return Object.entries(value)
    .map(([key, child]) => `${key} ${textOf(child)}`)
    .join('\n');
}
