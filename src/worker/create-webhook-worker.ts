import { Worker, type NativeConnection, type WorkerOptions } from '@temporalio/worker';

import { createWebhookActivities } from '../activities/index.js';
import { webhookTaskQueue } from '../contract/names.js';
import type { WebhookSettings } from '../contract/webhook-settings.js';

export interface WebhookWorkerOptions {
  connection: NativeConnection;
  namespace: string;
  account: string;
  settings: WebhookSettings;
  polls: Pick<WorkerOptions, 'activityTaskPollerBehavior'>;
}

/** Webhooks at a time. Ten of them may wait for one receiver. */
const MAX_CONCURRENT = 50;

/** Sends the webhooks of one account. */
export function createWebhookWorker(options: WebhookWorkerOptions): Promise<Worker> {
  const { connection, namespace, account, settings, polls } = options;
  return Worker.create({
    connection,
    namespace,
    taskQueue: webhookTaskQueue(account),
    activities: createWebhookActivities({ settings }),
    ...polls,
    maxConcurrentActivityTaskExecutions: MAX_CONCURRENT,
    // A webhook that is cut short is sent again, under the same id.
    shutdownGraceTime: '15 seconds',
    shutdownForceTime: '30 seconds',
  });
}
