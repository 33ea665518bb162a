import { describe, expect, it } from '@jest/globals';

import { createHostSlots } from '../../../../src/engine/activities/webhooks/send-webhook.js';

const LONG_MS = 60_000;

describe('the slots of a host', () => {
  it('are its own', async () => {
    const slots = createHostSlots(1);

    const taken = [await slots.take('a', 1), await slots.take('b', 1), await slots.take('a', 1)];

    expect(taken).toEqual([true, true, false]);
  });

  it('pass to the calls that wait, in order', async () => {
    const slots = createHostSlots(1);
    const order: string[] = [];
    await slots.take('a', 1);
    const calls = ['first', 'second'].map(async (name) => {
      if (await slots.take('a', LONG_MS)) order.push(name);
    });
    const late = slots.take('a', 1);
    expect(await late).toBe(false);

    slots.free('a');
    await calls[0];
    expect(order).toEqual(['first']);
    slots.free('a');
    await calls[1];

    expect(order).toEqual(['first', 'second']);
    slots.free('a');
    expect(await slots.take('a', 1)).toBe(true);
  });
});
