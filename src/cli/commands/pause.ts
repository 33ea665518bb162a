import type { Cli } from '../cli.js';
import { printStatus } from '../output/print-status.js';
import { withGcore } from '../with-gcore.js';

export function addPause({ program, session }: Cli): void {
  program
    .command('pause')
    .description('let a run send nothing new until it is resumed')
    .argument('<ID>', 'workflow id')
    .action(async (workflowId: string) => {
      const current = session();
      const status = await withGcore(current, (gcore) => gcore.pause(workflowId));
      current.progress.notice(
        'The run is paused: it sends nothing new. What it has sent goes on at the API.',
      );
      printStatus(current, workflowId, status);
    });
}
