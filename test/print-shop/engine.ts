/** The engine, bound to the shop. */
import { proxyLocalActivities } from '@temporalio/workflow';

import type { PreparedSender } from '../../src/engine/core/prepared-run.js';
import type { RemoteApi } from '../../src/engine/core/product.js';
import { createEngine } from '../../src/engine/create-engine.js';
import type * as engine from '../../src/engine/run/run-types.js';
import type { OrderActivities } from './order-activities.js';
import type { createPrepareActivities, PrintOrderInput } from './prepare.js';
import { PRODUCT } from './product.js';

/** No call starts a task, so none is watched. */
interface PrintShop extends RemoteApi {
  groups: OrderActivities & { watch: object };
}

export type Run = engine.Run<PreparedSender, PrintOrderInput, PrintShop>;

export const { runOperation, workflows } = createEngine<PrintShop>({ product: PRODUCT });

export const { preparePrintOrder } = proxyLocalActivities<
  ReturnType<typeof createPrepareActivities>
>({ startToCloseTimeout: '5 seconds' });
