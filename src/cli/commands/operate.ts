import { InvalidArgumentError } from 'commander';

import type { Correction, GcoreWorkflows } from '../../client/index.js';
import { isOperation } from '../../client/operations.js';
import { Operation, operationSchemas, type Operations } from '../../contract/index.js';
import { parseDuration } from '../../engine/core/times.js';
import { CliError, ExitCode } from '../cli-error.js';
import type { Cli } from '../cli.js';
import { checkInput, readInput } from '../input/read-input.js';
import { bulkHelp, onRuns, takesRuns, type BulkOptions } from '../on-runs.js';
import { printStatus, type Session } from '../session.js';
import { askStatus } from '../watch/ask-status.js';

export function addPause({ program, session }: Cli): void {
  const command = program
    .command('pause')
    .description('stop runs from sending anything new until they are resumed');
  takesRuns(command)
    .addHelpText('after', bulkHelp('pause', '', true))
    .action(async (ids: string[], options: BulkOptions) => {
      const current = session();
      await onRuns(current, {
        verb: 'pause',
        endedIsDone: true,
        reach: 'holds',
        ids,
        options,
        act: (gcore, run) => gcore.pause(run),
        single: async (gcore, workflowId) => {
          const status = await gcore.pause(workflowId);
          current.progress.notice(
            'The run is paused: it sends nothing new. Calls that it sent continue at the API.',
          );
          printStatus(current, workflowId, status);
        },
      });
    });
}

interface ResumeOptions extends BulkOptions {
  input?: string;
}

const EXAMPLES = `
  gcore-workflows resume order-4711 --input corrected.json

A corrected input is a complete input, for a single run. The run accepts it
until it has sent its first change. When it has a fault, nothing changes.

Whether a call whose outcome is unknown is sent again, you decide for one run:
it only looks again when several are resumed at once, or its batch is.`;

export function addResume({ program, session }: Cli): void {
  const command = program.command('resume').description('continue paused or blocked runs');
  takesRuns(command)
    .option('-f, --input <FILE>', 'the complete corrected input as JSON; - is stdin')
    .addHelpText('after', `${bulkHelp('resume', '', true)}\n${EXAMPLES}`)
    .action(async (ids: string[], { input, ...options }: ResumeOptions) => {
      const current = session();
      const json = input === undefined ? undefined : await readInput(input, current.io);
      await onRuns(current, {
        verb: 'resume',
        endedIsDone: true,
        reach: 'frees',
        ids,
        options,
        onlySingle: input === undefined ? [] : ['--input'],
        act: (gcore, run) => gcore.resume(run, undefined, { ofMany: true }),
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
    advice: 'Use the version of the command line that the workers have.',
    exitCode: ExitCode.failed,
  });
}

function checkCorrection<O extends keyof Operations>(operation: O, json: unknown): Correction<O> {
  return { operation, input: checkInput(operationSchemas[operation].input, json) };
}

/** Only these runs hold a protection. */
const HOLDING = { open: true, operation: Operation.protectIp } as const;

export function addExtend({ program, session }: Cli): void {
  const command = program
    .command('extend')
    .description('extend the time for which runs hold their protection');
  takesRuns(command)
    .requiredOption('--for <TIME>', 'shortest time from now, such as "2 hours"', parseTime)
    .addHelpText('after', bulkHelp('extend', ' --for 2h'))
    .action(async (ids: string[], options: BulkOptions & { for: string }) => {
      const current = session();
      const request = { holdFor: options.for };
      await onRuns(current, {
        verb: 'extend',
        endedIsDone: false,
        ids,
        options,
        among: HOLDING,
        act: (gcore, run) => gcore.extend(run, request),
        single: async (gcore, workflowId) => {
          const status = await gcore.extend(workflowId, request);
          current.progress.notice(
            `The run holds the protection at least until ${status.waiting?.nextCheckAt ?? 'then'}.`,
          );
          printStatus(current, workflowId, status);
        },
      });
    });
}

function parseTime(text: string): string {
  const parsed = parseDuration(text);
  if (parsed.ok) return text;
  throw new InvalidArgumentError(`It ${parsed.message}.`);
}

export function addRestore({ program, session }: Cli): void {
  const command = program
    .command('restore')
    .description('restore the earlier state now, before the time of the runs is over');
  takesRuns(command)
    .addHelpText('after', bulkHelp('restore'))
    .action(async (ids: string[], options: BulkOptions) => {
      const current = session();
      await onRuns(current, {
        verb: 'restore',
        endedIsDone: true,
        ids,
        options,
        among: HOLDING,
        act: (gcore, run) => gcore.restore(run),
        single: async (gcore, workflowId) => {
          const status = await gcore.restore(workflowId);
          current.progress.notice(
            `The run restores the earlier state. Follow it: ${current.hint('watch', workflowId)}`,
          );
          printStatus(current, workflowId, status);
        },
      });
    });
}
