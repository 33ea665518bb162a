import { askStatus } from '../watch/ask-status.js';
import type { Cli } from '../cli.js';
import { printStatus } from '../output/print-status.js';
import { RUN_ID, withRun } from '../with-run.js';

export function addStatus({ program, session }: Cli): void {
  program
    .command('status')
    .description('show the steps, tasks and resources of a run')
    .argument(...RUN_ID)
    .action(async (id: string) => {
      const current = session();
      await withRun(current, id, async (gcore, workflowId) => {
        printStatus(current, workflowId, await askStatus(current, gcore, workflowId));
      });
    });
}
