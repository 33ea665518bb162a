import proto from '@temporalio/proto';

import type { MakerRun } from '../activities/index.js';
import type { CutShortDeps } from './cut-short.js';

const { WorkflowExecutionStatus } = proto.temporal.api.enums.v1;

/** gRPC statuses: no id that a run can have, and a run that nobody has started, or whose retention time is over. */
const UNKNOWN_RUN: readonly unknown[] = [3, 5];

/** What the newest run of a Workflow Id is; `undefined` when the server does not know it. Reads the run itself: a list lags behind. */
export function createMakerOf({ connection, namespace }: CutShortDeps) {
  return async (workflowId: string): Promise<MakerRun | undefined> => {
    try {
      const { workflowExecutionInfo: info } =
        await connection.workflowService.describeWorkflowExecution({
          namespace,
          execution: { workflowId },
        });
      const hasSucceeded =
        info?.status === WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_COMPLETED;
      return { type: info?.type?.name ?? '', hasSucceeded };
    } catch (error) {
      if (error instanceof Error && 'code' in error && UNKNOWN_RUN.includes(error.code)) {
        return undefined;
      }
      throw error;
    }
  };
}
