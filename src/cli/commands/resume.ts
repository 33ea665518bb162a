import type { Correction, GcoreWorkflows } from '../../client/index.js';
import { operationSchemas, type Operation, type Operations } from '../../contract/index.js';
import { askStatus } from '../watch/ask-status.js';
import type { Cli } from '../cli.js';
import { printStatus } from '../output/print-status.js';
import { checkInput, readInput } from '../input/read-input.js';
import type { Session } from '../session.js';
import { withGcore } from '../with-gcore.js';

const EXAMPLES = `
Examples:
  gcore-workflows resume provision-instance/default/order-4711
  gcore-workflows resume ID --input corrected.json

Another input is the whole input anew. It is taken until the create was sent;
when it has a fault, the run stays as it was.`;

export function addResume({ program, session }: Cli): void {
  program
    .command('resume')
    .description('let a paused or blocked run go on')
    .argument('<ID>', 'workflow id')
    .option('-f, --input <FILE>', 'the whole input anew, corrected, as JSON; - is stdin')
    .addHelpText('after', EXAMPLES)
    .action(async (workflowId: string, { input }: { input?: string }) => {
      const current = session();
      const json = input === undefined ? undefined : await readInput(input, current.io);
      const status = await withGcore(current, async (gcore) => {
        const correction =
          json === undefined ? undefined : await toCorrection(current, gcore, { workflowId, json });
        return gcore.resume(workflowId, correction);
      });
      current.progress.notice(`The run goes on. Follow it: ${current.hint('watch', workflowId)}`);
      printStatus(current, workflowId, status);
    });
}

/** Which rules the input has to keep depends on what the run is: only the run knows. */
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
