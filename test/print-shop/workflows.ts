/** What the workflow bundle is made of: the operations, and what the engine needs beside them. */
import { workflows } from './engine.js';

export { printOrder } from './print-order.js';
export const { holdTurn, leaseWatches, deliverWebhooks } = workflows;
