import { askStatus } from '../watch/ask-status.js';
import type { Cli } from '../cli.js';
import { printStatus } from '../output/print-status.js';
import { withGcore } from '../with-gcore.js';

export function addStatus({ program, session }: Cli): void {
  program
    .command('status')
    .description('show the steps, tasks and resources of a run')
    .argument('<ID>', 'workflow id')
    .action(async (workflowId: string) => {
      const current = session();
      await withGcore(current, async (gcore) => {
        printStatus(current, workflowId, await askStatus(current, gcore, workflowId));
      });
    });
}
