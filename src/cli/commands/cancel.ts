import { bulkHelp, onRuns, takesRuns, type BulkOptions } from '../bulk/on-runs.js';
import { CliError } from '../cli-error.js';
import { ExitCode } from '../exit-code.js';
import type { Cli } from '../cli.js';
import { followUntilStopped } from '../watch/follow-until-stopped.js';

interface CancelOptions extends BulkOptions {
  wait?: boolean;
}

export function addCancel({ program, session }: Cli): void {
  const command = program
    .command('cancel')
    .description('undo the work of runs and end them as cancelled');
  takesRuns(command)
    .option('--wait', 'follow the one run to its end; the exit code is then 0')
    .addHelpText('after', bulkHelp('cancel'))
    .action(async (ids: string[], { wait = false, ...options }: CancelOptions) => {
      const current = session();
      await onRuns(current, {
        ...{ verb: 'cancel', ids, options, onlySingle: wait ? ['--wait'] : [] },
        act: (gcore, workflowId) => gcore.cancel(workflowId),
        single: async (gcore, workflowId) => {
          await gcore.cancel(workflowId);
          current.progress.notice(
            'The run was asked to cancel. It undoes its work first. The API cannot stop a task, so this takes as long as the running task.',
          );
          if (wait) await followUntilStopped({ session: current, gcore, workflowId }, isCancelled);
          current.print({ workflowId }, [workflowId]);
        },
      });
    });
}

function isCancelled(error: unknown): boolean {
  return error instanceof CliError && error.problem.exitCode === ExitCode.cancelled;
}
