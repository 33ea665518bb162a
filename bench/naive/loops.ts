/**
 * Loops without Temporal, as the official clients wait: create, then read the task every three seconds. A call that
 * fails is sent twice more, and then its loop ends, as theirs does. The parent sends the body of each create call, and
 * hears when each loop saw the end.
 */
import { setTimeout as delay } from 'node:timers/promises';

import { z } from 'zod';

import { createNaiveActivities } from './activities.js';

const messageSchema = z.object({ index: z.number(), body: z.unknown() });
const [baseUrl = '', apiKey = '', pollMs = ''] = process.argv.slice(2);
const naive = createNaiveActivities({ baseUrl, apiKey });
/** Before the second and the third try of a call. */
const PAUSES_MS = [500, 1_000];

async function persist<T>(call: () => Promise<T>): Promise<T> {
  for (const pause of PAUSES_MS) {
    try {
      return await call();
    } catch {
      await delay(pause);
    }
  }
  return call();
}

async function loop(message: unknown): Promise<void> {
  const { index, body } = messageSchema.parse(message);
  const taskId = await persist(() => naive.createInstance(body));
  for (;;) {
    await delay(Number(pollMs));
    const { state, instanceId } = await persist(() => naive.getTask(taskId));
    if (state !== 'FINISHED') continue;
    const end = { index, taskId, at: Date.now() };
    await persist(() => naive.getInstance(instanceId));
    process.send?.(end);
    return;
  }
}

process.on('message', (message) => {
  loop(message).catch((error: unknown) => {
    process.stderr.write(`A loop ended: ${String(error)}\n`);
  });
});
