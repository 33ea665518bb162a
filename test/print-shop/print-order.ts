import type { StepRecorder } from '../../src/engine/run/ledger.js';
import { FailureType } from '../../src/engine/core/failures.js';
import { StepState } from '../../src/engine/core/status.js';
import { failure } from '../../src/engine/run/failures.js';
import { lookUntilGivenUp } from '../../src/engine/wait/look-until.js';
import { preparePrintOrder, runOperation, type Run } from './engine.js';
import type { Order } from './order-activities.js';
import { orderOnce } from './order-once.js';
import type { PrintOrderInput } from './prepare.js';

const ORDER = 'place the order';
const PRINT = 'print it';

export interface PrintedOrder {
  orderId: string;
  state: string;
}

/**
 * Has a text printed, once, whatever is lost on the way. Reports success only when a read shows the order as printed.
 * A failed or cancelled run removes its order and verifies that it is gone.
 */
export function printOrder(input: PrintOrderInput): Promise<PrintedOrder> {
  return runOperation(
    {
      operation: 'printOrder',
      steps: [ORDER, PRINT],
      creatingStep: ORDER,
      input,
      prepare: preparePrintOrder,
    },
    async (run) => {
      const { id } = await orderOnce(run, await run.begin(ORDER));
      const { state } = await untilPrinted(run, await run.begin(PRINT), id);
      return { orderId: id, state };
    },
  );
}

/** The shop has no tasks: only a look at the order shows how far it is. */
async function untilPrinted(run: Run, step: StepRecorder, id: string): Promise<Order> {
  step.set(StepState.waiting);
  let state: string | undefined;
  const wait = { name: `order ${id} to be printed`, type: 'print', state: () => state };
  const printed = await lookUntilGivenUp(run, wait, async () => {
    const order = await run.api.reads.getOrder({ id });
    state = order.state;
    if (state === 'jammed') throw jammedFailure(step, order);
    return state === 'printed' ? order : undefined;
  });
  step.set(StepState.verified, { note: 'the shop shows it as printed' });
  return printed;
}

function jammedFailure(step: StepRecorder, { id }: Order): Error {
  step.set(StepState.failed, { note: 'the paper has jammed' });
  const advice = 'Ask the shop to mend its printer, then start again.';
  return failure(FailureType.taskFailed, `The paper of order ${id} has jammed.`, { advice });
}
