import type { Cli } from '../cli.js';
import { CliError } from '../cli-error.js';
import { ExitCode } from '../exit-code.js';
import { RUN_ID, withRun } from '../with-run.js';

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
