import { randomUUID } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';

import {
  abortUpdate,
  resumeUpdate,
  webhookOrderedSignal,
} from '../../../src/engine/core/messages.js';
import { DELIVER_WEBHOOKS, webhooksIdFor } from '../../../src/engine/core/names.js';
import type { DeliveryInput, WebhookOrder } from '../../../src/engine/core/webhooks.js';
import type { StatusDocument } from '../../../src/engine/schema/status-document.js';
import { gcoreOf } from '../../support/gateway/gateway-world.js';
import { untilBlocked } from '../../support/runs/until-blocked.js';
import { until } from '../../support/timing/until.js';
import { names, type Received, type Receiver } from '../../support/webhooks/receiver.js';
import { firstRunIdOf, QUOTA, whileTold, type Told } from '../../support/webhooks/while-told.js';
describe('a run with receivers', () => {
  it('ends while a receiver is down, which gets everything later, once and in order', () =>
    whileTold(async (told) => {
      const { start, simulator, receiver, input } = told;
      receiver.answerWith(503, 0.2);
      simulator.faults.add(QUOTA);
      const run = await start('provisionInstance', input);
      await untilBlocked(run, 'QuotaExceeded');
      await run.executeUpdate(resumeUpdate, { args: [{}] });
      await run.result();
      await until('the receiver was tried again', () => receiver.tries.length >= 3);

      const meanwhile = await gcoreOf(told).status(run.workflowId);
      receiver.answerWith(204);

      expect(new Set(receiver.tries.map(({ id }) => id)).size).toBe(1);
      expect(meanwhile.phase).toBe('succeeded');
      expect(meanwhile.webhooks).toMatchObject({ told: 3, pending: [{ events: 3 }] });
      await until('all events came', () => receiver.taken.length === 3);
      expect(names(receiver.taken)).toEqual(['run.blocked 1', 'run.resumed 2', 'run.succeeded 3']);
    }));

  it('is not held up by a receiver that never answers', () =>
    whileTold(async ({ start, receiver, input }) => {
      receiver.hang();
      const run = await start('provisionInstance', input);
      const result = run.result();

      await until('the receiver was told', () => receiver.tries.length === 1);

      expect(await result).toMatchObject({ status: 'ACTIVE' });
      receiver.answerWith(204);
      receiver.hangUp();
    }));
});

describe('an event that a receiver will never get', () => {
  const undelivered = ({ webhooks }: StatusDocument) =>
    webhooks?.undelivered?.map(({ type, host, reason }) => ({ type, host, reason }));
  const refused = (receiver: Receiver, type: string) => ({
    type,
    host: new URL(receiver.url).host,
    reason: expect.stringContaining('410'),
  });

  it('is named in the status of an open run', () =>
    whileTold(async (told) => {
      const { start, simulator, receiver, input } = told;
      receiver.answerWith(410);
      simulator.faults.add(QUOTA);
      const run = await start('provisionInstance', input);
      await untilBlocked(run, 'QuotaExceeded');

      const status = () => gcoreOf(told).status(run.workflowId);
      await until('the run knows', async () => undelivered(await status()) !== undefined);

      expect(undelivered(await status())).toEqual([refused(receiver, 'run.blocked')]);
      expect(JSON.stringify(await status())).not.toContain('secret-of-url');
      await run.executeUpdate(abortUpdate, { args: [{}] });
      await expect(run.result()).rejects.toThrow();
    }));

  it('is named in the status of a run that has ended', () =>
    whileTold(async (told) => {
      const { start, receiver, input } = told;
      receiver.answerWith(410);
      const run = await start('provisionInstance', input);
      await run.result();

      const status = () => gcoreOf(told).status(run.workflowId);
      await until('the delivery knows', async () => undelivered(await status()) !== undefined);

      expect(undelivered(await status())).toEqual([refused(receiver, 'run.succeeded')]);
    }));
});

describe('a receiver that has answered 410', () => {
  /** Blocks a run, and waits until its delivery has heard the 410 and has ended. */
  async function untilGone({ start, simulator, receiver, input, client }: Told) {
    receiver.answerWith(410);
    simulator.faults.add(QUOTA);
    const run = await start('provisionInstance', input);
    await untilBlocked(run, 'QuotaExceeded');
    const runId = await firstRunIdOf(client, run.workflowId);
    await until('the receiver was told', () => receiver.tries.length === 1);
    await client.workflow.getHandle(webhooksIdFor(run.workflowId, runId)).result();
    receiver.answerWith(204);
    return run;
  }

  it('gets nothing more of this run, and the status says so', () =>
    whileTold(async (told) => {
      const run = await untilGone(told);

      await run.executeUpdate(resumeUpdate, { args: [{}] });
      await run.result();

      const givenUp = async () =>
        (await gcoreOf(told).status(run.workflowId)).webhooks?.undelivered ?? [];
      const isNamed = async () => (await givenUp()).some(({ type }) => type === 'run.succeeded');
      await until('the end is given up', isNamed);
      const reasons = (await givenUp()).map(({ reason }) => reason);
      expect(reasons).toEqual(reasons.map(() => expect.stringContaining('410')));
      expect(told.receiver.tries).toHaveLength(1);
    }));

  it('hears of the run again at another URL', () =>
    whileTold(async (told) => {
      const { receiver, input, notify, account } = told;
      const run = await untilGone(told);
      const moved = notify.map((target) => ({ ...target, url: `${target.url}&moved` }));

      const corrected = { ...input, account, notify: moved };
      await run.executeUpdate(resumeUpdate, { args: [{ input: corrected }] });
      await run.result();

      await until('the end came', () =>
        receiver.taken.some(({ body }) => body.type === 'run.succeeded'),
      );
    }));
});

/** An order of a run that never was. */
function orderOf({ account, notify }: Told, sequence: number, at = new Date()): WebhookOrder {
  const run = { workflowId: 'gone', runId: 'gone', operation: 'protectIp', account } as const;
  const data = { ...run, sequence, resources: [] };
  const body = { type: 'run.blocked', timestamp: at.toISOString(), data } as const;
  const targets = notify.map((target) => ({ ...target, events: [body.type] }));
  return { event: { id: `msg_${sequence}`, body }, targets };
}

function deliveryOf(order: WebhookOrder): DeliveryInput {
  const { workflowId, runId, account } = order.event.body.data;
  return { workflowId, runId, account, orders: [order] };
}

describe('the delivery of events', () => {
  it('ends a day after the event, and says why', () =>
    whileTold(async (told) => {
      const { startRaw, receiver } = told;
      receiver.answerWith(503, 600);
      const dayAgo = new Date(Date.now() - 24 * 3_600_000);

      const delivery = await startRaw(DELIVER_WEBHOOKS, [deliveryOf(orderOf(told, 1, dayAgo))]);

      expect(await delivery.result()).toMatchObject([
        { id: 'msg_1', sequence: 1, reason: expect.stringMatching(/ answered 503\.$/) },
      ]);
      expect(receiver.tries).toHaveLength(1);
    }));

  it('begins with those of its start, also when a signal comes with them', () =>
    whileTold(async (told) => {
      const { client, taskQueue, receiver } = told;

      const delivery = await client.workflow.signalWithStart(DELIVER_WEBHOOKS, {
        workflowId: `delivery-${randomUUID()}`,
        taskQueue,
        args: [deliveryOf(orderOf(told, 1))],
        signal: webhookOrderedSignal,
        signalArgs: [orderOf(told, 2)],
      });
      await delivery.result();

      expect(receiver.taken.map(({ id }) => id)).toEqual(['msg_1', 'msg_2']);
    }));

  it('goes on in new histories, whatever one of the receivers does', () =>
    whileTold(async (told) => {
      const { client, startRaw, receiver, notify } = told;
      const dead = { url: 'http://127.0.0.1:1/', secretName: 'test' };
      const large = (sequence: number): WebhookOrder => {
        const order = orderOf({ ...told, notify: [dead, ...notify] }, sequence);
        order.event.body.data.resources = MANY_RESOURCES;
        return order;
      };
      const { workflowId } = await startRaw(DELIVER_WEBHOOKS, [deliveryOf(large(1))]);
      const delivery = client.workflow.getHandle(workflowId);

      for (let sequence = 2; sequence <= EVENTS; sequence++) {
        await delivery.signal(webhookOrderedSignal, large(sequence));
        await until('the receiver keeps up', () => receiver.taken.length > sequence - 5);
      }

      await until('the receiver has all', () => idsOf(receiver.taken).length === EVENTS);
      expect(idsOf(receiver.taken)).toEqual(
        Array.from({ length: EVENTS }, (_, at) => `msg_${at + 1}`),
      );
      const { runId } = await delivery.describe();
      expect(runId).not.toBe(await firstRunIdOf(client, workflowId));
      await delivery.terminate();
    }, TOO_LARGE_TO_REPLAY));
});

const EVENTS = 45;

/** The server gives a history in messages of at most 4 MB. */
const TOO_LARGE_TO_REPLAY = { replays: false };

/** About 60 KB an event, which is there twice: Temporal calls a history of 4 MB long. */
const MANY_RESOURCES = Array.from({ length: 900 }, (_, at) => ({
  kind: 'volume' as const,
  id: `0f5b0f2c-0000-4000-8000-${String(at).padStart(12, '0')}`,
}));

/** The ids in the order in which they came first. */
function idsOf(taken: readonly Received[]): string[] {
  return [...new Set(taken.map(({ id }) => id))];
}
