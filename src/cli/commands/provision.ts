import {
  DEFAULT_ACCOUNT,
  Operation,
  operationSchemas,
  workflowIdFor,
  type ProvisionInstanceInput,
  type Urgency,
} from '../../contract/index.js';
import { checkInput, readInput } from '../input/read-input.js';
import { requestIdFromInput } from '../input/request-id.js';
import { takesRunOptions, withRunFields, type RunOptions } from '../input/run-options.js';
import type { Cli } from '../cli.js';
import type { Session } from '../session.js';
import { startAndFollow, urgencyOption } from '../start-run.js';
import { showPlan } from './plan.js';
import { withGcore } from '../with-gcore.js';

interface ProvisionOptions extends RunOptions {
  file: string;
  urgency: Urgency;
  plan?: true;
}

const EXAMPLES = `
Examples:
  gcore-workflows provision --file instance.json --request-id order-4711
  cat instance.json | gcore-workflows provision --file - --no-wait

One request id never creates two machines, however often you repeat it.
It stands for one input: with another input the command ends with 6 and names
where the inputs differ.`;

export function addProvision({ program, session }: Cli): void {
  const command = program
    .command('provision')
    .description('create one instance, verify it and print it')
    .requiredOption('-f, --file <FILE>', 'input of provisionInstance as JSON; - is stdin')
    .option('--plan', 'only plan it: the same as `plan provisionInstance FILE`');
  takesRunOptions(command, 'name of this request; default: from the input')
    .addOption(urgencyOption(Operation.provisionInstance))
    .addHelpText('after', EXAMPLES)
    .action(async ({ file, urgency, plan, ...options }: ProvisionOptions) => {
      const current = session();
      const { requestId, wait, timeout, join } = options;
      const json = withRunFields(await readInput(file, current.io), options);
      if (plan === true) {
        const id = requestId ?? requestIdFromInput(current, Operation.provisionInstance, json);
        const wanted = { json, requestId: id, timeoutMs: timeout };
        await showPlan(current, { operation: Operation.provisionInstance, ...wanted });
        return;
      }
      const input = checkInput(operationSchemas[Operation.provisionInstance].input, json);
      const id = requestId ?? requestIdFromInput(current, Operation.provisionInstance, json);
      if (requestId === undefined) {
        current.progress.notice(
          `Request id ${id}, from the content of the input. The same input gives the same machine. To create another one, add --request-id ID`,
        );
      }
      await provision(current, {
        input,
        requestId: id,
        wait,
        timeoutMs: timeout,
        urgency,
        join,
      });
    });
}

export interface Provision {
  input: ProvisionInstanceInput;
  requestId: string;
  wait: boolean;
  timeoutMs?: number | undefined;
  urgency?: Urgency;
  join?: boolean | undefined;
}

/** Starts the run, or joins the open run of this request, and prints its result. */
export async function provision(session: Session, request: Provision): Promise<void> {
  const { input, requestId, wait, timeoutMs, urgency = 'normal', join } = request;
  await withGcore(session, async (gcore) => {
    const start = { operation: Operation.provisionInstance, requestId, input, urgency, join };
    await startAndFollow({ session, gcore }, start, { wait, timeoutMs });
  });
}

/** The id of the run that `provision` starts. */
export function provisionWorkflowId({ input, requestId }: Provision): string {
  return workflowIdFor(Operation.provisionInstance, input.account ?? DEFAULT_ACCOUNT, requestId);
}
