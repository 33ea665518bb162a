import { afterAll, describe, expect, it } from '@jest/globals';

import { turnIdFor } from '../../../../src/contract/names.js';
import { expectOneAtATime } from '../../../support/runs/expect-one-at-a-time.js';
import { closeScenarios } from '../../../support/runs/scenario.js';
import { LOOK_OFTEN, NEVER_LOOK, RESOURCE, withTakers } from '../../../support/runs/turn-takers.js';
import { until } from '../../../support/timing/until.js';

afterAll(closeScenarios);

describe('runs whose locks outlive them', () => {
  const outlives = true;

  it('get their turns one at a time, in the order in which they came', () =>
    withTakers(NEVER_LOOK, {}, async ({ takeFirst, line }) => {
      const first = await takeFirst({ outlives });
      const others = await line(4, { outlives });

      await first.goOn();

      await expectOneAtATime([first, ...others]);
    }));

  it.each([
    ['have such locks', { outlives }, {}],
    ['have other locks', {}, { outlives }],
  ])('take turns with runs that %s', (_, firstInput, secondInput) =>
    withTakers(NEVER_LOOK, {}, async ({ takeFirst, line }) => {
      const first = await takeFirst({ outlives, ...firstInput });
      const others = await line(2, secondInput);

      await first.goOn();

      await expectOneAtATime([first, ...others]);
    }),
  );

  it('continue when the one that has the turn is terminated', () =>
    withTakers(LOOK_OFTEN, {}, async ({ takeFirst, line, take }) => {
      const first = await takeFirst({ outlives });
      const others = await line(2, { outlives });

      await first.run.terminate();

      const late = await take({ outlives });
      for (const { taken } of [...others, late]) await expect(taken()).resolves.toBeDefined();
    }));

  it('get the turn of a terminated run also when nobody waited for it', () =>
    withTakers(LOOK_OFTEN, {}, async ({ takeFirst, take }) => {
      const first = await takeFirst({ outlives });
      await first.run.terminate();

      const second = await take({ outlives });

      await expect(second.taken()).resolves.toBeDefined();
    }));

  it('keep their turn when the lock continues in a new history, also after they were in line', () =>
    withTakers(NEVER_LOOK, { replays: false }, async ({ takeFirst, line, client, account }) => {
      const first = await takeFirst({ outlives });
      const lock = client.workflow.getHandle(turnIdFor(account, RESOURCE));
      const { runId } = await lock.describe();
      // Another run that was called before this one says who was behind it.
      const stale = { waiter: 'nobody', behind: [first.run.workflowId] };
      const ballast = 'x'.repeat(900_000);
      for (let asked = 0; asked < 5; asked++) await lock.signal('turnWanted', stale, ballast);
      await until('the lock has a new history', async () => {
        await lock.signal('turnWanted', stale);
        return (await lock.describe()).runId !== runId;
      });
      const [second] = await line(1, { outlives });

      await first.goOn();

      await expectOneAtATime([first, ...(second === undefined ? [] : [second])]);
    }));
});
