import { randomUUID } from 'node:crypto';

import type { Client } from '@temporalio/client';

export interface Loop {
  runs: number;
  /** Open at a time: as soon as one ends, the next begins. */
  atOnce: number;
  workflow: string;
  taskQueue: string;
  input: () => object;
}

/** @returns milliseconds from the start of each run until its result, and the Workflow Id of one of the last */
export async function closedLoop(
  client: Client,
  { runs, atOnce, workflow, taskQueue, input }: Loop,
): Promise<{ times: number[]; lastId: string }> {
  const times: number[] = [];
  let [begun, lastId] = [0, ''];
  const lane = async (): Promise<void> => {
    while (begun < runs) {
      begun += 1;
      const workflowId = `${workflow}-${randomUUID()}`;
      const startedAt = performance.now();
      await client.workflow.execute(workflow, { workflowId, taskQueue, args: [input()] });
      times.push(performance.now() - startedAt);
      lastId = workflowId;
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, runs) }, lane));
  return { times, lastId };
}
