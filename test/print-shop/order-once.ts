import { StepState } from '../../src/engine/core/status.js';
import type { StepRecorder } from '../../src/engine/run/ledger.js';
import { parkWhileBlocked } from '../../src/engine/run/park-while-blocked.js';
import { restartOnCorrectedInput } from '../../src/engine/run/restart-on-corrected-input.js';
import { madeBy, type Mutation } from '../../src/engine/send/mutation.js';
import { sendOnce } from '../../src/engine/send/send-once.js';
import type { Verdict } from '../../src/engine/send/verdict.js';
import type { Run } from './engine.js';
import type { Order } from './order-activities.js';
import { findOrders, removeOrders, toResource } from './remove-orders.js';

/** Places the order of this request, and never a second one. What needs a person blocks the run. */
export function orderOnce(run: Run, step: StepRecorder): Promise<Order> {
  return restartOnCorrectedInput(run, () =>
    parkWhileBlocked(run, async (unblocking) => {
      const order = madeBy(await sendOnce(run, orderMutation(run, unblocking(step))));
      step.set(StepState.verified, { resources: [toResource(order)] });
      return order;
    }),
  );
}

/** The call, how it is found again, and how it is undone. */
function orderMutation(run: Run, step: StepRecorder): Mutation<Order, Order> {
  const { input } = run;
  const { marker: reference, maker } = run.prepared;
  /** Of the answer: a list may not show it yet. */
  let answered: Order | undefined;
  return {
    step,
    input,
    look: async () => judge(await findOrders(run)),
    send: async (within) => {
      const { text, copies } = input;
      const order = { text, copies, reference, maker };
      const options = { ...within, summary: `order ${copies} copies` };
      answered = await run.api.mutations.placeOrder(options, order);
      return answered;
    },
    remove: () => removeOrders(run, step, answered),
    inventory: async () => (await findOrders(run, answered)).map(toResource),
  };
}

/** What the orders under the reference of this request mean. */
function judge([order, ...others]: readonly Order[]): Verdict<Order> {
  if (order === undefined) return { kind: 'absent' };
  if (others.length > 0) return { kind: 'contradiction', note: 'Two orders have one reference.' };
  const isJammed = order.state === 'jammed';
  return isJammed
    ? { kind: 'leftover', note: `order ${order.id} has jammed`, taskIds: [] }
    : { kind: 'present', resource: order, taskIds: [] };
}
