import type { Cli } from '../cli.js';
import { printStatus } from '../output/print-status.js';
import { RUN_ID, withRun } from '../with-run.js';

export function addPause({ program, session }: Cli): void {
  program
    .command('pause')
    .description('stop a run from sending anything new until it is resumed')
    .argument(...RUN_ID)
    .action(async (id: string) => {
      const current = session();
      await withRun(current, id, async (gcore, workflowId) => {
        const status = await gcore.pause(workflowId);
        current.progress.notice(
          'The run is paused: it sends nothing new. Calls that it sent continue at the API.',
        );
        printStatus(current, workflowId, status);
      });
    });
}
