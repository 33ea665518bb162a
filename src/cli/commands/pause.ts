import type { Cli } from '../cli.js';
import { printStatus } from '../output/print-status.js';
import { withGcore } from '../with-gcore.js';

export function addPause({ program, session }: Cli): void {
  program
    .command('pause')
    .description('stop a run from sending anything new until it is resumed')
    .argument('<ID>', 'workflow id')
    .action(async (workflowId: string) => {
      const current = session();
      const status = await withGcore(current, (gcore) => gcore.pause(workflowId));
      current.progress.notice(
        'The run is paused: it sends nothing new. Calls that it sent continue at the API.',
      );
      printStatus(current, workflowId, status);
    });
}
