import type { Blocked, KnownFailure, StatusDocument } from '../../../contract/index.js';
import type { WebhookEventType } from '../../../engine/core/status.js';
import type { WebhookBody, WebhookData } from '../../../engine/core/webhooks.js';

const INSTANCE = { kind: 'instance', id: '9f1c2d3e-4b5a-4c6d-8e7f-0a1b2c3d4e5f' };

/** What a run would tell in this event, as far as its type says it. @param at in ISO 8601 */
export function exampleEvent(type: WebhookEventType, at: string): WebhookBody {
  return { type, timestamp: at, data: { ...RUN, ...dataOf(type, at) } };
}

const RUN = {
  workflowId: 'provision-instance/default/example-order',
  runId: '0f9a4d6e-6f57-4a3c-8a4d-1f0a5a8c9b1e',
  operation: 'provisionInstance',
  account: 'default',
  sequence: 1,
  resources: [],
} satisfies WebhookData;

function dataOf(type: WebhookEventType, at: string): Partial<WebhookData> {
  switch (type) {
    case 'run.blocked':
      return { status: provisioning('blocked', { blocked: quota(at) }) };
    case 'run.resumed':
      return { sequence: 2, status: provisioning('running') };
    case 'run.succeeded':
      return { resources: [INSTANCE], status: provisioning('succeeded') };
    case 'run.failed':
      return { status: provisioning('failed', { failure: quota(at) }) };
    case 'run.cancelled':
      return { status: provisioning('cancelled') };
    case 'items.failed':
      return importing();
  }
}

function provisioning(
  phase: StatusDocument['phase'],
  rest: Partial<StatusDocument> = {},
): StatusDocument {
  const done = phase === 'succeeded';
  const steps = ['create instance', 'verify instance'].map((name) => ({
    name,
    state: done ? ('verified' as const) : ('planned' as const),
    taskIds: [],
    resources: done && name === 'create instance' ? [INSTANCE] : [],
  }));
  return { version: 1, operation: 'provisionInstance', phase, steps, ...rest };
}

function quota(since: string): Blocked & KnownFailure {
  return {
    type: 'QuotaExceeded',
    message: 'POST /cloud/v2/instances/1/1: 403 Quota limit exceeded: cpu_count_limit',
    advice: 'Ask for a higher quota or delete what is not needed.',
    since,
  };
}

function importing(): Partial<WebhookData> {
  return {
    workflowId: 'import-videos/default/example-import',
    operation: 'importVideos',
    counts: {
      asked: 500,
      succeeded: 498,
      failed: 2,
      pending: 0,
      untried: 0,
      warned: 0,
      byClass: { 'origin-not-found': 2 },
    },
  };
}
