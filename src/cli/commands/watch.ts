import { parseSeconds } from '../input/parse-option.js';
import type { Cli } from '../cli.js';
import { watchDeps } from '../session.js';
import { watchRun } from '../watch/watch-run.js';
import { RUN_ID, withRun } from '../with-run.js';

export function addWatch({ program, session }: Cli): void {
  program
    .command('watch')
    .description('follow a run until it ends and print its result')
    .argument(...RUN_ID)
    .option('--timeout <SECONDS>', 'stop watching then; the run continues', parseSeconds)
    .action(async (id: string, { timeout }: { timeout?: number }) => {
      const current = session();
      const { result } = await withRun(current, id, (gcore, workflowId) =>
        watchRun({ workflowId, timeoutMs: timeout }, watchDeps(current, gcore)),
      );
      current.printJson(result);
    });
}
