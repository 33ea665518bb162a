import { RunFailedError } from '../../client/index.js';
import { FailureType, type FailureDetails } from '../../contract/index.js';
import type { Cli } from '../cli.js';
import { CliError } from '../cli-error.js';
import { ExitCode } from '../exit-code.js';
import type { Session } from '../session.js';
import { followUntilStopped } from '../watch/follow-until-stopped.js';
import { RUN_ID, withRun } from '../with-run.js';

interface AbortOptions {
  reason?: string;
  wait?: boolean;
}

export function addAbort({ program, session }: Cli): void {
  program
    .command('abort')
    .description('undo the work of a run and end it as failed; a blocked rollback ends too')
    .argument(...RUN_ID)
    .option('--reason <TEXT>', 'recorded in the failure of the run')
    .option('--wait', 'follow the run to its end; the exit code is then 0')
    .action(async (id: string, { reason, wait = false }: AbortOptions) => {
      const current = session();
      await withRun(current, id, async (gcore, workflowId) => {
        await gcore.abort(workflowId, reason === undefined ? {} : { reason });
        current.progress.notice(
          'The run was asked to abort. It undoes its work first. The API cannot stop a task, so this takes as long as the running task.',
        );
        if (wait) {
          const stopped = { session: current, gcore, workflowId };
          await followUntilStopped(stopped, (error) => isAborted(current, error));
        }
        current.print({ workflowId }, [workflowId]);
      });
    });
}

/** Prints what an aborted run left behind. False when the run ended in another way. */
function isAborted(session: Session, error: unknown): boolean {
  const left = leftByAborted(error);
  for (const { kind, id } of left ?? []) session.progress.notice(`Still there: ${kind} ${id}`);
  return left !== undefined;
}

/** What an aborted run left behind; `undefined` when the run ended in another way. */
function leftByAborted(error: unknown): FailureDetails['resources'] {
  if (error instanceof RunFailedError && error.type === FailureType.aborted) {
    return error.details.resources ?? [];
  }
  // A cancellation was already running.
  const isCancelled = error instanceof CliError && error.problem.exitCode === ExitCode.cancelled;
  return isCancelled ? (error.problem.details?.resources ?? []) : undefined;
}
