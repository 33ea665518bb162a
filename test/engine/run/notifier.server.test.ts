import { describe, expect, it } from '@jest/globals';

import {
  abortUpdate,
  pauseUpdate,
  resumeUpdate,
  webhookGivenUpSignal,
} from '../../../src/engine/core/messages.js';
import { PORTS } from '../../support/inputs/protect-input.js';
import { provisionInput } from '../../support/inputs/provision-input.js';
import { gcoreOf } from '../../support/gateway/gateway-world.js';
import { untilBlocked } from '../../support/runs/until-blocked.js';
import { createGate } from '../../support/timing/gate.js';
import { until } from '../../support/timing/until.js';
import { names } from '../../support/webhooks/receiver.js';
import { firstRunIdOf, QUOTA, whileTold } from '../../support/webhooks/while-told.js';
import { holdTaskReads } from '../../support/worlds/hold-task-reads.js';
import { BATCH, manyVideos, video } from '../../support/worlds/videos.js';
/** `told` is the history of the run, `told-by-webhooks` that of its delivery. */
const RECORD = { record: 'told' };

describe('a run with receivers', () => {
  it('tells each of them in order what happens to it', () =>
    whileTold(async ({ start, simulator, receiver, input }) => {
      simulator.faults.add(QUOTA);
      const run = await start('provisionInstance', input);
      await untilBlocked(run, 'QuotaExceeded');
      await run.executeUpdate(resumeUpdate, { args: [{}] });

      const { instanceId } = await run.result();

      await until('the last event came', () => receiver.taken.length === 3);
      expect(names(receiver.taken)).toEqual(['run.blocked 1', 'run.resumed 2', 'run.succeeded 3']);
      const [blocked, , succeeded] = receiver.taken.map(({ body }) => body.data);
      expect(blocked?.status?.blocked?.type).toBe('QuotaExceeded');
      expect(succeeded?.status?.phase).toBe('succeeded');
      expect(succeeded?.resources).toContainEqual({ kind: 'instance', id: instanceId });
      expect(succeeded?.workflowId).toBe(run.workflowId);
    }, RECORD));

  it('tells only what was asked for', () =>
    whileTold(async ({ start, simulator, receiver, input }) => {
      simulator.faults.add(QUOTA);
      const notify = input.notify.map((target) => ({ ...target, events: ['run.failed' as const] }));
      const run = await start('provisionInstance', { ...input, notify });
      await untilBlocked(run, 'QuotaExceeded');
      await run.executeUpdate(abortUpdate, { args: [{}] });
      await expect(run.result()).rejects.toThrow();

      await until('the event came', () => receiver.taken.length === 1);

      expect(names(receiver.taken)).toEqual(['run.failed 1']);
      expect(receiver.taken[0]?.body.data.status?.failure?.type).toBe('Aborted');
    }));

  it('tells of a cancelled run, and not that it went on', () =>
    whileTold(async ({ start, simulator, receiver, input }) => {
      simulator.faults.add(QUOTA);
      const run = await start('provisionInstance', input);
      await untilBlocked(run, 'QuotaExceeded');
      await run.cancel();
      await expect(run.result()).rejects.toThrow();

      await until('the end came', () => receiver.taken.length === 2);

      expect(names(receiver.taken)).toEqual(['run.blocked 1', 'run.cancelled 2']);
    }));

  it('counts a paused run as neither blocked nor resumed', () =>
    whileTold(async ({ start, simulator, receiver, input }) => {
      const release = holdTaskReads(simulator);
      const run = await start('provisionInstance', input);
      await run.executeUpdate(pauseUpdate);
      await run.executeUpdate(resumeUpdate, { args: [{}] });
      release();
      await run.result();

      await until('the end came', () => receiver.taken.length === 1);

      expect(names(receiver.taken)).toEqual(['run.succeeded 1']);
    }));
});

describe('a run with a nested one', () => {
  it('tells alone, the receivers of the account too', () =>
    whileTold(async ({ start, receiver }) => {
      const protect = { profile_template: 12, fields: [PORTS] };
      const run = await start('provisionInstance', provisionInput({}, { protect }));
      await run.result();

      const operations = () => receiver.taken.map(({ body }) => body.data.operation);
      await until('the end came', () => operations().includes('provisionInstance'));

      // The nested run has ended before.
      expect(operations()).toEqual(['provisionInstance']);
    }));
});

describe('an import with receivers', () => {
  it('tells of the first failed videos, and of all at its end, across its histories', () => {
    const videos = manyVideos(1_600).map((item, at) =>
      at % 100 === 0 ? video(`broken-${at}`, 'broken') : item,
    );
    return whileTold(
      async ({ start, receiver, notify, client }) => {
        const tolerate = { count: 16 };
        const run = await start('importVideos', {
          manifest: { url: 'file:a.jsonl' },
          tolerate,
          notify,
        });
        await run.result();

        await until('the end came', () =>
          receiver.taken.some(({ body }) => body.type === 'run.succeeded'),
        );

        const failed = receiver.taken.map(({ body }) => body.data.counts?.failed);
        expect(names(receiver.taken).at(-1)).toBe(`run.succeeded ${receiver.taken.length}`);
        expect(names(receiver.taken)[0]).toBe('items.failed 1');
        expect(failed.at(-2)).toBe(16);
        const { runId } = await client.workflow.getHandle(run.workflowId).describe();
        expect(runId).not.toBe(await firstRunIdOf(client, run.workflowId));
      },
      { manifests: { 'a.jsonl': videos }, policy: { mostEvents: 15 } },
    );
  });
});

describe('an import whose receiver has answered 410', () => {
  it('tells it nothing more in its next histories', () => {
    const videos = manyVideos(1_600).map((item, at) =>
      at % 100 === 0 ? video(`broken-${at}`, 'broken') : item,
    );
    return whileTold(
      async (told) => {
        const { start, receiver, notify, client } = told;
        receiver.answerWith(410);
        const tolerate = { count: 16 };
        const run = await start('importVideos', {
          manifest: { url: 'file:a.jsonl' },
          tolerate,
          notify,
        });
        const first = await firstRunIdOf(client, run.workflowId);
        await run.result();

        await until('the end is given up', async () => {
          const { webhooks } = await gcoreOf(told).status(run.workflowId);
          return webhooks?.undelivered?.some(({ type }) => type === 'run.succeeded') === true;
        });

        expect(receiver.tries).toHaveLength(1);
        expect((await client.workflow.getHandle(run.workflowId).describe()).runId).not.toBe(first);
      },
      { manifests: { 'a.jsonl': videos }, policy: { mostEvents: 15 } },
    );
  });
});

describe('an import that strangers tell of closed receivers', () => {
  it('hands over only those that it has', () => {
    const videos = manyVideos(1_600).map((item, at) =>
      at % 100 === 0 ? video(`broken-${at}`, 'broken') : item,
    );
    return whileTold(
      async ({ start, simulator, receiver, notify, client }) => {
        const gate = createGate();
        const second = { ...BATCH, nth: 2 };
        simulator.faults.add({ match: second, action: { kind: 'delay', until: gate.opened } });
        const run = await start('importVideos', {
          manifest: { url: 'file:a.jsonl' },
          canary: 20,
          tolerate: { count: 16 },
          notify,
        });
        await until('the failed canary is told', () => receiver.taken.length > 0);
        await run.signal(webhookGivenUpSignal, {
          runId: await firstRunIdOf(client, run.workflowId),
          undelivered: {
            id: 'msg_0',
            type: 'run.blocked',
            sequence: 1,
            host: 'h.test',
            at: new Date().toISOString(),
            reason: 'none',
          },
          closed: 'a-secret https://h.test/stranger',
        });
        gate.open();
        await run.result();

        const { memo } = await client.workflow.getHandle(run.workflowId).describe();

        expect(memo?.['webhooks']).toMatchObject({ undelivered: [{ id: 'msg_0' }], closed: [] });
      },
      { manifests: { 'a.jsonl': videos }, policy: { mostEvents: 15 } },
    );
  });
});

describe('a run whose input is refused', () => {
  it('tells so too', () =>
    whileTold(async ({ start, receiver, notify }) => {
      const run = await start('grantSftpAccess', { storageId: 7, keyNames: [], notify });
      await expect(run.result()).rejects.toThrow();

      await until('the end came', () => receiver.taken.length === 1);

      expect(names(receiver.taken)).toEqual(['run.failed 1']);
      expect(receiver.taken[0]?.body.data.status?.failure?.type).toBe('InvalidInput');
    }));
});
