import type { GcoreWorkflows } from '../../client/index.js';
import type { StatusDocument } from '../../contract/index.js';
import { CliError } from '../cli-error.js';
import { ExitCode } from '../exit-code.js';
import { settledWithin } from './run-picture.js';
import type { Session } from '../session.js';

const ANSWER_WITHIN_MS = 5_000;

/** The status of a run. Fails after some seconds, where the server would wait half a minute for a worker. */
export async function askStatus(
  { io, hint }: Session,
  gcore: GcoreWorkflows,
  workflowId: string,
): Promise<StatusDocument> {
  const status = await settledWithin(ANSWER_WITHIN_MS, gcore.status(workflowId), io.clock);
  if (status !== undefined) return status;
  throw new CliError({
    type: 'NoAnswer',
    message: `No worker answered the status query within ${ANSWER_WITHIN_MS / 1000} s. The run itself is safe.`,
    advice: `start a worker: ${hint('worker')}. To see what is known without one: ${hint('explain', workflowId)}`,
    exitCode: ExitCode.failed,
    workflowId,
  });
}
