/** What scripts and their workflows compare of an error. It runs in the sandbox of workflows too. */
export interface Explained {
  name: string;
  message: string;
  cause?: Explained | string;
  [field: string]: unknown;
}

const FIELDS = [
  'type',
  'code',
  'nonRetryable',
  'details',
  'retryState',
  'timeoutType',
  'lastHeartbeatDetails',
  'activityType',
  'activityId',
  'workflowType',
  'category',
  'updateId',
  'status',
] as const;

/** The error and all of its causes. */
export function explainError(error: unknown): Explained | string {
  if (!(error instanceof Error)) return String(error);
  const explained: Explained = { name: error.name, message: error.message };
  for (const field of FIELDS) {
    const value: unknown = Reflect.get(error, field);
    if (value !== undefined && value !== null && value !== false) explained[field] = value;
  }
  if (error.cause !== undefined) explained.cause = explainError(error.cause);
  return explained;
}

/** What became of something that may fail. */
export async function outcomeOf(work: Promise<unknown>): Promise<unknown> {
  try {
    return { returned: (await work) ?? null };
  } catch (error) {
    return { threw: explainError(error) };
  }
}
