import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import type { WorkflowHandle } from '@temporalio/client';
import { z } from 'zod';

import { WORKFLOW_TASK_QUEUE } from '../../src/contract/wire/names.js';
import { provisionInput } from '../../test/support/inputs/provision-input.js';
import type { FastWorkerSettings } from '../../test/support/workers/worker-process.js';
import { ready, type BenchWorld } from '../worlds.js';

/** When a run knew that its create task had ended, in milliseconds since the epoch. */
export interface Noticed {
  taskId: string;
  at: number;
}

export interface BegunRun {
  /** Waits for the end. */
  noticed: () => Promise<Noticed>;
  handle?: WorkflowHandle;
}

/** A way to create an instance and to wait for its task, for many runs at a time. */
export interface Way {
  name: string;
  open: (world: BenchWorld, worker?: Pick<FastWorkerSettings, 'cachedRuns'>) => Promise<OpenWay>;
}

export interface OpenWay {
  /** The process that does the waiting. */
  pid: number | undefined;
  begin: (index: number) => Promise<BegunRun>;
  close?: () => Promise<void>;
}

/** As the official clients do. */
const POLL_MS = 3_000;

function inputOf(index: number) {
  return provisionInput({ name: `web-${index}` });
}

const ourResult = z.object({
  taskIds: z.array(z.string()).min(1),
  ledger: z.array(z.object({ endedAt: z.string() })).min(1),
});

/** A run of `provisionInstance`. */
export function begun(handle: WorkflowHandle): BegunRun {
  return {
    handle,
    async noticed() {
      const { taskIds, ledger } = ourResult.parse(await handle.result());
      return { taskId: taskIds.join(), at: Date.parse(ledger[0]?.endedAt ?? '') };
    },
  };
}

const ours: Way = {
  name: 'provisionInstance',
  async open({ client, spawnOurs }, worker) {
    const { child } = await ready(spawnOurs(worker));
    return {
      pid: child.pid,
      begin: async (index) =>
        begun(
          await client.workflow.start('provisionInstance', {
            workflowId: `waiting-${index}`,
            taskQueue: WORKFLOW_TASK_QUEUE,
            args: [inputOf(index)],
          }),
        ),
    };
  },
};

const naiveResult = z.object({ taskId: z.string(), noticedAt: z.string() });

const timerLoop: Way = {
  name: 'timer and activity, 3 s',
  async open({ client, spawnNaive }) {
    const taskQueue = 'naive';
    const { child } = await ready(spawnNaive(taskQueue));
    return {
      pid: child.pid,
      async begin(index) {
        const handle = await client.workflow.start('naiveProvision', {
          workflowId: `waiting-${index}`,
          taskQueue,
          args: [{ taskQueue, body: inputOf(index).instance, pollMs: POLL_MS }],
        });
        return {
          handle,
          async noticed() {
            const { taskId, noticedAt } = naiveResult.parse(await handle.result());
            return { taskId, at: Date.parse(noticedAt) };
          },
        };
      },
    };
  },
};

const endSchema = z.object({ index: z.number(), taskId: z.string(), at: z.number() });
const LOOPS = fileURLToPath(new URL('../naive/loops.js', import.meta.url));

const plainLoop: Way = {
  name: 'poll of 3 s, no Temporal',
  open({ api }) {
    const child = fork(LOOPS, [api.baseUrl, api.apiKey, String(POLL_MS)]);
    const waiting = new Map<number, (noticed: Noticed) => void>();
    const gone = once(child, 'exit').then((): never => {
      throw new Error('The loops have ended');
    });
    // Who waits hears of it.
    gone.catch(() => undefined);
    child.on('message', (message) => {
      const { index, ...noticed } = endSchema.parse(message);
      waiting.get(index)?.(noticed);
    });
    return Promise.resolve({
      pid: child.pid,
      begin(index) {
        const ended = new Promise<Noticed>((resolve) => waiting.set(index, resolve));
        child.send({ index, body: inputOf(index).instance });
        return Promise.resolve({ noticed: () => Promise.race([ended, gone]) });
      },
      async close() {
        child.kill('SIGKILL');
        await gone.catch(() => undefined);
      },
    });
  },
};

export const WAYS: readonly Way[] = [ours, plainLoop, timerLoop];
