import { InvalidArgumentError } from 'commander';

import { faultsOf, planOfFaults } from '../../client/index.js';
import { OPERATIONS } from '../../client/operations/index.js';
import { Operation, operationSchemas, type Operations, type Plan } from '../../contract/index.js';
import type { Cli } from '../cli.js';
import { CliError } from '../cli-error.js';
import { ExitCode } from '../exit-code.js';
import { parseRequestId, parseSeconds } from '../input/parse-option.js';
import { checkInput, readInput } from '../input/read-input.js';
import { renderPlan } from '../output/render-plan.js';
import { deriveRequestId } from '../input/request-id.js';
import { watchDeps, type Session } from '../session.js';
import { watchRun } from '../watch/watch-run.js';
import { withGcore } from '../with-gcore.js';

interface PlanCommandOptions {
  requestId?: string;
  timeout?: number;
}

const EXAMPLES = `
Examples:
  gcore-workflows plan provisionInstance instance.json --request-id order-4711
  cat access.json | gcore-workflows plan grant-sftp-access -

Nothing is changed at the API. The plan is JSON on stdout, and readable on
stderr; the exit code is 5 when the run would not succeed as things are.`;

export function addPlan({ program, session }: Cli): void {
  program
    .command('plan')
    .description('say what a run would do, and whether it can; sends no change')
    .argument('<OPERATION>', `one of ${Object.keys(Operation).join(', ')}`, parseOperation)
    .argument('<FILE>', 'input of the operation as JSON; - is stdin')
    .option(
      '--request-id <ID>',
      'the request that is planned; default: from the input',
      parseRequestId,
    )
    .option(
      '--timeout <SECONDS>',
      'stop watching then; the plan is made all the same',
      parseSeconds,
    )
    .addHelpText('after', EXAMPLES)
    .action(async (operation: Operation, file: string, options: PlanCommandOptions) => {
      const current = session();
      const json = await readInput(file, current.io);
      const { requestId = requestIdOf(operation, json), timeout: timeoutMs } = options;
      await showPlan(current, { operation, json, requestId, timeoutMs });
    });
}

/** As the command that starts the run has it; `undefined` where the client derives the id from the input. */
function requestIdOf(operation: Operation, json: unknown): string | undefined {
  return OPERATIONS[operation].requestId === 'from caller' ? deriveRequestId(json) : undefined;
}

/** `provisionInstance`, or as workflow ids have it, `provision-instance`. */
function parseOperation(text: string): Operation {
  const wanted = text.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const operation = Object.values(Operation).find((name) => name === wanted);
  if (operation !== undefined) return operation;
  throw new InvalidArgumentError(`It must be one of ${Object.values(Operation).join(', ')}.`);
}

export interface WantedPlan {
  operation: Operation;
  json: unknown;
  requestId?: string | undefined;
  timeoutMs?: number | undefined;
}

/** Prints the plan, and ends with an exit code of its own when it is not ready. */
export async function showPlan(session: Session, wanted: WantedPlan): Promise<void> {
  const plan = await orPlanOfFaults(wanted.operation, () => makePlan(session, wanted));
  for (const line of renderPlan(plan)) session.progress.notice(line);
  session.printJson(plan);
  if (plan.ready) return;
  const faults = plan.findings.filter(({ severity }) => severity === 'fault');
  throw new CliError({
    type: 'NotReady',
    message: `The run would not succeed as things are: ${faults.length} fault(s).`,
    advice: 'Correct them, then plan again; nothing was changed.',
    exitCode: ExitCode.notReady,
  });
}

async function makePlan(session: Session, wanted: WantedPlan): Promise<Plan> {
  const { operation, json, requestId, timeoutMs } = wanted;
  // Before any connection.
  const input = checkInputOf(operation, json);
  return withGcore(session, async (gcore) => {
    const { workflowId } = await gcore.startPlan(operation, {
      input,
      ...(requestId === undefined ? {} : { requestId }),
    });
    session.progress.notice(`Plan ${workflowId}`);
    const run = await watchRun({ workflowId, timeoutMs }, watchDeps(session, gcore));
    if (run.isPlan) return run.result.plan;
    throw new TypeError(`The run ${workflowId} made no plan.`);
  });
}

function checkInputOf<O extends keyof Operations>(
  operation: O,
  json: unknown,
): Operations[O]['input'] {
  return checkInput(operationSchemas[operation].input, json);
}

/** An input with faults has a plan too: one that says so. */
async function orPlanOfFaults(operation: Operation, make: () => Promise<Plan>): Promise<Plan> {
  try {
    return await make();
  } catch (error) {
    const faults = faultsOf(error);
    if (faults === undefined) throw error;
    return planOfFaults(operation, faults);
  }
}
