import { CliError, ExitCode } from '../cli-error.js';
import type { Cli } from '../cli.js';
import { parseSeconds } from '../input/parse-option.js';
import { printStatus, watchDeps, type Session } from '../session.js';
import { askStatus } from '../watch/ask-status.js';
import type { Progress } from '../watch/progress.js';
import { watchRun, type CompletedRun } from '../watch/watch-run.js';
import { RUN_ID, runNow, withRun } from '../with-run.js';
import { refuseUnready } from './plan.js';

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

export function addWatch({ program, session }: Cli): void {
  program
    .command('watch')
    .description('follow a run until it ends and print its result')
    .argument(...RUN_ID)
    .option('--timeout <SECONDS>', 'stop watching then; the run continues', parseSeconds)
    .action(async (id: string, { timeout }: { timeout?: number }) => {
      const current = session();
      printEnd(current, await watchNow(current, id, { timeout }));
    });
}

export function addResult({ program, session }: Cli): void {
  program
    .command('result')
    .description('wait silently for the end of a run and print its result')
    .argument(...RUN_ID)
    .option('--timeout <SECONDS>', 'stop waiting then; the run continues', parseSeconds)
    .action(async (id: string, { timeout }: { timeout?: number }) => {
      const current = session();
      const quiet = { ...current, progress: remarksOnly(current.progress) };
      printEnd(current, await watchNow(current, id, { timeout, shownBy: quiet }));
    });
}

interface Watching {
  timeout: number | undefined;
  /** Who shows what the run does. */
  shownBy?: Session;
}

/** Watches whichever run has the Workflow Id now, to its end. */
function watchNow(
  session: Session,
  id: string,
  { timeout: timeoutMs, shownBy = session }: Watching,
): Promise<CompletedRun> {
  return withRun(session, id, async (gcore, workflowId) => {
    const run = await runNow(gcore, workflowId);
    return watchRun({ ...run, timeoutMs }, watchDeps(shownBy, gcore));
  });
}

/** A plan that is not ready has the exit code that `plan` gives it. */
function printEnd(session: Session, ended: CompletedRun): void {
  session.printJson(ended.result);
  if (ended.isPlan) refuseUnready(ended.result.plan);
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

export function addExplain({ program, session }: Cli): void {
  program
    .command('explain')
    .description('explain where a run is, why, and what to do next; needs no worker')
    .argument(...RUN_ID)
    .action(async (id: string) => {
      const current = session();
      await withRun(current, id, async (gcore, workflowId) => {
        const { paragraph, next, facts } = await gcore.explain(workflowId, {
          command: current.hint,
        });
        if (facts.run === undefined) throw notFound(workflowId, { paragraph, next });
        current.print({ paragraph, next, facts }, [paragraph, `Next: ${next}`]);
      });
    });
}

function notFound(
  workflowId: string,
  { paragraph, next }: { paragraph: string; next: string },
): CliError {
  return new CliError({
    type: 'RunNotFound',
    message: paragraph,
    advice: next,
    exitCode: ExitCode.failed,
    workflowId,
  });
}
