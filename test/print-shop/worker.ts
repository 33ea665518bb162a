/** The worker: an own process. It registers the calls of one account, the local activities and the workflows. */
import { NativeConnection, Worker } from '@temporalio/worker';
import { z } from 'zod';

import { registeredActivities } from '../../src/engine/activities/registered-activities.js';
import type { RunPolicy } from '../../src/engine/core/run-policy.js';
import { createApiClient } from '../../src/engine/http/api-client.js';
import { createBreakers } from '../../src/engine/http/circuit-breaker.js';
import { createOrderActivities } from './order-activities.js';
import { createPrepareActivities } from './prepare.js';
import { PRODUCT } from './product.js';
import { SHOP_API } from './shop-api.js';

const settingsSchema = z.object({
  temporal: z.string(),
  shop: z.string(),
  token: z.string(),
  account: z.string(),
  taskQueue: z.string(),
  workflowBundle: z.object({ codePath: z.string() }),
});

export type WorkerSettings = z.infer<typeof settingsSchema>;

/** The shop prints within a second, and lists an order as soon. */
const POLICY: RunPolicy = {
  reconcileGraceMs: 2_000,
  poll: {
    minMs: 100,
    maxMs: 1_000,
    shareOfElapsed: 0.1,
    typical: { print: { firstMs: 300, usualMs: 300 } },
    otherwise: { firstMs: 100, usualMs: 0 },
  },
  longestRetryMs: 1_000,
  searchAttributes: false,
};

const { temporal, shop, token, account, ...settings } = settingsSchema.parse(
  JSON.parse(process.env['PRINT_SHOP_WORKER'] ?? ''),
);
const breakers = createBreakers({ placeOf: SHOP_API.placeOf, probeMs: 1_000 });
const api = createApiClient({ api: SHOP_API, baseUrl: shop, apiKey: token, breakers });
const connection = await NativeConnection.connect({ address: temporal });

const workers = await Promise.all([
  Worker.create({ connection, ...settings, activities: createPrepareActivities(POLICY) }),
  Worker.create({
    connection,
    taskQueue: PRODUCT.queues.api(account),
    activities: registeredActivities(createOrderActivities(api)),
  }),
]);
await Promise.all(workers.map((worker) => worker.run()));
