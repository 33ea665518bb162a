import type { Client } from '@temporalio/client';

import type { PeopleOptions } from './people.js';

const NAMESPACE = 'default';

/** What an administrator of Temporal does to runs, without the product. */
export function adminOf(client: Client): PeopleOptions['admin'] {
  const { workflowService } = client;
  return {
    terminate: async (workflowId) => {
      await client.workflow.getHandle(workflowId).terminate('by hand');
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
