import { RunFailedError } from '../../client/index.js';
import { FailureType, type FailureDetails } from '../../contract/index.js';
import { CliError, ExitCode } from '../cli-error.js';
import type { Cli } from '../cli.js';
import { bulkHelp, onRuns, takesRuns, type BulkOptions } from '../on-runs.js';
import type { Session } from '../session.js';
import { followUntilStopped, type StoppedRun } from '../watch/follow-until-stopped.js';
import { runNow } from '../with-run.js';

interface CancelOptions extends BulkOptions {
  wait?: boolean;
}

export function addCancel({ program, session }: Cli): void {
  const command = program
    .command('cancel')
    .description('undo the work of runs and end them as cancelled');
  takesRuns(command)
    .option('--wait', 'follow the one run to its end; the exit code is then 0')
    .addHelpText('after', bulkHelp('cancel', '', true))
    .action(async (ids: string[], { wait = false, ...options }: CancelOptions) => {
      const current = session();
      await onRuns(current, {
        verb: 'cancel',
        endedIsDone: true,
        reach: 'ends',
        ids,
        options,
        onlySingle: wait ? ['--wait'] : [],
        act: (gcore, run) => gcore.cancel(run),
        single: async (gcore, workflowId) => {
          const run = await runNow(gcore, workflowId);
          await gcore.cancel(run);
          current.progress.notice(
            'The run was asked to cancel. It undoes its work first. The API cannot stop a task, so this takes as long as the running task.',
          );
          if (wait) await followUntilStopped({ session: current, gcore, run }, isCancelled);
          current.print({ workflowId }, [workflowId]);
        },
      });
    });
}

function isCancelled(error: unknown): error is CliError {
  return error instanceof CliError && error.problem.exitCode === ExitCode.cancelled;
}

interface AbortOptions extends BulkOptions {
  reason?: string;
  wait?: boolean;
}

export function addAbort({ program, session }: Cli): void {
  const command = program
    .command('abort')
    .description('undo the work of runs and end them as failed; a blocked rollback ends too');
  takesRuns(command)
    .option('--reason <TEXT>', 'recorded in the failure of the run')
    .option('--wait', 'follow the one run to its end; the exit code is then 0')
    .addHelpText('after', bulkHelp('abort', '', true))
    .action(async (ids: string[], { reason, wait = false, ...options }: AbortOptions) => {
      const current = session();
      const request = reason === undefined ? {} : { reason };
      await onRuns(current, {
        verb: 'abort',
        endedIsDone: true,
        reach: 'ends',
        ids,
        options,
        onlySingle: wait ? ['--wait'] : [],
        act: (gcore, run) => gcore.abort(run, request),
        single: async (gcore, workflowId) => {
          const run = await runNow(gcore, workflowId);
          await gcore.abort(run, request);
          await abortOne({ session: current, gcore, run }, wait);
        },
      });
    });
}

async function abortOne(stopped: StoppedRun, wait: boolean): Promise<void> {
  const { session, run } = stopped;
  const { workflowId } = run;
  session.progress.notice(
    'The run was asked to abort. It undoes its work first. The API cannot stop a task, so this takes as long as the running task.',
  );
  if (wait) await followUntilStopped(stopped, (error) => isAborted(session, error));
  session.print({ workflowId }, [workflowId]);
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
  return isCancelled(error) ? (error.problem.details?.resources ?? []) : undefined;
}
