import { randomUUID } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';

import type { WorkflowHandle } from '@temporalio/client';

import { statusQuery } from '../../../src/engine/core/messages.js';
import { turnIdFor } from '../../../src/engine/core/names.js';
import { LOOK_OFTEN, NEVER_LOOK, RESOURCE, withTakers } from './turn-takers.js';
import { inScenario } from '../../simulation/scenario.js';
import { correctRun } from '../../support/runs/correct-run.js';
import { resetRun } from '../../support/runs/reset-run.js';
import { until } from '../../support/timing/until.js';
import { stateWithStorages, STORAGES_PATH } from '../../support/worlds/sftp-storages.js';
const STORAGES = { state: stateWithStorages([{ name: 'first' }, { name: 'second' }], []) };
const POST_STORAGE = { method: 'POST', path: STORAGES_PATH, times: Infinity };

/** A run that was reset has left no history that could be replayed under its id. */
const NO_REPLAY = { replays: false } as const;

describe('a run that is reset in its turn', () => {
  it('keeps the turn, and gives it to the next run when it ends', () =>
    withTakers(NEVER_LOOK, NO_REPLAY, async ({ takeFirst, line, reset }) => {
      const first = await takeFirst();
      const again = await reset(first, 'the last workflow task');
      const [second] = await line(1);
      expect(await second?.holder()).toBe(first.run.workflowId);

      await again.goOn();

      const { to } = await again.taken();
      expect((await second?.taken())?.from).toBeGreaterThanOrEqual(to);
    }));

  it('takes the turn anew when the reset goes back to before it', () =>
    withTakers(LOOK_OFTEN, NO_REPLAY, async ({ takeFirst, reset }) => {
      const first = await takeFirst();

      const again = await reset(first, 'the first workflow task');
      await again.hasIt();
      await again.goOn();

      await expect(again.taken()).resolves.toBeDefined();
    }));

  it('shares the turn with nobody when the reset goes back to before it and another run waits', () =>
    withTakers(LOOK_OFTEN, NO_REPLAY, async ({ takeFirst, line, reset }) => {
      const first = await takeFirst();
      const [second] = await line(1);

      const again = await reset(first, 'the first workflow task');
      await again.goOn();

      const turns = [await again.taken(), await second?.taken()];
      const [earlier, later] = turns.sort((a, b) => (a?.from ?? 0) - (b?.from ?? 0));
      expect(later?.from).toBeGreaterThanOrEqual(earlier?.to ?? Infinity);
    }));
});

describe('a run that is reset to before a correction by which it gave back an earlier turn', () => {
  const LOCKED = { kind: 'status', status: 409, body: { message: 'locked' } } as const;
  const asking = (name: string, ...sshKeyIds: number[]) => ({
    ...{ name, location: 's-region-1' },
    sshKeyIds,
  });
  const holderOf = async (run: WorkflowHandle) => (await run.query(statusQuery)).waiting?.holder;

  it('waits for the run that has that turn now, and lets it have the later one', () =>
    inScenario({ ...STORAGES, ...NO_REPLAY }, async (scenario) => {
      const { client, simulator, start, mutations } = scenario;
      simulator.faults.add({ match: POST_STORAGE, action: LOCKED });
      const corrected = await start('createSftpStorage', asking('films', 1, 2));
      await until('it has tried', () => mutations().length >= 2);
      await correctRun(scenario, corrected, asking('films', 2));
      const tried = mutations().length;
      await until('it has tried again', () => mutations().length >= tried + 2);
      const other = await start('createSftpStorage', asking('music', 1, 2));
      await until('the other run waits', async () => (await holderOf(other)) !== undefined);

      const point = { sending: 'createSftpStorage', withoutUpdates: true } as const;
      const again = await resetRun(client, corrected, point);
      simulator.faults.clear();

      expect(await other.result()).toMatchObject({ created: true });
      expect(await again.result()).toMatchObject({ created: true, sshKeyIds: [1, 2] });
    }));
});

describe('the turn of a terminated run', () => {
  it('is free although a later run has its Workflow Id and another turn', () =>
    withTakers(LOOK_OFTEN, NO_REPLAY, async ({ takeFirst, take }) => {
      const id = `taker-${randomUUID()}`;
      const first = await take({ waits: true }, id);
      await first.hasIt();
      await first.run.terminate();
      const namesake = await take({ waits: true, resource: 'thing/2' }, id);
      await namesake.hasIt();

      const third = await take();

      await expect(third.taken()).resolves.toBeDefined();
      await namesake.goOn();
      await takeFirst().then(({ goOn }) => goOn());
    }));

  it('is free for a later run with its Workflow Id', () =>
    withTakers(LOOK_OFTEN, NO_REPLAY, async ({ take }) => {
      const id = `taker-${randomUUID()}`;
      const first = await take({ waits: true }, id);
      await first.hasIt();
      await first.run.terminate();

      const second = await take({}, id);

      await expect(second.taken()).resolves.toBeDefined();
    }));
});

describe('a lock', () => {
  it('is not ended by the run whose own lock was ended by hand', () =>
    withTakers(NEVER_LOOK, NO_REPLAY, async ({ takeFirst, client, account }) => {
      const first = await takeFirst();
      const lock = client.workflow.getHandle(turnIdFor(account, RESOURCE));
      await lock.terminate();
      const second = await takeFirst();

      await first.goOn();
      await first.taken();

      await until('the lock has heard it', async () => {
        const { events } = await lock.fetchHistory();
        return events?.some((event) => event.workflowExecutionSignaledEventAttributes) === true;
      });
      expect((await lock.describe()).status.name).toBe('RUNNING');
      await second.goOn();
    }));
});
