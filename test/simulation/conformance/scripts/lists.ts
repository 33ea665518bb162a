import { attributes, plainAttributes } from '../attributes.js';
import { easy, outcomeOf, refusal, script, untilIdle, type Stage } from './kit.js';

const ATTRIBUTES = ['blocked', 'running', 'none'] as const;

/** Six runs: three that run, of which one has no phase, and three that have closed in different ways. */
async function populate(stage: Stage): Promise<void> {
  await stage.worker(easy);
  for (const [at, phase] of ATTRIBUTES.entries()) {
    const run = await stage.start('waitForGo', {
      workflowId: stage.id(`open-${at}`),
      ...(phase !== 'none' && {
        typedSearchAttributes: attributes(phase, [`at=${at}`, 'all=yes']),
      }),
    });
    await untilIdle(stage, run.workflowId);
  }
  await stage.outcome('echo', { workflowId: stage.id('closed-1'), args: [1] });
  await stage.outcome('fail', { workflowId: stage.id('closed-2'), args: ['Purpose'] });
  const last = await stage.start('waitForGo', { workflowId: stage.id('closed-3') });
  await untilIdle(stage, last.workflowId);
  await last.terminate('enough');
  await stage.eventually('all runs in the list', async () => {
    const closed = await stage.client.workflow.count(
      `TaskQueue = '${stage.taskQueue}' AND ExecutionStatus != 'Running'`,
    );
    const all = await stage.client.workflow.count(`TaskQueue = '${stage.taskQueue}'`);
    return closed.count === 3 && all.count === 6;
  });
}

/** The queries that the product asks, and some like them. */
const QUERIES: readonly string[] = [
  `ExecutionStatus = 'Running'`,
  `ExecutionStatus != 'Running'`,
  `ExecutionStatus IN ("Failed", "Terminated", "TimedOut")`,
  `ExecutionStatus IN ('Terminated', 'TimedOut')`,
  `ExecutionStatus = 'Running' AND GcorePhase = 'blocked'`,
  `ExecutionStatus = "Running" AND (GcorePhase = "running" OR GcorePhase IS NULL)`,
  `GcorePhase IS NOT NULL`,
  `GcorePhase IN ('blocked', 'running')`,
  `GcorePhase != 'blocked'`,
  `GcoreLabels = 'at=1'`,
  `GcoreLabels = 'all=yes' AND GcoreLabels = 'at=0'`,
  `GcoreLabels IN ('at=0', 'at=1', 'at=7')`,
  `WorkflowType = 'waitForGo'`,
  `WorkflowType IN ("echo", "fail")`,
  `WorkflowType NOT IN ('echo', 'waitForGo')`,
  `WorkflowId STARTS_WITH "ID-closed"`,
  `NOT WorkflowId STARTS_WITH "ID-closed"`,
  `WorkflowId IN ('ID-open-1', 'ID-closed-2', 'ID-nobody')`,
  `WorkflowId = 'ID-closed-1' AND ExecutionStatus != 'Running'`,
  `(WorkflowType = 'fail' AND ExecutionStatus = 'Failed') OR WorkflowId = 'ID-open-0'`,
  `StartTime >= "2001-01-01T00:00:00.000Z"`,
  `StartTime >= "2101-01-01T00:00:00.000Z"`,
  `CloseTime >= "2001-01-01T00:00:00.000Z"`,
  `CloseTime IS NULL`,
  `StartTime BETWEEN "2001-01-01T00:00:00Z" AND "2101-01-01T00:00:00Z"`,
];

async function listed({ client, taskQueue, id }: Stage, query: string): Promise<string[]> {
  const filter = `TaskQueue = '${taskQueue}' AND (${query.replaceAll('ID-', id(''))})`;
  const ids: string[] = [];
  for await (const { workflowId } of client.workflow.list({ query: filter })) ids.push(workflowId);
  return ids.sort();
}

export const lists = [
  script('runs are found by what the product asks for', async (stage) => {
    await populate(stage);
    const found: Record<string, unknown> = {};
    for (const query of QUERIES) found[query] = await outcomeOf(listed(stage, query));
    return found;
  }),

  script('runs are counted, and counted by their state', async (stage) => {
    await populate(stage);
    const { client, taskQueue } = stage;
    const queue = `TaskQueue = '${taskQueue}'`;
    const { count } = await client.workflow.count(`${queue} AND GcorePhase = 'blocked'`);
    const { groups } = await client.workflow.count(`${queue} GROUP BY ExecutionStatus`);
    const counts = groups.map((group) => `${JSON.stringify(group.groupValues)} ${group.count}`);
    return { count, counts: counts.sort() };
  }),

  script('a list comes page by page, with the last run first', async (stage) => {
    await populate(stage);
    const { connection, namespace, taskQueue } = stage;
    const pages: unknown[] = [];
    let nextPageToken = new Uint8Array();
    do {
      const page = await connection.workflowService.listWorkflowExecutions({
        ...{ namespace, pageSize: 4, nextPageToken, query: `TaskQueue = '${taskQueue}'` },
      });
      pages.push(page.executions.map(({ execution }) => execution?.workflowId));
      nextPageToken = Uint8Array.from(page.nextPageToken);
    } while (nextPageToken.length > 0 && pages.length < 5);
    return pages;
  }),

  script('what the list says of a run', async (stage) => {
    await stage.worker(easy);
    const run = await stage.start('echo', {
      memo: { for: 'the record' },
      typedSearchAttributes: attributes('early'),
    });
    await run.result();
    let told: unknown;
    await stage.eventually('the closed run', async () => {
      for await (const info of stage.client.workflow.list({
        query: `WorkflowId = '${run.workflowId}' AND ExecutionStatus = 'Completed'`,
      })) {
        const { workflowId, runId, type, status, taskQueue, historyLength, memo } = info;
        const { typedSearchAttributes, closeTime, parentExecution } = info;
        told = {
          ...{ workflowId, runId, type, status: status.name, taskQueue, historyLength, memo },
          ...{ closeTime, parentExecution },
          searchAttributes: plainAttributes(typedSearchAttributes),
        };
      }
      return told !== undefined;
    });
    return told;
  }),

  script('queries that the server refuses', async (stage) => {
    const count = (query: string): Promise<unknown> => refusal(stage.client.workflow.count(query));
    return {
      unknownName: await count(`NoSuchName = 'x'`),
      noQuery: await count(`WorkflowType = `),
      unknownStatus: await count(`ExecutionStatus = 'Asleep'`),
      wrongTime: await count(`StartTime > 'yesterday'`),
    };
  }),

  script('search attributes and memo change', async (stage) => {
    await stage.worker(easy);
    const run = await stage.start('upserts', {
      memo: { first: 0, kept: true },
    });
    const ended = await outcomeOf(run.result());
    const { memo, typedSearchAttributes } = await run.describe();
    return { ended, memo, searchAttributes: plainAttributes(typedSearchAttributes) };
  }),

  script('describe of an unknown run is refused', ({ client, id }) =>
    outcomeOf(client.workflow.getHandle(id('nobody')).describe()),
  ),

  script('a history comes page by page, and in reverse', async (stage) => {
    await stage.worker(easy);
    const run = await stage.start('performsInTurn', { args: [2] });
    await run.result();
    const { connection, namespace } = stage;
    const execution = { workflowId: run.workflowId, runId: run.firstExecutionRunId };
    const { workflowService } = connection;
    const request = { namespace, execution, maximumPageSize: 100 };
    const reverse = await workflowService.getWorkflowExecutionHistoryReverse(request);
    const closing = await workflowService.getWorkflowExecutionHistory({
      ...request,
      historyEventFilterType: 2,
      waitNewEvent: true,
    });
    return {
      reverse: (reverse.history?.events ?? []).map(({ eventId }) => Number(eventId)),
      closing: (closing.history?.events ?? []).map(({ eventId }) => Number(eventId)),
    };
  }),

  script('the history of an unknown run is refused', async ({ connection, namespace, id }) =>
    refusal(
      connection.workflowService.getWorkflowExecutionHistory({
        ...{ namespace, execution: { workflowId: id('nobody') } },
      }),
    ),
  ),
];
