import { defaultPayloadConverter } from '@temporalio/common';
import type { WorkflowHandle } from '@temporalio/client';

/** The input of each call of this activity that a run has scheduled, in order. */
export async function inputsOf<T>(run: WorkflowHandle, activity: string): Promise<T[]> {
  const { events } = await run.fetchHistory();
  return (events ?? []).flatMap(({ activityTaskScheduledEventAttributes: scheduled }) => {
    const [payload] = scheduled?.input?.payloads ?? [];
    const isCall = scheduled?.activityType?.name === activity && payload !== undefined;
    return isCall ? [defaultPayloadConverter.fromPayload<T>(payload)] : [];
  });
}
