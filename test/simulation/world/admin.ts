import type { Client } from '@temporalio/client';

import { pass, type Clock } from '../time/clock.js';
import type { Draw } from '../time/draw.js';
import type { PeopleOptions } from './people.js';
import type { Story } from './story.js';

const NAMESPACE = 'default';
const SECOND = 1_000;

/** What an administrator of Temporal does to runs, without the product. */
export function adminOf(client: Client): PeopleOptions['admin'] {
  const { workflowService } = client;
  return {
    terminate: async (workflowId) => {
      await client.workflow.getHandle(workflowId).terminate('by hand');
    },
    cancel: async (workflowId) => {
      await client.workflow.getHandle(workflowId).cancel();
    },
    delete: async (workflowId) => {
      await workflowService.deleteWorkflowExecution({
        namespace: NAMESPACE,
        workflowExecution: { workflowId },
      });
    },
    async reset(workflowId, at) {
      const handle = client.workflow.getHandle(workflowId);
      const { events } = await handle.fetchHistory();
      const ends = (events ?? []).filter((event) => event.workflowTaskCompletedEventAttributes);
      const eventId = ends[Math.floor(at * ends.length)]?.eventId ?? undefined;
      if (eventId === undefined) throw new RangeError('the run has no point to reset it to');
      await workflowService.resetWorkflowExecution({
        namespace: NAMESPACE,
        workflowExecution: { workflowId, runId: (await handle.describe()).runId },
        workflowTaskFinishEventId: eventId,
        reason: 'by hand',
        requestId: `reset-${workflowId}-${String(eventId)}`,
      });
    },
  };
}

/** An administrator resets the activity of a run that is under way, or pauses it for a while. Never rejects. */
export async function handleActivity(
  { client, clock, story }: { client: Client; clock: Clock; story: Story },
  workflowId: string,
  draw: Draw,
): Promise<void> {
  const { workflowService } = client;
  try {
    const { raw } = await client.workflow.getHandle(workflowId).describe();
    const pending = raw.pendingActivities ?? [];
    if (pending.length === 0) return;
    const { activityId, activityType } = draw.pick(pending);
    const named = {
      ...{ namespace: NAMESPACE, execution: { workflowId }, id: activityId ?? '' },
      resetHeartbeat: draw.fork('heartbeat').chance(0.5),
    };
    const what = `${activityType?.name ?? ''} of ${workflowId}`;
    if (draw.chance(0.5)) {
      story.tell('administrator', `RESETS the activity ${what}`);
      await workflowService.resetActivity(named);
      return;
    }
    story.tell('administrator', `PAUSES the activity ${what}`);
    await workflowService.pauseActivity(named);
    await pass(clock, draw.number(1, 180) * SECOND);
    story.tell('administrator', `lets the activity ${what} go on`);
    await workflowService.unpauseActivity({ ...named, resetAttempts: draw.chance(0.5) });
  } catch (error) {
    story.tell('administrator', `is refused: ${String(error).slice(0, 160)}`);
  }
}
