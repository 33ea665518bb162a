import { Worker, type NativeConnection } from '@temporalio/worker';

import { createWebhookActivities } from '../activities/index.js';
import type { Codec } from '../codec/codec.js';
import { toDataConverter } from '../codec/data-converter.js';
import { webhookTaskQueue } from '../contract/names.js';
import type { WebhookSettings } from '../contract/webhook-settings.js';

export interface WebhookWorkerOptions {
  connection: NativeConnection;
  namespace: string;
  codec: Codec;
  account: string;
  settings: WebhookSettings;
}

/** Webhooks at a time. Ten of them may wait for one receiver. */
const MAX_CONCURRENT = 50;

/** Sends the webhooks of one account. */
export function createWebhookWorker(options: WebhookWorkerOptions): Promise<Worker> {
  const { connection, namespace, codec, account, settings } = options;
  return Worker.create({
    connection,
    namespace,
    taskQueue: webhookTaskQueue(account),
    dataConverter: toDataConverter(codec),
    activities: createWebhookActivities({ settings }),
    maxConcurrentActivityTaskExecutions: MAX_CONCURRENT,
    // A webhook that is cut short is sent again, under the same id.
    shutdownGraceTime: '15 seconds',
    shutdownForceTime: '30 seconds',
  });
}
