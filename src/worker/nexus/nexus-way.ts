import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { startWorkflow, type WorkflowHandle } from '@temporalio/nexus';
import type { StartOperationContext } from 'nexus-rpc';

import { requestOptions, type RunStart } from '../../client/start-once.js';
import type { StartWay } from '../../client/start-run.js';
import type { Operation } from '../../contract/wire/names.js';

interface NexusWay extends StartWay {
  /** The run that reports its end to the caller; missing while none does. */
  handle: () => WorkflowHandle<never> | undefined;
}

/** Starts and joins runs such that the server completes the caller's operation with the end of the run. */
export function createNexusWay(context: StartOperationContext): NexusWay {
  let handle: WorkflowHandle<never> | undefined;
  const send = async (
    start: RunStart<Operation>,
    workflowIdConflictPolicy: 'FAIL' | 'USE_EXISTING',
  ): Promise<WorkflowHandle<never> | undefined> => {
    try {
      const options = { ...requestOptions(start), workflowIdConflictPolicy };
      handle = await startWorkflow<(input: unknown) => Promise<never>>(
        context,
        start.operation,
        options,
      );
      return handle;
    } catch (error) {
      if (error instanceof WorkflowExecutionAlreadyStartedError) return undefined;
      throw error;
    }
  };
  return {
    start: async (start) => (await send(start, 'FAIL')) !== undefined,
    attach: async (start) => (await send(start, 'USE_EXISTING'))?.runId,
    handle: () => handle,
  };
}
