import type { Correction, GcoreWorkflows } from '../../client/index.js';
import { operationSchemas, type Operation, type Operations } from '../../contract/index.js';
import { askStatus } from '../watch/ask-status.js';
import type { Cli } from '../cli.js';
import { printStatus } from '../output/print-status.js';
import { checkInput, readInput } from '../input/read-input.js';
import type { Session } from '../session.js';
import { RUN_ID, withRun } from '../with-run.js';

const EXAMPLES = `
Examples:
  gcore-workflows resume order-4711
  gcore-workflows resume order-4711 --input corrected.json

A corrected input is a complete input. The run accepts it until it has sent its
first change. When the input has a fault, nothing changes.`;

export function addResume({ program, session }: Cli): void {
  program
    .command('resume')
    .description('continue a paused or blocked run')
    .argument(...RUN_ID)
    .option('-f, --input <FILE>', 'the complete corrected input as JSON; - is stdin')
    .addHelpText('after', EXAMPLES)
    .action(async (id: string, { input }: { input?: string }) => {
      const current = session();
      const json = input === undefined ? undefined : await readInput(input, current.io);
      await withRun(current, id, async (gcore, workflowId) => {
        const correction =
          json === undefined ? undefined : await toCorrection(current, gcore, { workflowId, json });
        const status = await gcore.resume(workflowId, correction);
        current.progress.notice(
          `The run continues. Follow it: ${current.hint('watch', workflowId)}`,
        );
        printStatus(current, workflowId, status);
      });
    });
}

/** The rules for the input depend on the operation, and only the run knows it. */
async function toCorrection(
  session: Session,
  gcore: GcoreWorkflows,
  { workflowId, json }: { workflowId: string; json: unknown },
): Promise<Correction<Operation>> {
  const { operation } = await askStatus(session, gcore, workflowId);
  return checkCorrection(operation, json);
}

function checkCorrection<O extends keyof Operations>(operation: O, json: unknown): Correction<O> {
  return { operation, input: checkInput(operationSchemas[operation].input, json) };
}
