import { CliError } from '../cli-error.js';
import { ExitCode } from '../exit-code.js';
import type { Cli } from '../cli.js';
import { followUntilStopped } from '../watch/follow-until-stopped.js';
import { withGcore } from '../with-gcore.js';

export function addCancel({ program, session }: Cli): void {
  program
    .command('cancel')
    .description('ask a run to stop and to undo what it did')
    .argument('<ID>', 'workflow id')
    .option('--wait', 'follow the run until it is undone; exit code 0 then')
    .action(async (workflowId: string, { wait = false }: { wait?: boolean }) => {
      const current = session();
      await withGcore(current, async (gcore) => {
        await gcore.cancel(workflowId);
        current.progress.notice(
          'The run was asked to stop. It undoes what it did first; the API cannot stop a task, so that takes as long as the task.',
        );
        if (wait) await followUntilStopped({ session: current, gcore, workflowId }, isCancelled);
        current.print({ workflowId }, [workflowId]);
      });
    });
}

function isCancelled(error: unknown): boolean {
  return error instanceof CliError && error.problem.exitCode === ExitCode.cancelled;
}
