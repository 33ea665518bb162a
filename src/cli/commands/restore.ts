import type { Cli } from '../cli.js';
import { printStatus } from '../output/print-status.js';
import { withGcore } from '../with-gcore.js';

export function addRestore({ program, session }: Cli): void {
  program
    .command('restore')
    .description('put back now what a run holds, instead of at the end of its time')
    .argument('<ID>', 'workflow id')
    .action(async (workflowId: string) => {
      const current = session();
      const status = await withGcore(current, (gcore) => gcore.restore(workflowId));
      current.progress.notice(
        `The run puts back what was there. Follow it: ${current.hint('watch', workflowId)}`,
      );
      printStatus(current, workflowId, status);
    });
}
