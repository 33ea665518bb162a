import proto from '@temporalio/proto';

import type { CutShortDeps } from './cut-short.js';
import { isNoRunId, isNotFound } from './is-not-found.js';

const { WorkflowExecutionStatus } = proto.temporal.api.enums.v1;

const WITHOUT_SUCCESS: readonly (number | null | undefined)[] = [
  WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_FAILED,
  WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_CANCELED,
  WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_TERMINATED,
  WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_TIMED_OUT,
];

/**
 * Whether a run has ended without success; `undefined` when the server does not know it. Reads the run
 * itself, because the list of runs lags behind.
 */
export function createEndedWithoutSuccess({ connection, namespace }: CutShortDeps) {
  return async (execution: { workflowId: string; runId: string }): Promise<boolean | undefined> => {
    try {
      const { workflowExecutionInfo: info } =
        await connection.workflowService.describeWorkflowExecution({ namespace, execution });
      return WITHOUT_SUCCESS.includes(info?.status);
    } catch (error) {
      if (isNotFound(error) || isNoRunId(error)) return undefined;
      throw error;
    }
  };
}
