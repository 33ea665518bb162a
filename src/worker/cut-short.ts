import type { NativeConnection } from '@temporalio/worker';

export interface CutShortDeps {
  connection: Pick<NativeConnection, 'workflowService'>;
  namespace: string;
}

/** Enough for any request id: each end of this kind is the deed of a person or of a timeout. */
const MOST_ENDS = 100;

/**
 * When an earlier run of this Workflow Id was last terminated or timed out, in milliseconds since
 * the epoch. Such a run has settled nothing: a call of it may still be on its way.
 */
export function createCutShort({ connection, namespace }: CutShortDeps) {
  return async (workflowId: string): Promise<number | undefined> => {
    const { executions } = await connection.workflowService.listWorkflowExecutions({
      namespace,
      query: `WorkflowId = ${quote(workflowId)} AND ExecutionStatus IN ('Terminated', 'TimedOut')`,
      pageSize: MOST_ENDS,
    });
    const ends = executions.flatMap(({ closeTime }) =>
      closeTime ? [Number(closeTime.seconds) * 1_000] : [],
    );
    return ends.length === 0 ? undefined : Math.max(...ends) + 1_000;
  };
}

export function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
