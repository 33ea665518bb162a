import type { Cli } from '../cli.js';
import { printStatus } from '../output/print-status.js';
import { withGcore } from '../with-gcore.js';

export function addRestore({ program, session }: Cli): void {
  program
    .command('restore')
    .description('restore the earlier state now, before the time of the run is over')
    .argument('<ID>', 'workflow id')
    .action(async (workflowId: string) => {
      const current = session();
      const status = await withGcore(current, (gcore) => gcore.restore(workflowId));
      current.progress.notice(
        `The run restores the earlier state. Follow it: ${current.hint('watch', workflowId)}`,
      );
      printStatus(current, workflowId, status);
    });
}
