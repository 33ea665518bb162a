import { describe, expect, it } from '@jest/globals';
import { WorkflowFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';

import {
  abortUpdate,
  pauseUpdate,
  resumeUpdate,
  statusQuery,
} from '../../src/engine/core/messages.js';
import { until } from '../support/timing/until.js';
import { inPrintShop, type PrintRun } from './print-world.js';
import type { Shop } from './shop.js';

const POST = 'POST /orders';
const AN_HOUR = 3_600_000;

/** How often the shop was asked to print. */
function postsTo({ calls }: Shop): number {
  return calls.filter((call) => call === POST).length;
}

async function phaseOf(run: PrintRun): Promise<string> {
  return (await run.query(statusQuery)).phase;
}

/** Type and message of the failure that ends the run. */
async function failureOf(run: PrintRun): Promise<string> {
  const error: unknown = await run.result().catch((reason: unknown) => reason);
  const cause = error instanceof WorkflowFailedError ? error.cause : undefined;
  return cause instanceof ApplicationFailure ? `${cause.type}: ${cause.message}` : String(error);
}

/** Whether the run has heard of an answer, and has done what it does then. */
async function hasTakenIn(run: PrintRun, activity: string): Promise<boolean> {
  const { events = [] } = await run.fetchHistory();
  const all = events ?? [];
  const scheduled = all.find(
    ({ activityTaskScheduledEventAttributes: task }) => task?.activityType?.name === activity,
  )?.eventId;
  const answeredAt = all.findIndex(
    ({ activityTaskCompletedEventAttributes: task }) =>
      task !== undefined && String(task?.scheduledEventId) === String(scheduled),
  );
  return all
    .slice(Math.max(answeredAt, 0))
    .some((event) => answeredAt >= 0 && event.workflowTaskCompletedEventAttributes);
}

// These tests mostly wait, so they run side by side, each with its own shop and its own worker.
describe('printOrder, of an API that is not Gcore', () => {
  it.concurrent('prints a text once, and names the order', () =>
    inPrintShop({}, async ({ shop, startWorker, start }) => {
      startWorker();
      const run = await start();

      const result = await run.result();

      expect(shop.orders()).toMatchObject([{ id: result.orderId, copies: 20, state: 'printed' }]);
      expect(result.state).toBe('printed');
      expect(postsTo(shop)).toBe(1);
    }),
  );

  it.concurrent(
    'finds its order by its reference when the answer is lost, and orders no second',
    () =>
      inPrintShop({ losesNextAnswer: true, listLagMs: 1_000 }, async (world) => {
        const { shop, startWorker, start } = world;
        startWorker();
        const run = await start();

        const { orderId } = await run.result();

        expect(shop.orders()).toMatchObject([{ id: orderId, state: 'printed' }]);
        expect(postsTo(shop)).toBe(1);
        const { steps } = await run.query(statusQuery);
        expect(steps[0]?.note).toBe('its answer was lost; found again by its marker');
      }),
  );

  it.concurrent('waits for the end of an outage, then orders once', () =>
    inPrintShop({ isCutOff: true }, async ({ shop, startWorker, start }) => {
      startWorker();
      const run = await start();

      await until('the run has asked in vain three times', () => shop.calls.length >= 3);
      expect(await phaseOf(run)).toBe('running');
      shop.isCutOff = false;
      await run.result();

      expect(shop.orders()).toMatchObject([{ state: 'printed' }]);
      expect(postsTo(shop)).toBe(1);
    }),
  );

  it.concurrent.each(['call', 'answer'] as const)(
    'orders once when its worker is killed while the shop holds the %s',
    (what) =>
      inPrintShop({}, async ({ shop, startWorker, killWorker, start }) => {
        const post = shop.holdNextPost(what);
        startWorker();
        const run = await start();

        await post.arrived;
        await killWorker();
        // The shop carries out what it has received, although nobody waits for the answer.
        post.letGo();
        startWorker();
        const { orderId } = await run.result();

        expect(shop.orders()).toMatchObject([{ id: orderId, state: 'printed' }]);
        expect(postsTo(shop)).toBe(1);
      }),
  );

  it.concurrent('sends nothing while it is paused, and goes on when it is resumed', () =>
    inPrintShop({ isCutOff: true }, async ({ shop, startWorker, start }) => {
      startWorker();
      const run = await start();

      await until('the run looks for an earlier order', () => shop.calls.length > 0);
      await run.executeUpdate(pauseUpdate);
      shop.isCutOff = false;
      await until('the run knows that there is none', () => hasTakenIn(run, 'findOrders'));
      expect(await phaseOf(run)).toBe('paused');
      expect(postsTo(shop)).toBe(0);
      await run.executeUpdate(resumeUpdate, { args: [{}] });
      await run.result();

      expect(shop.orders()).toMatchObject([{ state: 'printed' }]);
      expect(postsTo(shop)).toBe(1);
    }),
  );

  it.concurrent('removes its order when it is aborted, and nothing else', () =>
    inPrintShop({ printMs: AN_HOUR }, async ({ shop, startWorker, start }) => {
      const foreign = shop.place({ text: 'Menu', copies: 2, reference: 'the café' });
      startWorker();
      const run = await start();

      await until('the order is being printed', async () => (await phaseOf(run)) === 'waiting');
      expect(shop.orders()).toHaveLength(2);
      await run.executeUpdate(abortUpdate, { args: [{ reason: 'a typo' }] });

      expect(await failureOf(run)).toMatch(/^Aborted: .*a typo/);
      expect(shop.orders()).toMatchObject([{ id: foreign.id }]);
      await expectUndone(run);
    }),
  );

  it.concurrent('fails when the paper jams, and removes its order', () =>
    inPrintShop({ jams: true }, async ({ shop, startWorker, start }) => {
      startWorker();
      const run = await start();

      expect(await failureOf(run)).toMatch(/^TaskFailed: The paper of order order-1 has jammed/);
      expect(shop.orders()).toEqual([]);
      await expectUndone(run);
    }),
  );

  it.concurrent('asks for another token when the shop refuses its own, and goes on with that', () =>
    inPrintShop({}, async ({ shop, startWorker, killWorker, start }) => {
      startWorker('smudge');
      const run = await start();

      await until('the run is blocked', async () => (await phaseOf(run)) === 'blocked');
      const { blocked } = await run.query(statusQuery);
      await killWorker();
      startWorker();
      await run.executeUpdate(resumeUpdate, { args: [{}] });
      await run.result();

      expect(blocked?.type).toBe('Unauthorized');
      expect(blocked?.message).toContain('Who are you?');
      expect(blocked?.advice).toContain('Ask the shop for a new token.');
      expect(shop.orders()).toMatchObject([{ state: 'printed' }]);
    }),
  );
});

async function expectUndone(run: PrintRun): Promise<void> {
  const { steps } = await run.query(statusQuery);
  expect(steps[0]).toMatchObject({
    state: 'undone',
    resources: [],
    note: 'removed, and verified as gone',
  });
}
