/** What the engine is told about this product. */
import type { Product } from '../../engine/core/product.js';
import { workflowMetrics } from '../../engine/core/metrics.js';
import type { PreparedRun } from '../../engine/core/prepared-run.js';
import {
  apiTaskQueue,
  PLACE_MEMO,
  SearchAttribute,
  urgentTaskQueue,
  type Place,
  watchTaskQueue,
  webhookTaskQueue,
} from './names.js';
import { PREPARED_FIELDS, type PreparedMaker } from './prepared.js';

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
  kept: (prepared, input) =>
    isPlacedMaker(prepared) && !saysPlace(input) ? { [PLACE_MEMO]: toPlace(prepared) } : undefined,
  settings: { watcher: 'GCORE_TASK_WATCHER', webhooks: 'GCORE_WEBHOOKS_FILE' },
};

function isPlacedMaker(prepared: PreparedRun): prepared is PreparedMaker {
  return 'marker' in prepared && 'projectId' in prepared && 'regionId' in prepared;
}

function saysPlace(input: unknown): boolean {
  return input instanceof Object && 'projectId' in input && 'regionId' in input;
}

function toPlace({ projectId, regionId }: PreparedMaker): Place {
  return { projectId, regionId };
}
