import { bulkHelp, onRuns, takesRuns, type BulkOptions } from '../bulk/on-runs.js';
import type { Cli } from '../cli.js';
import { printStatus } from '../output/print-status.js';

export function addPause({ program, session }: Cli): void {
  const command = program
    .command('pause')
    .description('stop runs from sending anything new until they are resumed');
  takesRuns(command)
    .addHelpText('after', bulkHelp('pause'))
    .action(async (ids: string[], options: BulkOptions) => {
      const current = session();
      await onRuns(current, {
        ...{ verb: 'pause', ids, options },
        act: (gcore, workflowId) => gcore.pause(workflowId),
        single: async (gcore, workflowId) => {
          const status = await gcore.pause(workflowId);
          current.progress.notice(
            'The run is paused: it sends nothing new. Calls that it sent continue at the API.',
          );
          printStatus(current, workflowId, status);
        },
      });
    });
}
