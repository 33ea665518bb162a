import { plural } from '../../engine/core/text.js';
import { faultsOf, planOfFaults } from '../../client/index.js';
import { OPERATIONS } from '../../contract/operations/index.js';
import {
  type Operation,
  operationSchemas,
  type Operations,
  type Plan,
} from '../../contract/index.js';
import type { Cli } from '../cli.js';
import { CliError, ExitCode } from '../cli-error.js';
import { onlyFile, checkInput, readInput } from '../input/read-input.js';
import { operationArgument, parseRequestId, parseSeconds } from '../input/parse-option.js';
import { renderPlan } from '../output/render-plan.js';
import { requestIdFromInput } from '../input/request-id.js';
import { watchDeps, type Session } from '../session.js';
import { watchRun } from '../watch/watch-run.js';
import { withGcore } from '../with-gcore.js';

interface PlanCommandOptions {
  file?: string;
  requestId?: string;
  timeout?: number;
}

const EXAMPLES = `
Examples:
  gcore-workflows plan provisionInstance instance.json --request-id order-4711
  cat access.json | gcore-workflows plan grant-sftp-access -

A plan changes nothing at the API. It is JSON on stdout and text on stderr. The
exit code is 5 when the run would not succeed now.`;

export function addPlan({ program, session }: Cli): void {
  program
    .command('plan')
    .description('show what a run would do and whether it can; changes nothing')
    .addArgument(operationArgument())
    .argument('[FILE]', 'input of the operation as JSON; - is stdin')
    .option('-f, --file <FILE>', 'the same as FILE')
    .option(
      '--request-id <ID>',
      'id of the planned request; default: from the input',
      parseRequestId,
    )
    .option('--timeout <SECONDS>', 'stop watching then; the plan continues', parseSeconds)
    .addHelpText('after', EXAMPLES)
    .action(
      async (operation: Operation, named: string | undefined, options: PlanCommandOptions) => {
        const current = session();
        const json = await readInput(
          onlyFile(named, options.file, 'plan OPERATION FILE'),
          current.io,
        );
        const { requestId = requestIdOf(current, { operation, json }) } = options;
        await showPlan(current, { operation, json, requestId, timeoutMs: options.timeout });
      },
    );
}

/** As the command that starts the run has it; `undefined` where the client derives the id from the input. */
function requestIdOf(session: Session, { operation, json }: WantedPlan): string | undefined {
  if (OPERATIONS[operation].requestId !== 'from caller') return undefined;
  return requestIdFromInput(session, operation, json);
}

export interface WantedPlan {
  operation: Operation;
  json: unknown;
  requestId?: string | undefined;
  timeoutMs?: number | undefined;
}

/** Prints the plan. A plan that is not ready ends with its own exit code. */
export async function showPlan(session: Session, wanted: WantedPlan): Promise<void> {
  const plan = await orPlanOfFaults(wanted.operation, () => makePlan(session, wanted));
  for (const line of renderPlan(plan)) session.progress.notice(line);
  session.printJson(plan);
  refuseUnready(plan);
}

/** @throws CliError for a plan that is not ready */
export function refuseUnready(plan: Plan): void {
  if (plan.ready) return;
  const faults = plan.findings.filter(({ severity }) => severity === 'fault');
  throw new CliError({
    type: 'NotReady',
    message: `The run would not succeed now: ${plural(faults.length, 'fault')}.`,
    advice: 'Correct them, then plan again; nothing was changed.',
    exitCode: ExitCode.notReady,
  });
}

async function makePlan(session: Session, wanted: WantedPlan): Promise<Plan> {
  const { operation, json, requestId, timeoutMs } = wanted;
  // Checked before the connection.
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

/** An invalid input has a plan too: it lists the faults. */
async function orPlanOfFaults(operation: Operation, make: () => Promise<Plan>): Promise<Plan> {
  try {
    return await make();
  } catch (error) {
    const faults = faultsOf(error);
    if (faults === undefined) throw error;
    return planOfFaults(operation, faults);
  }
}
