import { CliError } from '../cli-error.js';
import { ExitCode } from '../exit-code.js';
import { renderStatus } from '../render-status.js';
import type { Cli } from '../cli.js';
import { within } from '../run-picture.js';
import { withGcore } from '../with-gcore.js';

const ANSWER_WITHIN_MS = 5_000;

export function addStatus({ program, session }: Cli): void {
  program
    .command('status')
    .description('show where a run is: steps, tasks, resources, what it waits for')
    .argument('<ID>', 'workflow id')
    .action(async (workflowId: string) => {
      const current = session();
      const { clock } = current.io;
      await withGcore(current, async (gcore) => {
        const status = await within(ANSWER_WITHIN_MS, gcore.status(workflowId), clock);
        if (status === undefined) throw noAnswer(workflowId, current.hint('worker'));
        const view = { workflowId, status, remarks: [] };
        current.print(status, renderStatus(view, clock.now(), current.paint));
      });
    });
}

function noAnswer(workflowId: string, command: string): CliError {
  return new CliError({
    type: 'NoAnswer',
    message: `No worker has answered within ${ANSWER_WITHIN_MS / 1000} s what the status is; the run itself is safe.`,
    advice: `start a worker: ${command}`,
    exitCode: ExitCode.failed,
    workflowId,
  });
}
