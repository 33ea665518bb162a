/** What the engine is told about this product: its names, on the wire and in texts. */
import { SENDER_FIELDS } from '../../src/engine/core/prepared-run.js';
import type { Product } from '../../src/engine/core/product.js';
import { workflowMetrics } from '../../src/engine/core/metrics.js';

export const PRODUCT: Product = {
  name: 'print-shop-workflows',
  queues: {
    api: (account) => `shop-api-${account}`,
    urgent: (account) => `shop-urgent-${account}`,
    watch: (account) => `shop-watch-${account}`,
    webhooks: (account) => `shop-webhooks-${account}`,
  },
  searchAttributes: {
    phase: 'ShopPhase',
    account: 'ShopAccount',
    resourceId: 'ShopOrderId',
    labels: 'ShopLabels',
  },
  metrics: workflowMetrics('shop'),
  preparedFields: { printOrder: SENDER_FIELDS },
  settings: { watcher: 'no watcher', webhooks: 'no webhooks' },
};
