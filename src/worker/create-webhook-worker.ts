import { Worker, type NativeConnection } from '@temporalio/worker';

import { createWebhookActivities, type DeliveryOutcome } from '../activities/index.js';
import type { Codec } from '../codec/codec.js';
import { toDataConverter } from '../codec/data-converter.js';
import { webhookTaskQueue } from '../contract/wire/names.js';
import { tracedOptions, type WorkerTracing } from './tracing.js';
import { PRODUCT } from '../contract/wire/product.js';
import type { WebhookSettings } from '../engine/core/webhook-settings.js';

export interface WebhookWorkerOptions {
  connection: NativeConnection;
  namespace: string;
  codec: Codec;
  account: string;
  settings: WebhookSettings;
  onTry?: (outcome: DeliveryOutcome) => void;
  tracing?: WorkerTracing | undefined;
}

/** Webhooks at a time. Ten of them may wait for one receiver. */
const MAX_CONCURRENT = 50;

/** Sends the webhooks of one account. */
export function createWebhookWorker(options: WebhookWorkerOptions): Promise<Worker> {
  const { connection, namespace, codec, account, settings, onTry } = options;
  return Worker.create({
    connection,
    namespace,
    taskQueue: webhookTaskQueue(account),
    dataConverter: toDataConverter(codec),
    activities: createWebhookActivities({
      account,
      settings,
      product: PRODUCT,
      ...(onTry && { onTry }),
    }),
    maxConcurrentActivityTaskExecutions: MAX_CONCURRENT,
    ...tracedOptions(options.tracing),
    // A webhook that is cut short is sent again, under the same id.
    shutdownGraceTime: '15 seconds',
    shutdownForceTime: '30 seconds',
  });
}
