import { activityInfo } from '@temporalio/activity';
import type { temporal } from '@temporalio/proto';

import { instanceSecrets, type ApiKeys, type SecretsOfRun } from '../activities/index.js';
import type { CutShortDeps } from './cut-short.js';

/** Below the timeout of the activity, which is repeated. */
const ANSWER_WITHIN_MS = 4_000;
/** The only activity that sends secrets and starts a task. */
const SENDING_ACTIVITY = 'createInstance';

type HistoryEvent = temporal.api.history.v1.IHistoryEvent;
type Payloads = temporal.api.common.v1.IPayloads;

/**
 * The secrets that the run of the current activity holds: in its input and in the inputs of its sending
 * activity, where a corrected input shows too. They stand in its history only, so they are read there:
 * an activity that reads a task knows nothing but its id, and runs on any worker at any time.
 * `undefined` when an input is not plain JSON.
 */
export function createSecretsOfRun(deps: CutShortDeps & { keys: ApiKeys }): SecretsOfRun {
  return async () => {
    const { workflowExecution } = activityInfo();
    if (workflowExecution === undefined) return deps.keys.all();
    const inputs = (await readEvents(deps, workflowExecution)).flatMap(inputsOf);
    if (inputs.includes(undefined)) return undefined;
    return [...deps.keys.all(), ...inputs.flatMap(secretsIn)];
  };
}

async function readEvents(
  { connection, namespace }: CutShortDeps,
  execution: { workflowId: string; runId: string },
): Promise<HistoryEvent[]> {
  const events: HistoryEvent[] = [];
  let nextPageToken: Uint8Array = new Uint8Array();
  do {
    const request = { namespace, execution, nextPageToken };
    const page = await connection.withDeadline(Date.now() + ANSWER_WITHIN_MS, () =>
      connection.workflowService.getWorkflowExecutionHistory(request),
    );
    events.push(...(page.history?.events ?? []));
    nextPageToken = page.nextPageToken;
  } while (nextPageToken.length > 0);
  return events;
}

/** The arguments of a start or of a sending activity; `undefined` for one that cannot be read. */
function inputsOf(event: HistoryEvent): unknown[] {
  const {
    workflowExecutionStartedEventAttributes: started,
    activityTaskScheduledEventAttributes: scheduled,
  } = event;
  const isSending = scheduled?.activityType?.name === SENDING_ACTIVITY;
  return [...toValues(started?.input), ...(isSending ? toValues(scheduled.input) : [])];
}

function toValues(payloads: Payloads | null | undefined): unknown[] {
  return (payloads?.payloads ?? []).map(({ metadata, data }): unknown => {
    const isJson = Buffer.from(metadata?.['encoding'] ?? []).toString() === 'json/plain';
    return isJson && data ? JSON.parse(Buffer.from(data).toString()) : undefined;
  });
}

function secretsIn(input: unknown): string[] {
  const isMaking = input instanceof Object && 'instance' in input;
  return isMaking ? instanceSecrets(input.instance) : [];
}
