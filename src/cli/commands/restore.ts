import type { Cli } from '../cli.js';
import { printStatus } from '../output/print-status.js';
import { RUN_ID, withRun } from '../with-run.js';

export function addRestore({ program, session }: Cli): void {
  program
    .command('restore')
    .description('restore the earlier state now, before the time of the run is over')
    .argument(...RUN_ID)
    .action(async (id: string) => {
      const current = session();
      await withRun(current, id, async (gcore, workflowId) => {
        const status = await gcore.restore(workflowId);
        current.progress.notice(
          `The run restores the earlier state. Follow it: ${current.hint('watch', workflowId)}`,
        );
        printStatus(current, workflowId, status);
      });
    });
}
