import proto from '@temporalio/proto';
import { Worker } from '@temporalio/worker';

import { plainAttributes } from '../attributes.js';
import { outcomeOf } from '../explain-error.js';
import type { Handle, Script, Stage } from '../stage.js';

export { explainError, outcomeOf } from '../explain-error.js';
export type { Handle, Script, Stage } from '../stage.js';

export const { EventType, QueryRejectCondition, ResetReapplyExcludeType } =
  proto.temporal.api.enums.v1;
const { PendingActivityState } = proto.temporal.api.enums.v1;

export const script = (name: string, run: Script['run'], seconds = 1): Script => ({
  ...{ name, run, seconds },
});

/** An activity that succeeds at once. */
export const easy = { perform: (what: string): string => `done ${what}` };

export interface Gate {
  isOpen: () => boolean;
  opened: Promise<void>;
  open: () => void;
}

/** What an activity waits for until the script lets it go on. */
export function createGate(): Gate {
  let isOpen = false;
  let resolve = (): void => undefined;
  const opened = new Promise<void>((settle) => {
    resolve = settle;
  });
  return {
    isOpen: () => isOpen,
    opened,
    open() {
      isOpen = true;
      resolve();
    },
  };
}

/** The types of the events that the run has so far. */
async function eventTypes({ client }: Stage, workflowId: string): Promise<string[]> {
  const { events } = await client.workflow.getHandle(workflowId).fetchHistory();
  return (events ?? []).map(({ eventType }) =>
    String(EventType[eventType ?? 0]).replace('EVENT_TYPE_', ''),
  );
}

/** Waits until the run has so many events of a type. */
export async function untilEvent(
  stage: Stage,
  workflowId: string,
  [type, count = 1]: readonly [string, number?],
): Promise<void> {
  await stage.eventually(`${count} × ${type}`, async () => {
    const types = await eventTypes(stage, workflowId);
    return types.filter((each) => each === type).length >= count;
  });
}

/** Waits until the run has nothing to do for a worker. */
export async function untilIdle(stage: Stage, workflowId: string): Promise<void> {
  await stage.eventually('an idle run', async () => {
    const types = await eventTypes(stage, workflowId);
    const [task] = types.filter((type) => type.startsWith('WORKFLOW_TASK')).slice(-1);
    return task === 'WORKFLOW_TASK_COMPLETED';
  });
}

/** What describe says of a run, without what every run has. */
export async function described(handle: Pick<Handle, 'describe'>): Promise<unknown> {
  const { status, type, taskQueue, historyLength, memo, typedSearchAttributes, raw, closeTime } =
    await handle.describe();
  return {
    status: status.name,
    ...{ type, taskQueue, historyLength, memo },
    searchAttributes: plainAttributes(typedSearchAttributes),
    isClosed: closeTime !== undefined,
    pending: [raw.pendingActivities?.length ?? 0, raw.pendingChildren?.length ?? 0],
    hasTask: raw.pendingWorkflowTask !== null && raw.pendingWorkflowTask !== undefined,
  };
}

/** What describe says of the activities that have not ended. */
export async function pendingActivities(stage: Stage, workflowId: string): Promise<unknown[]> {
  const { raw } = await stage.client.workflow.getHandle(workflowId).describe();
  return (raw.pendingActivities ?? []).map((pending) => ({
    id: pending.activityId,
    type: pending.activityType?.name,
    state: String(PendingActivityState[pending.state ?? 0]),
    ...{ attempt: pending.attempt, maximumAttempts: pending.maximumAttempts ?? 0 },
    lastFailure: pending.lastFailure?.message ?? null,
    hasStarted: pending.lastStartedTime !== null && pending.lastStartedTime !== undefined,
    hasNext: pending.scheduledTime !== null && pending.scheduledTime !== undefined,
    heartbeats: pending.heartbeatDetails?.payloads?.length ?? 0,
    paused: pending.paused ?? false,
  }));
}

/** The outcome of a call, such as a raw one of the service. Only its error is compared. */
export async function refusal(call: Promise<unknown>): Promise<unknown> {
  return outcomeOf(call.then(() => 'done'));
}

/** What a replay of the history of a run says, with the code of now or of the next version. */
export async function replay(
  stage: Stage,
  workflowId: string,
  version: 'now' | 'next' = 'now',
): Promise<unknown> {
  const history = await stage.client.workflow.getHandle(workflowId).fetchHistory();
  const workflowBundle = { codePath: stage.bundles[version] };
  return outcomeOf(Worker.runReplayHistory({ workflowBundle }, history, workflowId));
}
