import { setTimeout as delay } from 'node:timers/promises';

import { sendBytes, statusOf } from './send-bytes.js';

const PROBE = 'GET /livez HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
const EVERY_MS = 250;
const SHARE = 0.95;

/** Asks for the health while this goes on, as a probe does: how long all but a twentieth of the answers took at most. */
export async function probeWhile(url: string, attack: Promise<unknown>): Promise<number> {
  const state = { isOver: false };
  const over = attack.finally(() => {
    state.isOver = true;
  });
  const times: number[] = [];
  while (!state.isOver) {
    const began = performance.now();
    const status = statusOf(await sendBytes(url, PROBE));
    times.push(status === 200 ? performance.now() - began : Infinity);
    await delay(EVERY_MS);
  }
  await over;
  return times.toSorted((one, other) => one - other)[Math.floor(times.length * SHARE)] ?? Infinity;
}
