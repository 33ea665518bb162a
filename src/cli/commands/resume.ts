import type { Correction, GcoreWorkflows } from '../../client/index.js';
import { isOperation } from '../../client/operations/index.js';
import { operationSchemas, type Operation, type Operations } from '../../contract/index.js';
import { CliError } from '../cli-error.js';
import { ExitCode } from '../exit-code.js';
import { bulkHelp, onRuns, takesRuns, type BulkOptions } from '../bulk/on-runs.js';
import { askStatus } from '../watch/ask-status.js';
import type { Cli } from '../cli.js';
import { printStatus } from '../output/print-status.js';
import { checkInput, readInput } from '../input/read-input.js';
import type { Session } from '../session.js';

interface ResumeOptions extends BulkOptions {
  input?: string;
}

const EXAMPLES = `
  gcore-workflows resume order-4711 --input corrected.json

A corrected input is a complete input, for a single run. The run accepts it
until it has sent its first change. When it has a fault, nothing changes.`;

export function addResume({ program, session }: Cli): void {
  const command = program.command('resume').description('continue paused or blocked runs');
  takesRuns(command)
    .option('-f, --input <FILE>', 'the complete corrected input as JSON; - is stdin')
    .addHelpText('after', `${bulkHelp('resume')}\n${EXAMPLES}`)
    .action(async (ids: string[], { input, ...options }: ResumeOptions) => {
      const current = session();
      const json = input === undefined ? undefined : await readInput(input, current.io);
      await onRuns(current, {
        ...{ verb: 'resume', ids, options, onlySingle: input === undefined ? [] : ['--input'] },
        act: (gcore, workflowId) => gcore.resume(workflowId),
        single: (gcore, workflowId) => resumeOne(current, gcore, { workflowId, json }),
      });
    });
}

async function resumeOne(
  session: Session,
  gcore: GcoreWorkflows,
  { workflowId, json }: { workflowId: string; json: unknown },
): Promise<void> {
  const correction =
    json === undefined ? undefined : await toCorrection(session, gcore, { workflowId, json });
  const status = await gcore.resume(workflowId, correction);
  session.progress.notice(`The run continues. Follow it: ${session.hint('watch', workflowId)}`);
  printStatus(session, workflowId, status);
}

/** The rules for the input depend on the operation, and only the run knows it. */
async function toCorrection(
  session: Session,
  gcore: GcoreWorkflows,
  { workflowId, json }: { workflowId: string; json: unknown },
): Promise<Correction<Operation>> {
  const { operation } = await askStatus(session, gcore, workflowId);
  if (isOperation(operation)) return checkCorrection(operation, json);
  throw new CliError({
    type: 'UnknownOperation',
    message: `This version does not know the operation ${operation} of the run.`,
    advice: 'Use the version of the command line that the worker has.',
    exitCode: ExitCode.failed,
  });
}

function checkCorrection<O extends keyof Operations>(operation: O, json: unknown): Correction<O> {
  return { operation, input: checkInput(operationSchemas[operation].input, json) };
}
