import proto from '@temporalio/proto';

const { HistoryEvent } = proto.temporal.api.history.v1;

/** What differs from run to run of one and the same server, and says nothing of its behaviour. */
const LEFT_OUT = new Set([
  'eventTime',
  'taskId',
  'version',
  'stackTrace',
  'historySizeBytes',
  'sdkMetadata',
  'binaryChecksum',
  'workerVersion',
  'deployment',
  'deploymentVersion',
  'workerDeploymentName',
]);

/** An event as scripts compare it. */
export interface PlainEvent {
  type: string;
  [field: string]: unknown;
}

type Plain = Record<string, unknown>;

const utf8 = new TextDecoder();

export function plainEvent(event: proto.temporal.api.history.v1.IHistoryEvent): PlainEvent {
  const { eventId, eventType, attributes, ...others } = HistoryEvent.toObject(
    HistoryEvent.fromObject(event),
    { enums: String, longs: Number, oneofs: true },
  );
  const name = String(attributes);
  const type = String(eventType).replace(/^EVENT_TYPE_/, '');
  const given: unknown = others[name];
  const attributesOfType = isPlain(given) ? { ...given } : {};
  if (name.startsWith('workflowTaskStarted')) delete attributesOfType['requestId'];
  jitter(attributesOfType);
  const rest = Object.fromEntries(Object.entries(others).filter(([key]) => key !== name));
  return { id: eventId, type, ...shrink(attributesOfType), ...shrink(rest) };
}

/**
 * The server draws how long it waits with a run that is tried again, and with the third attempt of a task. A run that
 * continues waits until the one before it began a second ago.
 */
function jitter(attributes: Plain): void {
  if (attributes['initiator'] === 'CONTINUE_AS_NEW_INITIATOR_WORKFLOW') {
    delete attributes['firstWorkflowTaskBackoff'];
  }
  if (attributes['initiator'] === 'CONTINUE_AS_NEW_INITIATOR_RETRY') {
    attributes['firstWorkflowTaskBackoff'] = '<drawn>';
  }
  if ('startToCloseTimeout' in attributes && Number(attributes['attempt']) > 2) {
    attributes['startToCloseTimeout'] = '<drawn>';
  }
}

/** Leaves out what is empty, what is by chance, and puts words in the place of times. */
function shrink(value: Plain): Plain {
  const kept = Object.entries(value)
    .filter(([key]) => !LEFT_OUT.has(key))
    .map(([key, field]) => [key, plain(field)] as const)
    .filter(([, field]) => !isEmpty(field));
  return Object.fromEntries(kept.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof Uint8Array) return utf8.decode(value);
  if (!isPlain(value)) return value;
  if (isPayload(value)) return plainPayload(value);
  if (isTime(value)) return plainTime(value);
  if (value['kind'] === 'TASK_QUEUE_KIND_STICKY') return { ...shrink(value), name: '<sticky>' };
  return shrink(value);
}

function isPlain(value: unknown): value is Plain {
  return typeof value === 'object' && value !== null && !(value instanceof Uint8Array);
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === 0 || value === false) {
    return true;
  }
  return typeof value === 'object' && Object.keys(value).length === 0;
}

function isPayload(value: Plain): boolean {
  return isPlain(value['metadata']) && value['metadata']['encoding'] instanceof Uint8Array;
}

function plainPayload({ metadata, data }: Plain): unknown {
  const told = isPlain(metadata) ? shrink(metadata) : {};
  const { encoding, ...others } = told;
  const text = data instanceof Uint8Array ? utf8.decode(data) : '';
  const read: unknown = encoding === 'json/plain' ? readJson(text) : text;
  const isOrdinary = encoding === 'json/plain' && Object.keys(others).length === 0;
  return isOrdinary ? { json: read } : { ...others, encoding, data: read };
}

/** Markers of local activities tell times in JSON. */
function readJson(text: string): unknown {
  const read: unknown = JSON.parse(text);
  return isPlain(read) && 'complete_time' in read ? plain(read) : read;
}

function isTime(value: Plain): boolean {
  const keys = Object.keys(value);
  return keys.length > 0 && keys.every((key) => key === 'seconds' || key === 'nanos');
}

const SINCE_2001_S = 1_000_000_000;

/** Moments and durations look the same. Durations are short. */
function plainTime({ seconds = 0, nanos = 0 }: Plain): unknown {
  if (Number(seconds) > SINCE_2001_S) return '<time>';
  return `${Number(seconds) * 1_000 + Math.round(Number(nanos) / 1_000_000)} ms`;
}

const UUID = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g;
/** The SDK makes it from the code of the workflows. */
const BUILD = /@temporalio\/worker@[\d.]+\+[\da-f]{64}/g;
const IDENTITY = /\b\d+@[\w.-]+/g;

/** The value with names in the place of ids: equal ids have equal names, in the order in which they appear. */
export function withNames(value: unknown, prefix: string): unknown {
  const names = new Map<string, string>();
  const nameOf = (id: string): string => {
    const name = names.get(id) ?? `<id ${names.size + 1}>`;
    names.set(id, name);
    return name;
  };
  const replace = (text: string): string =>
    text
      .replaceAll(prefix, '')
      .replaceAll(UUID, nameOf)
      .replaceAll(IDENTITY, '<identity>')
      .replaceAll(BUILD, '<build>');
  const walk = (part: unknown): unknown => {
    if (typeof part === 'string') return replace(part);
    if (Array.isArray(part)) return part.map(walk);
    if (part instanceof Date) return '<time>';
    if (part instanceof Map) return walk(Object.fromEntries(part));
    if (!isPlain(part)) return part ?? null;
    // The server writes maps in any order.
    const fields = Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(fields.map(([key, field]) => [replace(key), walk(field)]));
  };
  return walk(value);
}
