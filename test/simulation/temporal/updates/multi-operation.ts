import proto from '@temporalio/proto';
import type { temporal } from '@temporalio/proto';

import { WorkflowExecutionStatus, WorkflowIdConflictPolicy } from '../base/proto.js';
import {
  ABORTED_UPDATE,
  Code,
  GrpcError,
  detailOf,
  errorWith,
  invalidArgument,
} from '../base/grpc-error.js';
import type { CallContext } from '../base/requests.js';
import { startExecution, type StartRequest } from '../executions/start.js';
import { startAnswer } from '../rpcs/start-answer.js';
import type { Execution } from '../model/execution.js';
import type { Server } from '../model/server.js';
import { isRunning } from '../workflow-tasks/schedule.js';
import {
  admit,
  sendSoon,
  stageOfRequest,
  waitForStage,
  type Admitted,
  type UpdateRequestMessage,
} from './update.js';

type Request = temporal.api.workflowservice.v1.IExecuteMultiOperationRequest;

const { MultiOperationExecutionFailure } = proto.temporal.api.errordetails.v1;
const { MultiOperationExecutionAborted } = proto.temporal.api.failure.v1;

const FAILED = 'Update-with-Start could not be executed.';

interface Both {
  start: StartRequest;
  update: UpdateRequestMessage;
}

/** Starts a run and updates it, or updates the one that is there. @throws GrpcError */
export async function executeMultiOperation(
  server: Server,
  request: Request,
  call: CallContext,
): Promise<object> {
  const start = request.operations?.[0]?.startWorkflow;
  const update = request.operations?.[1]?.updateWorkflow;
  if (!start || !update) throw invalidArgument('Operations have to be exactly [Start, Update].');
  const both = { start, update };
  const first = begin(server, both);
  try {
    return await answer(server, { ...first, update, call });
  } catch (error) {
    // A run that closed before it took the update may be followed by a new one: once, as the server does.
    if (first.isNew || !isGone(error)) throw wrap(undefined, error);
    const second = begin(server, both);
    try {
      return await answer(server, { ...second, update, call });
    } catch (again) {
      throw wrap(undefined, isGone(again) ? new GrpcError(Code.aborted, ABORTED_UPDATE) : again);
    }
  }
}

const isGone = (error: unknown): boolean =>
  error instanceof GrpcError && error.details === ABORTED_UPDATE;

interface Begun {
  admitted: Admitted;
  isNew: boolean;
}

function begin(server: Server, both: Both): Begun {
  const current = server.executions.current.get(both.start.workflowId ?? '');
  if (current !== undefined && attaches(current, both)) {
    return { admitted: admitTo(server, current, both), isNew: false };
  }
  return startNew(server, both);
}

/** Whether the update goes to the run that is there. */
function attaches(current: Execution, { start, update }: Both): boolean {
  const existing = current.updates.get(update.request?.meta?.updateId ?? '');
  if (existing?.state === 'completed') return true;
  if (!isRunning(current)) return false;
  return (
    existing !== undefined ||
    current.createRequestId === start.requestId ||
    start.workflowIdConflictPolicy ===
      WorkflowIdConflictPolicy.WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING
  );
}

function admitTo(server: Server, execution: Execution, { update }: Both): Admitted {
  try {
    const admitted = admit(server, execution, update);
    if (admitted.update.state === 'admitted') sendSoon(server, execution);
    return admitted;
  } catch (error) {
    throw wrap(undefined, error);
  }
}

function startNew(server: Server, { start, update }: Both): Begun {
  let admitted: Admitted | undefined;
  try {
    startExecution(server, start, {
      first: (execution) => {
        admitted = admit(server, execution, update);
      },
    });
  } catch (error) {
    throw wrap(error, undefined);
  }
  if (admitted === undefined) throw wrap(undefined, undefined);
  return { admitted, isNew: true };
}

async function answer(
  server: Server,
  { admitted, isNew, update, call }: Begun & { update: UpdateRequestMessage; call: CallContext },
): Promise<object> {
  const updated = await waitForStage(server, admitted, { stage: stageOfRequest(update), call });
  const { execution } = admitted;
  const status = isNew
    ? WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING
    : execution.status;
  return {
    responses: [
      {
        startWorkflow: {
          ...startAnswer(server, execution),
          ...(!isNew && { firstExecutionRunId: '' }),
          started: isNew,
          status,
        },
      },
      { updateWorkflow: updated },
    ],
  };
}

const ABORTED = {
  code: Code.aborted,
  message: 'Operation was aborted.',
  details: [
    {
      type_url: 'type.googleapis.com/temporal.api.failure.v1.MultiOperationExecutionAborted',
      value: MultiOperationExecutionAborted.encode({}).finish(),
    },
  ],
};

/** The error of the whole call: it holds that of each operation. */
function wrap(startError: unknown, updateError: unknown): unknown {
  const error = startError ?? updateError;
  if (!(error instanceof GrpcError) || error.details === FAILED) return error;
  const statuses = [statusOf(startError), statusOf(updateError)];
  return errorWith(error.code, FAILED, [
    detailOf('MultiOperationExecutionFailure', MultiOperationExecutionFailure, { statuses }),
  ]);
}

function statusOf(error: unknown): object {
  if (!(error instanceof GrpcError)) return ABORTED;
  const bytes = error.metadata['grpc-status-details-bin'];
  const details = bytes === undefined ? [] : proto.google.rpc.Status.decode(bytes).details;
  return { code: error.code, message: error.details, details };
}
