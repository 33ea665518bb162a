import { invalidArgument } from './grpc-error.js';

/** What a worker hands back with a result: which attempt of which task it is about. */
export interface TaskToken {
  workflowId: string;
  runId: string;
  scheduledEventId: number;
  /** Of a workflow task. */
  startedEventId: number;
  attempt: number;
  startedAt: number;
  /** Of an answer to a query that was dispatched directly. */
  queryId: string;
  activityId: string;
}

const EMPTY: TaskToken = {
  workflowId: '',
  runId: '',
  scheduledEventId: 0,
  startedEventId: 0,
  attempt: 0,
  startedAt: 0,
  queryId: '',
  activityId: '',
};

export function writeToken(token: Partial<TaskToken>): Uint8Array {
  return Buffer.from(JSON.stringify({ ...EMPTY, ...token }));
}

export function readToken(bytes: Uint8Array | null | undefined): TaskToken {
  if (bytes === null || bytes === undefined || bytes.length === 0) {
    throw invalidArgument('Task token not set on request.');
  }
  const value = parse(bytes);
  if (!isToken(value)) throw invalidArgument('error deserializing task token');
  return value;
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    return undefined;
  }
}

function isToken(value: unknown): value is TaskToken {
  return typeof value === 'object' && value !== null && 'scheduledEventId' in value;
}
