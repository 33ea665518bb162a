import {
  DEFAULT_ACCOUNT,
  Operation,
  operationSchemas,
  workflowIdFor,
  type ProvisionInstanceInput,
  type Urgency,
} from '../../contract/index.js';
import { checkInput } from '../input/read-input.js';
import { readList, type ItemList } from '../input/read-list.js';
import { requestIdFromInput } from '../input/request-id.js';
import { takesRunOptions, withRunFields, type RunOptions } from '../input/run-options.js';
import type { Cli } from '../cli.js';
import type { Session } from '../session.js';
import {
  asksForBatch,
  batchInput,
  startBatch,
  takesBatchOptions,
  type BatchOptions,
} from '../start-batch.js';
import { requestIdOfList } from '../run-bulk.js';
import { startAndFollow } from '../start-run.js';
import { showPlan } from './plan.js';
import { withGcore } from '../with-gcore.js';

interface ProvisionOptions extends RunOptions, BatchOptions {
  file: string;
  plan?: true;
}

const EXAMPLES = `
Examples:
  gcore-workflows provision --file instance.json --request-id order-4711
  cat instance.json | gcore-workflows provision --file - --no-wait
  gcore-workflows provision --file fleet.jsonl --request-id fleet-7 --canary 3
  gcore-workflows provision --file fleet.jsonl --key instance.name

One request id never creates two machines, however often you repeat it.
It stands for one input: with another input the command ends with 6 and names
where the inputs differ.`;

export function addProvision({ program, session }: Cli): void {
  const command = program
    .command('provision')
    .description('create an instance, or one for each line of a list, and verify it')
    .requiredOption('-f, --file <FILE>', 'input as JSON, or several as a list; - is stdin')
    .option('--plan', 'only plan it: the same as `plan provisionInstance FILE`');
  takesBatchOptions(takesRunOptions(command, 'name of this request; default: from the input'))
    .addHelpText('after', EXAMPLES)
    .action(async ({ file, plan, ...options }: ProvisionOptions) => {
      const current = session();
      const { requestId, wait, timeout, join, urgency } = options;
      const list = await readList(file, current.io);
      if (list.items.length !== 1 || list.faults.length > 0 || asksForBatch(options)) {
        await provisionAll(current, list, { ...options, ...(plan && { plan }) });
        return;
      }
      const json = withRunFields(list.items[0], options);
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
        ...(urgency && { urgency }),
        join,
      });
    });
}

type ManyOptions = Omit<ProvisionOptions, 'file'>;

async function provisionAll(session: Session, list: ItemList, options: ManyOptions): Promise<void> {
  const isPlan = options.plan === true;
  const given = { input: { operation: Operation.provisionInstance }, options, isPlan };
  const input = await batchInput(session, list, given);
  if (!isPlan) {
    await startBatch(session, input, options);
    return;
  }
  const { requestId = requestIdOfList(session, Operation.runBatch, input), timeout: timeoutMs } =
    options;
  await showPlan(session, { operation: Operation.runBatch, json: input, requestId, timeoutMs });
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
