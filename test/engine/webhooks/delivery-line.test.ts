import { describe, expect, it } from '@jest/globals';

import { type WebhookEventType, WEBHOOK_EVENT_TYPES } from '../../../src/engine/core/status.js';
import type { WebhookEvent } from '../../../src/engine/core/webhooks.js';
import {
  addToLine,
  MAX_WAITING,
  toOrders,
  type DeliveryLine,
} from '../../../src/engine/webhooks/delivery-line.js';

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

describe('what five full lines pass to the next history', () => {
  const MAX_PAYLOAD_BYTES = 2 * 1024 ** 2;
  const url = (at: number) => `https://hooks${at}.example.test/`.padEnd(2_048, 'x');
  const receiver = (at: number, events: readonly WebhookEventType[]) =>
    line({ target: { url: url(at), secretName: 's'.repeat(63), events } });
  /** As large as an event may be: 8 KiB of status, 4 KiB of resources, the longest ids. */
  const largest = (type: WebhookEventType, sequence: number): WebhookEvent => {
    const { id, body } = event(sequence);
    const resources = [{ kind: 'instance', id: 'x'.repeat(4_096 + 8_192) }] as const;
    const ids = { workflowId: 'w'.repeat(1_000), account: 'a'.repeat(63) };
    return {
      id,
      body: { ...body, type, data: { ...body.data, ...ids, resources: [...resources] } },
    };
  };

  it('has every event once, and fits into the start of a workflow', () => {
    // Only these two come again and again. A receiver that wants one of them keeps 30 of its own.
    const all = WEBHOOK_EVENT_TYPES;
    const wanted: WebhookEventType[][] = [
      ['run.blocked'],
      ['run.resumed'],
      [...all],
      [...all],
      [...all],
    ];
    const lines = wanted.map((events, at) => receiver(at, events));
    for (let sequence = 0; sequence < 200; sequence++) {
      const type = sequence % 2 === 0 ? 'run.blocked' : 'run.resumed';
      const one = largest(type, sequence);
      for (const to of lines) if (to.target.events.includes(type)) addToLine(to, one);
    }

    const orders = toOrders(lines);

    expect(lines.map(({ waiting }) => waiting.length)).toEqual(Array(5).fill(MAX_WAITING));
    expect(new Set(orders.map(({ event: { id } }) => id)).size).toBe(orders.length);
    expect(orders.flatMap(({ targets }) => targets)).toHaveLength(5 * MAX_WAITING);
    expect(JSON.stringify(orders).length).toBeLessThan(MAX_PAYLOAD_BYTES);
  });

  it('is in the order in which it happened', () => {
    const lines = [receiver(0, ['run.resumed']), receiver(1, ['run.blocked'])];
    lines.forEach((to, at) => addToLine(to, largest('run.blocked', 2 - at)));

    expect(toOrders(lines).map(({ event: { id } }) => id)).toEqual(['msg_1', 'msg_2']);
  });
});
