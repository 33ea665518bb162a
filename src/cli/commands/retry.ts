import type { RetriedRun } from '../../client/index.js';
import type { Cli } from '../cli.js';
import { parseSeconds } from '../input/parse-option.js';
import { watchDeps, type Session } from '../session.js';
import { watchRun } from '../watch/watch-run.js';
import { RUN_ID, withRun } from '../with-run.js';

interface RetryCommandOptions {
  sameLines?: true;
  wait: boolean;
  timeout?: number;
}

const EXAMPLES = `
Examples:
  gcore-workflows retry order-4711
  gcore-workflows retry import-videos/default/may --no-wait

The run must have ended, and not with success. It starts again with its own
input and id: it finds what the first try has left, and makes nothing twice. Of
an import whose videos failed, only these are imported, as a request of their
own: may.retry-1, then may.retry-2.`;

export function addRetry({ program, session }: Cli): void {
  program
    .command('retry')
    .description('start a failed or cancelled run again; of an import, what failed')
    .argument(...RUN_ID)
    .option('--same-lines', 'the lines of the manifest are the same videos as before')
    .option('--no-wait', 'print the workflow id and do not wait')
    .option('--timeout <SECONDS>', 'stop watching then; the run continues', parseSeconds)
    .addHelpText('after', EXAMPLES)
    .action(async (id: string, { sameLines, wait, timeout: timeoutMs }: RetryCommandOptions) => {
      const current = session();
      await withRun(current, id, async (gcore, failed) => {
        const run = await gcore.retry(failed, { sameLines: sameLines === true });
        const { workflowId } = run;
        announce(current, run);
        if (!wait) {
          current.print(run, [workflowId]);
          return;
        }
        const { result } = await watchRun({ workflowId, timeoutMs }, watchDeps(current, gcore));
        current.printJson(result);
      });
    });
}

function announce({ progress }: Session, { workflowId, lines }: RetriedRun): void {
  progress.notice(
    lines === undefined
      ? 'Started again with its own input.'
      : `Started with the lines that failed or were not tried: ${lines}`,
  );
  progress.notice(`Run ${workflowId}`);
}
