import { GrpcCode, grpcCodeOf } from '../../client/server-calls.js';
import type { GcoreWorkflows } from '../../client/index.js';
import type { StatusDocument } from '../../contract/index.js';
import type { Clock } from '../cli-io.js';
import { CliError, ExitCode, type Hint } from '../cli-error.js';
import { settledWithin } from './run-picture.js';

const ANSWER_WITHIN_MS = 5_000;

interface Asking {
  io: { clock: Pick<Clock, 'delay'> };
  hint: Hint;
}

/** The status of a run. Fails after some seconds, where the server would wait half a minute for a worker. */
export async function askStatus(
  { io, hint }: Asking,
  gcore: Pick<GcoreWorkflows, 'status'>,
  workflowId: string,
): Promise<StatusDocument> {
  const asked = gcore.status(workflowId).catch((error: unknown) => {
    throw isUncontinued(error) ? uncontinued(workflowId, hint) : error;
  });
  const status = await settledWithin(ANSWER_WITHIN_MS, asked, io.clock);
  if (status !== undefined) return status;
  throw new CliError({
    type: 'NoAnswer',
    message: `No worker answered the status query within ${ANSWER_WITHIN_MS / 1000} s. The run itself is safe.`,
    advice: `start a worker: ${hint('worker')}. To see what is known without one: ${hint('explain', workflowId)}`,
    exitCode: ExitCode.failed,
    workflowId,
  });
}

/** The server asks no worker while the workflow task of a run fails. */
function isUncontinued(error: unknown): boolean {
  return grpcCodeOf(error) === GrpcCode.failedPrecondition;
}

function uncontinued(workflowId: string, hint: Hint): CliError {
  return new CliError({
    type: 'NoAnswer',
    message:
      'No worker can continue the run now, so none can say its status. The run itself is safe.',
    advice: `see why: ${hint('explain', workflowId)}`,
    exitCode: ExitCode.failed,
    workflowId,
  });
}
