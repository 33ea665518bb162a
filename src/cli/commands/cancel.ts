import { CliError } from '../cli-error.js';
import { ExitCode } from '../exit-code.js';
import type { Cli } from '../cli.js';
import { followUntilStopped } from '../watch/follow-until-stopped.js';
import { RUN_ID, withRun } from '../with-run.js';

export function addCancel({ program, session }: Cli): void {
  program
    .command('cancel')
    .description('undo the work of a run and end it as cancelled')
    .argument(...RUN_ID)
    .option('--wait', 'follow the run to its end; the exit code is then 0')
    .action(async (id: string, { wait = false }: { wait?: boolean }) => {
      const current = session();
      await withRun(current, id, async (gcore, workflowId) => {
        await gcore.cancel(workflowId);
        current.progress.notice(
          'The run was asked to cancel. It undoes its work first. The API cannot stop a task, so this takes as long as the running task.',
        );
        if (wait) await followUntilStopped({ session: current, gcore, workflowId }, isCancelled);
        current.print({ workflowId }, [workflowId]);
      });
    });
}

function isCancelled(error: unknown): boolean {
  return error instanceof CliError && error.problem.exitCode === ExitCode.cancelled;
}
