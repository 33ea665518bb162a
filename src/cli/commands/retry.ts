import type { RetriedRun } from '../../client/index.js';
import type { Cli } from '../cli.js';
import { parseSeconds } from '../input/parse-option.js';
import { bulkHelp, onRuns, takesRuns, type BulkOptions } from '../on-runs.js';
import { watchDeps, type Session } from '../session.js';
import { watchRun } from '../watch/watch-run.js';

interface RetryCommandOptions extends BulkOptions {
  sameLines?: true;
  class?: string[];
  wait: boolean;
  timeout?: number;
}

const HELP = `
The run must have ended, and not with success. It starts again with its own
input and id: it finds what the first try has left, and makes nothing twice. Of
an import whose videos failed, only these are imported, as a request of their
own: may.retry-1, then may.retry-2. A batch starts again what failed; with
--class those that failed so, as a request of their own too. Of several runs,
none is waited for; one whose request has succeeded or runs again since is told,
and left as it is.`;

export function addRetry({ program, session }: Cli): void {
  const command = program
    .command('retry')
    .description('start failed or cancelled runs again; of a list, what failed');
  takesRuns(command, 'runs without success')
    .option('--same-lines', 'the lines of the manifest are the same items as before')
    .option('--class <CLASS...>', 'of a batch, only the items that failed so')
    .option('--no-wait', 'print the workflow id and do not wait')
    .option('--timeout <SECONDS>', 'stop watching then; the run continues', parseSeconds)
    .addHelpText('after', `${bulkHelp('retry')}\n${HELP}`)
    .action(
      async (ids: string[], { wait, timeout: timeoutMs, ...options }: RetryCommandOptions) => {
        const current = session();
        const { sameLines = false, class: classes } = options;
        const retryOptions = { sameLines, ...(classes && { classes }) };
        await onRuns(current, {
          verb: 'retry',
          endedIsDone: false,
          ids,
          options,
          among: { unsuccessful: true },
          onlySingle: timeoutMs === undefined ? [] : ['--timeout'],
          act: (gcore, run) => gcore.retry(run, retryOptions),
          single: async (gcore, failed) => {
            const run = await gcore.retry(failed, retryOptions);
            const { workflowId } = run;
            announce(current, run);
            if (!wait) {
              current.print(run, [workflowId]);
              return;
            }
            const { result } = await watchRun({ ...run, timeoutMs }, watchDeps(current, gcore));
            current.printJson(result);
          },
        });
      },
    );
}

function announce({ progress }: Session, { workflowId, lines }: RetriedRun): void {
  progress.notice(
    lines === undefined ? 'Started again with its own input.' : `Started with the lines ${lines}`,
  );
  progress.notice(`Run ${workflowId}`);
}
