/** What the engine is told about this product. */
import type { Product } from '../../engine/core/product.js';
import { workflowMetrics } from '../../engine/core/metrics.js';
import {
  apiTaskQueue,
  SearchAttribute,
  urgentTaskQueue,
  watchTaskQueue,
  webhookTaskQueue,
} from './names.js';
import { PREPARED_FIELDS } from './prepared.js';

export const WORKFLOW_METRICS = workflowMetrics('gcore');

export const PRODUCT: Product = {
  name: 'gcore-workflows',
  queues: {
    api: apiTaskQueue,
    urgent: urgentTaskQueue,
    watch: watchTaskQueue,
    webhooks: webhookTaskQueue,
  },
  searchAttributes: SearchAttribute,
  metrics: WORKFLOW_METRICS,
  preparedFields: PREPARED_FIELDS,
  settings: { watcher: 'GCORE_TASK_WATCHER', webhooks: 'GCORE_WEBHOOKS_FILE' },
};
