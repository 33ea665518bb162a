import type { GcoreWorkflows } from '../../client/index.js';
import { CliError } from '../cli-error.js';
import { ExitCode } from '../exit-code.js';
import type { Cli } from '../cli.js';
import { watchDeps, type Session } from '../session.js';
import { tooLate } from '../too-late.js';
import { watchRun } from '../watch-run.js';
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
        if (wait) await untilCancelled(current, gcore, workflowId);
        current.print({ workflowId }, [workflowId]);
      });
    });
}

async function untilCancelled(
  session: Session,
  gcore: GcoreWorkflows,
  workflowId: string,
): Promise<void> {
  const watching = watchRun({ workflowId }, watchDeps(session, gcore));
  const result = await watching.catch((error: unknown) => {
    if (error instanceof CliError && error.problem.exitCode === ExitCode.cancelled)
      return undefined;
    throw error;
  });
  if (result !== undefined) throw tooLate(workflowId, result);
}
