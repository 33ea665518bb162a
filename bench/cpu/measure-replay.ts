import { Worker, type WorkflowBundleOption } from '@temporalio/worker';

import { processCpu } from './thread-cpu.js';

export interface ReplayOptions {
  workflowBundle: WorkflowBundleOption;
  history: Parameters<typeof Worker.runReplayHistory>[1];
  /** Replays that count. A tenth as many run first as a warm-up. */
  replays: number;
}

/** CPU milliseconds of one replay of a whole history, without server, network and activities. */
export async function measureReplay(options: ReplayOptions): Promise<number> {
  const { workflowBundle, history, replays } = options;
  const warmUp = Math.ceil(replays / 10);
  const copies = Array.from({ length: warmUp + replays }, (_, index) => ({
    workflowId: `replay-${index}`,
    history,
  }));
  let done = 0;
  let before = 0;
  for await (const { error } of Worker.runReplayHistories({ workflowBundle }, copies)) {
    if (error !== undefined) throw error;
    done += 1;
    if (done === warmUp) before = processCpu();
    if (done === copies.length) return (processCpu() - before) / replays;
  }
  throw new Error('The replays ended early');
}
