import { describe, expect, it } from '@jest/globals';

import { createLine } from '../../src/gateway/line.js';

const BUSY = expect.objectContaining({ problem: expect.objectContaining({ status: 503 }) });

/** Who has begun, in this order, each until it is let go. */
function inLine(most: number, waitsMs?: number) {
  const enter = createLine(most, waitsMs);
  const begun: string[] = [];
  const come = (name: string, cost: number) => {
    const coming = enter(name, cost).then((leave) => {
      begun.push(name);
      return leave;
    });
    // Some are still in line when their test is over.
    coming.catch(() => undefined);
    return coming;
  };
  return { come, begun };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('a line for work of a limited size', () => {
  it('begins with whoever has least of it, and gives nobody more than half', async () => {
    const { come, begun } = inLine(4);
    const first = come('a', 2);
    void come('a', 1);
    void come('b', 1);
    void come('c', 1);
    await settled();
    const before = [...begun];
    (await first)();
    await settled();

    expect(before).toEqual(['a', 'b', 'c']);
    expect(begun).toEqual(['a', 'b', 'c', 'a']);
  });

  it('lets nobody pass one that is next and too large for what is left', async () => {
    const { come, begun } = inLine(4);
    const first = come('a', 2);
    void come('b', 4);
    void come('c', 1);
    await settled();
    const before = [...begun];
    (await first)();
    await settled();

    expect(before).toEqual(['a']);
    expect(begun).toEqual(['a', 'b']);
  });

  it('takes one that is larger than all of it by itself', async () => {
    const { come, begun } = inLine(4);
    const leave = await come('a', 9);
    void come('b', 1);
    await settled();
    const before = [...begun];
    leave();
    leave();
    await settled();

    expect(before).toEqual(['a']);
    expect(begun).toEqual(['a', 'b']);
  });

  it('tells who waits for too long to come again, and goes on without it', async () => {
    const { come, begun } = inLine(4, 20);
    const leave = await come('a', 2);
    const late = come('b', 4);
    const next = come('c', 2);

    await expect(late).rejects.toEqual(BUSY);
    await next;
    leave();
    expect(begun).toEqual(['a', 'c']);
  });
});
