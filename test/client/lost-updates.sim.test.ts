import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';

import { describe, expect, it } from '@jest/globals';
import type { PayloadCodec } from '@temporalio/common';
import { Worker } from '@temporalio/worker';

import { createPrepareActivities } from '../../src/activities/index.js';
import { createGcoreWorkflows, type GcoreWorkflows } from '../../src/client/index.js';
import { DEFAULT_POLL_POLICY } from '../../src/contract/wire/tasks.js';
import { inScenario, type Scenario } from '../simulation/scenario.js';
import { createGate } from '../support/timing/gate.js';
import { until } from '../support/timing/until.js';
import { KEYS_PATH } from '../support/worlds/ssh-keys.js';
interface ReadingRun {
  gcore: GcoreWorkflows;
  workflowId: string;
  /** Lets the read end that the run waits for. */
  endRead: () => void;
  hasEndedRead: () => Promise<boolean>;
}

/**
 * Uses a run that reads and has nothing to undo. `onUpdate` is called when the workflow worker has
 * answered an update of it, and before the answer reaches the server.
 */
async function withReadingRun(
  onUpdate: () => Promise<void>,
  use: (run: ReadingRun) => Promise<void>,
): Promise<void> {
  const gate = createGate();
  // The read outlasts the test.
  await inScenario({ timeoutMs: 60_000 }, async (scenario) => {
    const { simulator, client, account } = scenario;
    const taskQueue = `lost-${randomUUID()}`;
    const stop = await startWorkflowWorker(scenario, { taskQueue, codec: noticeUpdates(onUpdate) });
    simulator.faults.add({
      match: { method: 'GET', path: KEYS_PATH, times: Infinity },
      action: { kind: 'delay', until: gate.opened },
    });
    try {
      const gcore = createGcoreWorkflows({ client, taskQueue, answerWithinMs: 20_000 });
      const request = { requestId: randomUUID(), input: { account } };
      const { workflowId } = await gcore.start('listSshKeys', request);
      const reads = async () => {
        const { raw } = await client.workflow.getHandle(workflowId).describe();
        return raw.pendingActivities ?? [];
      };
      await until('the run reads', async () => Boolean((await reads())[0]?.lastStartedTime));
      const hasEndedRead = async () => (await reads()).length === 0;
      await use({ gcore, workflowId, endRead: gate.open, hasEndedRead });
    } finally {
      gate.open();
      await stop();
    }
  });
}

/** A workflow worker of its own: its answers pass through this codec. */
async function startWorkflowWorker(
  { connectNative }: Scenario,
  { taskQueue, codec }: { taskQueue: string; codec: PayloadCodec },
) {
  const policy = { poll: DEFAULT_POLL_POLICY, reconcileGraceMs: 500, searchAttributes: false };
  const worker = await Worker.create({
    connection: await connectNative(),
    taskQueue,
    workflowBundle: { codePath: resolve('dist/workflow-bundle.js') },
    dataConverter: { payloadCodecs: [codec] },
    activities: createPrepareActivities({
      namespaceId: () => Promise.resolve('namespace'),
      defaults: {},
      policy,
    }),
  });
  const ended = worker.run();
  return async (): Promise<void> => {
    worker.shutdown();
    await ended;
  };
}

/** The client asks for a status document before it sends an update, so the second one answers the update. */
function noticeUpdates(onUpdate: () => Promise<void>): PayloadCodec {
  let documents = 0;
  return {
    async encode(payloads) {
      const texts = payloads.map(({ data }) => Buffer.from(data ?? []).toString());
      if (texts.some((text) => text.includes('"phase":'))) documents += 1;
      if (documents === 2) {
        documents += 1;
        await onUpdate();
      }
      return payloads;
    },
    decode: (payloads) => Promise.resolve(payloads),
  };
}

describe('an abort of a run that has nothing to undo', () => {
  it('ends the run although a read ends in the same moment', async () => {
    const answer = createGate();
    let isAnswered = false;
    const holdAnswer = (): Promise<void> => {
      isAnswered = true;
      return answer.opened;
    };

    await withReadingRun(holdAnswer, async ({ gcore, workflowId, endRead, hasEndedRead }) => {
      const aborted = gcore.abort(workflowId);
      await until('the worker has answered', () => isAnswered);
      endRead();
      await until('the read has ended', hasEndedRead);
      answer.open();

      expect(await aborted).toMatchObject({ operation: 'listSshKeys' });
      await expect(gcore.result('listSshKeys', workflowId)).rejects.toMatchObject({
        type: 'Aborted',
      });
    });
  });
});
