import { describe, expect, it } from '@jest/globals';
import { WorkflowUpdateFailedError, type WorkflowHandle } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import fc from 'fast-check';

import { isSound } from '../../../src/engine/core/guards/guard.js';
import { restoreUpdate, statusQuery } from '../../../src/engine/core/messages.js';
import { addressResource } from '../../../src/contract/wire/names.js';
import { DELIVER_WEBHOOKS, turnIdFor } from '../../../src/engine/core/names.js';
import { ADDRESS, protectInput } from '../../support/inputs/protect-input.js';
import { brokenOf } from '../messages/broken-messages.js';
import { ORDER, SIGNALS, UPDATES } from '../messages/message-samples.js';
import { inScenario, type Scenario } from '../../simulation/scenario.js';
import { until } from '../../support/timing/until.js';
import { manyVideos } from '../../support/worlds/videos.js';
const SEED = Number(process.env['SEED'] ?? 2611);

/** Arguments for each signal: none, broken ones, and a sound one. */
function argumentsOf(sound: unknown): unknown[][] {
  const broken = fc.sample(brokenOf(sound), { seed: SEED, numRuns: 8 });
  return [[], ...broken.map((argument) => [argument]), [sound, 'one more']];
}

async function sendAnything(run: WorkflowHandle): Promise<void> {
  for (const { name, sound } of SIGNALS) {
    await Promise.all(argumentsOf(sound).map((args) => run.signal(name, ...args)));
  }
}

const starts = {
  protectIp: ({ start }: Scenario) => start('protectIp', protectInput({ holdFor: '1 hour' })),
  importVideos: ({ start }: Scenario) => start('importVideos', { videos: manyVideos(2) }),
} as const;

async function untilHolding(run: WorkflowHandle): Promise<void> {
  await until('it holds', async () => {
    const { waiting } = await run.query(statusQuery);
    return waiting?.for === 'the end of the hold';
  });
}

describe('any argument', () => {
  it('of any signal leaves a run as it was', () =>
    inScenario({}, async (scenario) => {
      const run = await starts.protectIp(scenario);
      await untilHolding(run);
      const before = await run.query(statusQuery);

      await sendAnything(run);

      expect(await run.query(statusQuery)).toEqual(before);
      await run.executeUpdate(restoreUpdate);
      await run.result();
    }));

  it('of any signal, in the very first moment, ends no run', () =>
    inScenario({}, async (scenario) => {
      const run = await starts.importVideos(scenario);

      await sendAnything(run);

      expect(await run.result()).toMatchObject({ counts: { succeeded: 2 } });
      expect(await run.query<unknown, unknown[]>('report', 'not', ['asked', 'for'])).toMatchObject(
        {},
      );
    }));

  it('of any signal, or none, frees no turn', () =>
    inScenario({}, async (scenario) => {
      const { client, account } = scenario;
      const run = await starts.protectIp(scenario);
      await untilHolding(run);
      const lock = client.workflow.getHandle(turnIdFor(account, addressResource(ADDRESS)));

      await sendAnything(lock);
      const { status } = await lock.describe();
      await run.executeUpdate(restoreUpdate);
      await run.result();

      expect(status.name).toBe('RUNNING');
      await lock.result();
    }));

  it('of any signal stops no delivery', () =>
    inScenario({ replays: false }, async ({ startRaw }) => {
      const { event, targets } = ORDER;
      const body = { ...event.body, timestamp: new Date().toISOString() };
      const orders = [{ event: { ...event, body }, targets }];
      const told = { workflowId: 'no-run', runId: 'run-1', account: 'nobody', orders };
      const delivery = await startRaw(DELIVER_WEBHOOKS, [told]);

      await sendAnything(delivery);

      expect(await delivery.query('deliveries')).toMatchObject({
        pending: expect.arrayContaining([expect.objectContaining({ host: 'hooks.example.com' })]),
      });
      await delivery.terminate();
    }));

  it('of any update is refused with its faults, and changes nothing', () =>
    inScenario({}, async (scenario) => {
      const run = await starts.protectIp(scenario);
      await untilHolding(run);
      const before = await run.query(statusQuery);
      const seen: unknown[] = [];

      for (const { name, guard, sound } of UPDATES) {
        const unsound = fc
          .sample(brokenOf(sound), { seed: SEED, numRuns: 12 })
          .filter((argument) => argument !== null && !isSound(guard, argument));
        for (const argument of unsound) {
          const sent = run.executeUpdate(name, { args: [argument] });
          seen.push(await sent.then(() => 'taken', faultsOf));
        }
      }

      expect(seen.length).toBeGreaterThan(20);
      expect(seen).toEqual(seen.map(() => expect.arrayContaining([expect.any(Object)])));
      expect(await run.query(statusQuery)).toEqual(before);
      await run.executeUpdate(restoreUpdate);
      await run.result();
    }));
});

function faultsOf(error: unknown): unknown {
  const cause = error instanceof WorkflowUpdateFailedError ? error.cause : undefined;
  const details: unknown = cause instanceof ApplicationFailure ? cause.details?.[0] : undefined;
  return details instanceof Object && 'faults' in details ? details.faults : error;
}
