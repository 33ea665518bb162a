import { RunFailedError } from '../../client/index.js';
import { FailureType, type FailureDetails } from '../../contract/index.js';
import type { Cli } from '../cli.js';
import { CliError } from '../cli-error.js';
import { ExitCode } from '../exit-code.js';
import type { Session } from '../session.js';
import { followUntilStopped } from '../watch/follow-until-stopped.js';
import { withGcore } from '../with-gcore.js';

interface AbortOptions {
  reason?: string;
  wait?: boolean;
}

export function addAbort({ program, session }: Cli): void {
  program
    .command('abort')
    .description(
      'end a run as failed, after it has undone what it did; a rollback that is blocked ends too',
    )
    .argument('<ID>', 'workflow id')
    .option('--reason <TEXT>', 'stands in the failure of the run')
    .option('--wait', 'follow the run until it has ended; exit code 0 then')
    .action(async (workflowId: string, { reason, wait = false }: AbortOptions) => {
      const current = session();
      await withGcore(current, async (gcore) => {
        await gcore.abort(workflowId, reason === undefined ? {} : { reason });
        current.progress.notice(
          'The run was told to end. It undoes what it did first; the API cannot stop a task, so that takes as long as the task.',
        );
        if (wait) {
          const stopped = { session: current, gcore, workflowId };
          await followUntilStopped(stopped, (error) => isAborted(current, error));
        }
        current.print({ workflowId }, [workflowId]);
      });
    });
}

/** Names what it has left, if it ended as it was told. */
function isAborted(session: Session, error: unknown): boolean {
  const left = leftByAborted(error);
  for (const { kind, id } of left ?? []) session.progress.notice(`Still there: ${kind} ${id}`);
  return left !== undefined;
}

/** What a run that ended as it was told has left; `undefined` when it ended in another way. */
function leftByAborted(error: unknown): FailureDetails['resources'] {
  if (error instanceof RunFailedError && error.type === FailureType.aborted) {
    return error.details.resources ?? [];
  }
  // It was being cancelled before.
  const isCancelled = error instanceof CliError && error.problem.exitCode === ExitCode.cancelled;
  return isCancelled ? (error.problem.details?.resources ?? []) : undefined;
}
