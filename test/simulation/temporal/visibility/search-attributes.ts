import type { Payload } from '../base/proto.js';
import { invalidArgument } from '../base/grpc-error.js';
import { fromPayload } from '../base/values.js';
import type { Server } from '../model/server.js';

/** What the server knows of every run, by name. */
export const SYSTEM_ATTRIBUTES: ReadonlyMap<string, string> = new Map([
  ['RunId', 'Keyword'],
  ['WorkflowId', 'Keyword'],
  ['WorkflowType', 'Keyword'],
  ['TaskQueue', 'Keyword'],
  ['ExecutionStatus', 'Keyword'],
  ['StartTime', 'Datetime'],
  ['ExecutionTime', 'Datetime'],
  ['CloseTime', 'Datetime'],
  ['ExecutionDuration', 'Int'],
  ['HistoryLength', 'Int'],
  ['HistorySizeBytes', 'Int'],
  ['StateTransitionCount', 'Int'],
  ['ParentWorkflowId', 'Keyword'],
  ['ParentRunId', 'Keyword'],
  ['RootWorkflowId', 'Keyword'],
  ['RootRunId', 'Keyword'],
  ['BuildIds', 'KeywordList'],
  ['BatcherNamespace', 'Keyword'],
  ['BatcherUser', 'Keyword'],
  ['BinaryChecksums', 'KeywordList'],
  ['TemporalChangeVersion', 'KeywordList'],
  ['TemporalNamespaceDivision', 'Keyword'],
  ['TemporalPauseInfo', 'KeywordList'],
  ['TemporalReportedProblems', 'KeywordList'],
  ['TemporalScheduledById', 'Keyword'],
  ['TemporalSchedulePaused', 'Bool'],
  ['TemporalScheduledStartTime', 'Datetime'],
  ['TemporalUsedWorkerDeploymentVersions', 'KeywordList'],
  ['TemporalWorkerDeployment', 'Keyword'],
  ['TemporalWorkerDeploymentVersion', 'Keyword'],
  ['TemporalWorkflowVersioningBehavior', 'Keyword'],
  ['TemporalExternalPayloadCount', 'Int'],
  ['TemporalExternalPayloadSizeBytes', 'Int'],
]);

/** System attributes that a run may set itself. */
const SETTABLE: ReadonlySet<string> = new Set([
  'BuildIds',
  'BatcherNamespace',
  'BatcherUser',
  'BinaryChecksums',
  'TemporalChangeVersion',
  'TemporalScheduledById',
  'TemporalScheduledStartTime',
]);

/** The type of a search attribute, or undefined where the namespace has none of this name. */
export function typeOfAttribute(server: Server, name: string): string | undefined {
  return server.searchAttributes.get(name) ?? SYSTEM_ATTRIBUTES.get(name);
}

/** What is wrong with the search attributes, or undefined. */
export function wrongAttribute(
  server: Server,
  fields: Record<string, Payload> | null | undefined,
): string | undefined {
  for (const [name, payload] of Object.entries(fields ?? {})) {
    const type =
      server.searchAttributes.get(name) ??
      (SETTABLE.has(name) ? SYSTEM_ATTRIBUTES.get(name) : undefined);
    if (type === undefined) {
      return `Namespace ${server.namespace.name} has no mapping defined for search attribute ${name}`;
    }
    const value = fromPayload(payload);
    if (!isOfType(value, type)) {
      return `invalid value for search attribute ${name} of type ${type}: ${JSON.stringify(value)}`;
    }
  }
  return undefined;
}

/** @throws GrpcError for an unknown one, or for a value of another type. */
export function checkSearchAttributes(
  server: Server,
  fields: Record<string, Payload> | null | undefined,
): void {
  const wrong = wrongAttribute(server, fields);
  if (wrong !== undefined) throw invalidArgument(wrong);
}

const isText = (value: unknown): boolean => typeof value === 'string';

const CHECKS: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ['Keyword', isText],
  ['Text', isText],
  ['Datetime', isText],
  ['KeywordList', (value: unknown) => Array.isArray(value) && value.every(isText)],
  ['Int', Number.isSafeInteger],
  ['Double', (value: unknown) => typeof value === 'number'],
  ['Bool', (value: unknown) => typeof value === 'boolean'],
]);

/** One value stands for a list of one, and the other way round. None at all removes the attribute. */
function isOfType(value: unknown, type: string): boolean {
  if (value === undefined || value === null) return true;
  const check = CHECKS.get(type);
  if (check === undefined || check(value)) return true;
  if (type === 'KeywordList') return isText(value);
  return Array.isArray(value) && (value.length === 0 || (value.length === 1 && check(value[0])));
}

/** The attributes with these changes. An empty value removes one. */
export function mergeAttributes(
  before: Record<string, Payload>,
  changes: Record<string, Payload> | null | undefined,
): Record<string, Payload> {
  const after = new Map(Object.entries(before));
  for (const [name, payload] of Object.entries(changes ?? {})) {
    const value = fromPayload(payload);
    if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) {
      after.delete(name);
    } else after.set(name, payload);
  }
  return Object.fromEntries(after);
}

/** The attributes with their types, which a client needs to read them. */
export function typedAttributes(
  server: Server,
  fields: Record<string, Payload>,
): Record<string, Payload> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, payload]) => {
      const type = typeOfAttribute(server, name) ?? 'Keyword';
      return [
        name,
        { data: payload.data ?? null, metadata: { ...payload.metadata, type: Buffer.from(type) } },
      ];
    }),
  );
}
