import { describe, expect, it } from '@jest/globals';

import type { WebhookEvent } from '../../../../src/contract/webhook-events.js';
import {
  addToLine,
  MAX_WAITING,
  type DeliveryLine,
} from '../../../../src/workflows/engine/webhooks/delivery-line.js';

function event(sequence: number): WebhookEvent {
  const run = { workflowId: 'w', runId: 'r', operation: 'protectIp', account: 'a' } as const;
  const data = { ...run, sequence, resources: [] };
  return { id: `msg_${sequence}`, body: { type: 'run.blocked', timestamp: '', data } };
}

function line(facts: Partial<DeliveryLine> = {}): DeliveryLine {
  const target = { url: 'https://hooks.example.test', secretName: 's', events: [] };
  return { target, waiting: [], isClosed: false, isWorking: false, ...facts };
}

describe('a line of deliveries', () => {
  it('keeps what is being sent and the newest events when it is full', () => {
    const full = line();
    const dropped = Array.from({ length: MAX_WAITING + 2 }, (_, at) => addToLine(full, event(at)));

    expect(dropped.map((given) => given?.event.id).filter(Boolean)).toEqual(['msg_1', 'msg_2']);
    expect(full.waiting.map(({ id }) => id)).toEqual([
      'msg_0',
      ...Array.from({ length: MAX_WAITING - 1 }, (_, at) => `msg_${at + 3}`),
    ]);
  });

  it('takes nothing once the receiver wants no more', () => {
    const closed = line({ isClosed: true });

    const dropped = addToLine(closed, event(1));

    expect(dropped).toMatchObject({
      event: { id: 'msg_1' },
      reason: expect.stringContaining('410'),
    });
    expect(closed.waiting).toEqual([]);
  });
});
