import { randomUUID } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';

import { createGcoreWorkflows } from '../../../src/client/index.js';
import { abortUpdate, pauseUpdate, resumeUpdate } from '../../../src/engine/core/messages.js';
import { turnIdFor } from '../../../src/engine/core/names.js';
import { LOOK_OFTEN, NEVER_LOOK, RESOURCE, withTakers, type Taker } from './turn-takers.js';
import { until } from '../../support/timing/until.js';

/** Each turn begins after the one before it has ended. */
async function expectOneAtATime(takers: readonly Taker[]): Promise<void> {
  const turns = await Promise.all(takers.map(({ taken }) => taken()));
  for (const [index, { from }] of turns.slice(1).entries()) {
    expect(from).toBeGreaterThanOrEqual(turns[index]?.to ?? Infinity);
  }
}

describe('two runs that write the same thing', () => {
  it('take turns: the second waits, says for whom and since when, and then goes immediately', () =>
    withTakers(NEVER_LOOK, {}, async ({ takeFirst, line }) => {
      const first = await takeFirst();
      const [second] = await line(1);

      const status = await second?.status();
      expect(status?.phase).toBe('waiting');
      expect(status?.waiting).toEqual({
        for: `its turn at ${RESOURCE}`,
        state: expect.stringMatching(new RegExp(`^held by ${first.run.workflowId} since .+Z$`)),
        holder: first.run.workflowId,
        since: expect.any(String),
        nextCheckAt: expect.any(String),
      });

      await first.goOn();
      await expectOneAtATime([first, ...(second ? [second] : [])]);
    }));

  it('need no turns when they write different things', () =>
    withTakers(NEVER_LOOK, {}, async ({ takeFirst, take }) => {
      const first = await takeFirst();

      const other = await take({ resource: 'thing/2' });

      await expect(other.taken()).resolves.toBeDefined();
      await first.goOn();
    }));

  it('continue when the one that has the turn is terminated', () =>
    withTakers(LOOK_OFTEN, {}, async ({ takeFirst, line }) => {
      const first = await takeFirst();
      const [second] = await line(1);

      await first.run.terminate();

      await expect(second?.taken()).resolves.toBeDefined();
    }));

  it('can give the turn back before they end', () =>
    withTakers(NEVER_LOOK, {}, async ({ takeFirst, take }) => {
      const first = await takeFirst({ endsEarly: true });

      const second = await take();

      await expect(second.taken()).resolves.toBeDefined();
      await first.goOn();
      await expect(first.taken()).resolves.toBeDefined();
    }));

  it('keep their turn until the rollback has ended', () =>
    withTakers(NEVER_LOOK, {}, async ({ takeFirst, line }) => {
      const first = await takeFirst({ undoes: true });
      const [second] = await line(1);

      await first.run.cancel();
      await until('it rolls back', async () => (await first.status()).phase === 'rolling-back');
      const [third] = await line(1);
      expect(await third?.holder()).toBe(first.run.workflowId);
      const undoneAt = Date.now();
      await first.run.signal('undo');

      const then = await second?.taken();
      expect(then?.from).toBeGreaterThanOrEqual(undoneAt);
      await expect(third?.taken()).resolves.toBeDefined();
      expect(await first.failure()).toBe('CancelledFailure');
    }));
});

describe('five runs', () => {
  it('get their turns one at a time, in the order in which they came', () =>
    withTakers(NEVER_LOOK, {}, async ({ takeFirst, line }) => {
      const first = await takeFirst();
      const others = await line(4);

      await first.goOn();

      await expectOneAtATime([first, ...others]);
    }));

  it('learn who has the turn when it passes to the next run', () =>
    withTakers(NEVER_LOOK, {}, async ({ takeFirst, line }) => {
      const first = await takeFirst();
      const others = await line(4, { waits: true });

      await first.goOn();

      for (const [index, { run, hasIt, goOn, taken }] of others.entries()) {
        await hasIt();
        for (const { holder } of others.slice(index + 1)) {
          await until('it is told', async () => (await holder()) === run.workflowId);
        }
        await goOn();
        await expect(taken()).resolves.toBeDefined();
      }
    }));

  it.each([
    ['cancelled', ({ run }: Taker) => run.cancel(), 'CancelledFailure'],
    ['aborted', ({ run }: Taker) => run.executeUpdate(abortUpdate, { args: [{}] }), 'Aborted'],
  ])('continue when one that waits is %s', (_, end, type) =>
    withTakers(NEVER_LOOK, {}, async ({ takeFirst, line }) => {
      const first = await takeFirst();
      const [second, ...others] = await line(4);

      await (second && end(second));
      expect(await second?.failure()).toBe(type);
      await first.goOn();

      await expectOneAtATime(others);
    }),
  );

  it('continue when one that waits is paused: it lets the others pass until it is resumed', () =>
    withTakers(NEVER_LOOK, {}, async ({ takeFirst, line }) => {
      const first = await takeFirst();
      const [second, ...others] = await line(4);

      await second?.run.executeUpdate(pauseUpdate);
      await first.goOn();
      await expectOneAtATime(others);

      await second?.run.executeUpdate(resumeUpdate, { args: [{}] });
      await expect(second?.taken()).resolves.toBeDefined();
    }));

  it('get their turns one at a time also when they poll', () =>
    withTakers(LOOK_OFTEN, {}, async ({ takeFirst, line }) => {
      const first = await takeFirst();
      const others = await line(4);

      await first.goOn();

      const turns = await Promise.all(others.map(({ taken }) => taken()));
      const byTime = turns.sort((a, b) => a.from - b.from);
      for (const [index, { from }] of byTime.slice(1).entries()) {
        expect(from).toBeGreaterThanOrEqual(byTime[index]?.to ?? Infinity);
      }
    }));
});

describe('a run that waits for its turn', () => {
  it('ends at its deadline, and leaves nothing behind', () =>
    withTakers(NEVER_LOOK, {}, async ({ takeFirst, take, client, account }) => {
      const first = await takeFirst();
      const second = await take({ deadline: '1 second' });

      expect(await second.failure()).toBe('DeadlineExceeded');
      await first.goOn();
      await first.taken();

      const lock = client.workflow.getHandle(turnIdFor(account, RESOURCE));
      await until('the lock is gone', async () => {
        const { status } = await lock.describe();
        return status.name === 'COMPLETED';
      });
    }));
});

describe('the lock behind a turn', () => {
  it('is given away also when nobody waited for it as its run was terminated', () =>
    withTakers(LOOK_OFTEN, {}, async ({ takeFirst, take }) => {
      const first = await takeFirst();
      await first.run.terminate();

      const second = await take();

      await expect(second.taken()).resolves.toBeDefined();
    }));

  it('tells who was not called that the run before ended without a word', () =>
    withTakers(NEVER_LOOK, {}, async ({ takeFirst, take, client, taskQueue, account }) => {
      const orderly = await takeFirst();
      await orderly.goOn();
      expect(await orderly.taken()).toMatchObject({ isCutShort: false });

      // Nobody is left whom it could call.
      const lock = await client.workflow.start('holdTurn', {
        workflowId: turnIdFor(account, RESOURCE),
        taskQueue,
        args: [
          {
            resource: RESOURCE,
            holder: { workflowId: 'ended', runId: randomUUID() },
            waiters: ['ended-too'],
          },
        ],
      });
      await expect(lock.result()).rejects.toMatchObject({ cause: { type: 'TurnCutShort' } });
      const next = await take();

      expect(await next.taken()).toMatchObject({ isCutShort: true });
    }));

  it('is not listed as a run', () =>
    withTakers(NEVER_LOOK, {}, async ({ takeFirst, client, taskQueue, account }) => {
      const first = await takeFirst();
      const query = 'WorkflowType = "holdTurn" AND ExecutionStatus = "Running"';
      await until('the server lists the lock', async () => {
        for await (const { workflowId } of client.workflow.list({ query })) {
          if (workflowId === turnIdFor(account, RESOURCE)) return true;
        }
        return false;
      });

      const listed = await createGcoreWorkflows({ client, taskQueue }).list(1_000);

      expect(listed.map(({ operation }) => operation)).not.toContain('holdTurn');
      await first.goOn();
    }));

  it('can be terminated by hand, and the run still succeeds', () =>
    withTakers(NEVER_LOOK, {}, async ({ takeFirst, client, account }) => {
      const first = await takeFirst();

      await client.workflow.getHandle(turnIdFor(account, RESOURCE)).terminate();
      await first.goOn();

      await expect(first.taken()).resolves.toBeDefined();
    }));

  it('continues in a new history after many requests, and forgets nobody', () =>
    // The old history is too large to fetch for a replay.
    withTakers(NEVER_LOOK, { replays: false }, async ({ takeFirst, line, client, account }) => {
      const first = await takeFirst();
      const [second] = await line(1);
      const lock = client.workflow.getHandle(turnIdFor(account, RESOURCE));
      const { runId } = await lock.describe();

      // The server suggests a new history at 4 MB, or after thousands of signals, which take too long.
      const ballast = 'x'.repeat(900_000);
      // Another run that was called before this one says who was behind it.
      const wish = { waiter: 'nobody', behind: [first.run.workflowId] };
      for (let asked = 0; asked < 5; asked++) await lock.signal('turnWanted', wish, ballast);
      await until('the lock has a new history', async () => {
        await lock.signal('turnWanted', wish);
        return (await lock.describe()).runId !== runId;
      });
      await first.goOn();

      await expect(second?.taken()).resolves.toBeDefined();
    }));

  it('continues in a new history, and still tells the run that has it so when that has asked again after a reset', () =>
    withTakers(NEVER_LOOK, { replays: false }, async ({ takeFirst, client, account }) => {
      const { run } = await takeFirst();
      const lock = client.workflow.getHandle(turnIdFor(account, RESOURCE));
      const { runId } = await lock.describe();
      const answers = async (): Promise<number> => {
        const { events = [] } = await run.fetchHistory();
        const signals = events?.map((event) => event.workflowExecutionSignaledEventAttributes);
        return signals?.filter((signal) => signal?.signalName === 'turnTaken').length ?? 0;
      };

      const ballast = 'x'.repeat(900_000);
      for (let asked = 1; asked <= 5; asked++) {
        await lock.signal('turnWanted', { waiter: run.workflowId, behind: [] }, ballast);
        await until('the lock has answered', async () => (await answers()) >= asked);
      }

      expect((await lock.describe()).runId).not.toBe(runId);
    }));
});
