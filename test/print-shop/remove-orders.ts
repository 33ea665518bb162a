import type { Resource } from '../../src/engine/core/status.js';
import { orUndefinedIfGone } from '../../src/engine/run/failures.js';
import type { StepRecorder } from '../../src/engine/run/ledger.js';
import { lookUnpaused } from '../../src/engine/run/look-unpaused.js';
import {
  attemptDelete,
  isGone,
  leftBehind,
  untilGone,
  type LeftResource,
} from '../../src/engine/send/until-gone.js';
import type { Run } from './engine.js';
import type { Order } from './order-activities.js';

/**
 * Deletes the orders of this request until a look shows none. Each delete follows a look, so nothing is deleted that is
 * not there any more.
 *
 * @param known an order that lists may not show yet
 */
export async function removeOrders(run: Run, step: StepRecorder, known?: Order): Promise<void> {
  await untilGone(run, 'removal of the order', async (unblock) => {
    const { state: orders, at } = await lookUnpaused(run, () => findOrders(run, known));
    step.set(step.state, { resources: orders.map(toResource) });
    const left: LeftResource[] = [];
    for (const order of orders) {
      const removal = await attemptDelete(run, {
        unblock,
        seenAt: at,
        send: (within) => run.api.deletes.deleteOrder(within, { id: order.id }),
      });
      if (!isGone(removal)) left.push(leftBehind(toResource(order), removal));
    }
    return left;
  });
}

/** The orders with the reference of this request. */
export async function findOrders(run: Run, known?: Order): Promise<Order[]> {
  const { reads } = run.api;
  const options = { summary: 'look for the order' };
  const search = { reference: run.prepared.marker };
  const listed = await reads.findOrders.executeWithOptions(options, [search]);
  if (known === undefined || listed.some(({ id }) => id === known.id)) return listed;
  const unlisted = await orUndefinedIfGone(reads.getOrder({ id: known.id }));
  return unlisted === undefined ? listed : [...listed, unlisted];
}

export function toResource({ id }: Order): Resource {
  return { kind: 'order', id };
}
