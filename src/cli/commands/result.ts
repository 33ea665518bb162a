import { parseSeconds } from '../input/parse-option.js';
import type { Progress } from '../watch/progress.js';
import type { Cli } from '../cli.js';
import { watchDeps } from '../session.js';
import { watchRun } from '../watch/watch-run.js';
import { RUN_ID, withRun } from '../with-run.js';

export function addResult({ program, session }: Cli): void {
  program
    .command('result')
    .description('wait silently for the end of a run and print its result')
    .argument(...RUN_ID)
    .option('--timeout <SECONDS>', 'stop waiting then; the run continues', parseSeconds)
    .action(async (id: string, { timeout }: { timeout?: number }) => {
      const current = session();
      const quiet = { ...current, progress: remarksOnly(current.progress) };
      const { result } = await withRun(current, id, (gcore, workflowId) =>
        watchRun({ workflowId, timeoutMs: timeout }, watchDeps(quiet, gcore)),
      );
      current.printJson(result);
    });
}

/** Shows only remarks. Without them an endless wait would look like a hang. */
function remarksOnly(progress: Progress): Progress {
  let known: readonly string[] = [];
  return {
    ...progress,
    show({ remarks }) {
      remarks.filter((remark) => !known.includes(remark)).forEach(progress.notice);
      known = remarks;
    },
  };
}
