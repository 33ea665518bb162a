/**
 * Loops without Temporal, as the official clients wait: create, then read the task every three seconds.
 * Its parent sends the body of each create call, and hears when each loop saw the end: `PlainLoopEnd`.
 */
import { setTimeout as delay } from 'node:timers/promises';

import { z } from 'zod';

import { createNaiveActivities } from './activities.js';

export interface PlainLoopEnd {
  index: number;
  taskId: string;
  /** Milliseconds since the epoch. */
  at: number;
}

const messageSchema = z.object({ index: z.number(), body: z.unknown() });
const [baseUrl = '', apiKey = '', pollMs = ''] = process.argv.slice(2);
const naive = createNaiveActivities({ baseUrl, apiKey });

async function loop(message: unknown): Promise<void> {
  const { index, body } = messageSchema.parse(message);
  const taskId = await naive.createInstance(body);
  for (;;) {
    await delay(Number(pollMs));
    const { state, instanceId } = await naive.getTask(taskId);
    if (state !== 'FINISHED') continue;
    const end: PlainLoopEnd = { index, taskId, at: Date.now() };
    await naive.getInstance(instanceId);
    process.send?.(end);
    return;
  }
}

process.on('message', (message) => {
  void loop(message);
});
