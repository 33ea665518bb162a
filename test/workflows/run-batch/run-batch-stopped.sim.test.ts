import { describe, expect, it } from '@jest/globals';

import { batchLines } from '../../../src/contract/batch-lines.js';
import { statusQuery } from '../../../src/engine/core/messages.js';
import { inWorld } from '../../simulation/in-world.js';
import type { WorkerProcess } from '../../simulation/world/machine-room.js';
import type { World } from '../../simulation/world/world.js';
import { PORTS } from '../../support/inputs/protect-input.js';
import { until } from '../../support/timing/until.js';
import { instanceIdOf, stateWithInstances } from '../../support/worlds/instances.js';
import { idsFrom } from '../../support/worlds/ssh-keys.js';

const COUNT = 200;
const STATE = stateWithInstances(idsFrom(1, COUNT).map((of) => ({ of })));
const BATCH = 'run-batch/default/night';

/** Its items wait for an API that is away. */
async function startBatch(world: World, more: object = {}): Promise<void> {
  world.simulator.faults.add({
    match: { method: 'POST', path: /\/action$/, times: 100_000 },
    action: { kind: 'status', status: 503 },
  });
  const items = idsFrom(1, COUNT).map((of) => ({ instanceId: instanceIdOf(of), action: 'stop' }));
  const defaults = { projectId: 1, regionId: 1 };
  const input = { operation: 'setInstancePower', items, defaults, atOnce: COUNT, ...more } as const;
  await world.gcore.start('runBatch', { requestId: 'night', input });
}

function itemsOf({ server }: World): string[] {
  return server
    .executions()
    .filter(({ type }) => type === 'setInstancePower')
    .map(({ workflowId }) => workflowId);
}

/** Every run that exists is known to the batch, and the other lines were not tried. */
async function expectKnown(world: World): Promise<void> {
  const report = await world.gcore.batchReport(BATCH);
  const known = [...batchLines(report)].filter(({ outcome }) => outcome !== 'untried');
  expect(known.map(({ workflowId }) => workflowId).sort()).toEqual(itemsOf(world).sort());
}

const SOME = 12;

/** Acts once so many items were started, while the others are just being started. */
function once(count: number, act: (world: World) => void) {
  let isOver = false;
  return (world: World): void => {
    if (isOver || itemsOf(world).length < count) return;
    isOver = true;
    act(world);
  };
}

/** A new process takes some seconds. */
async function abortOnceThere({ gcore }: World): Promise<void> {
  await until('a worker has taken it', () =>
    gcore.abort(BATCH).then(
      () => true,
      () => false,
    ),
  );
}

describe('a batch whose worker is lost while it starts its items', () => {
  it.each([
    ['a cancel', { name: 'RunCancelledError' }, ({ gcore }: World) => gcore.cancel(BATCH)],
    ['an abort', { type: 'Aborted' }, abortOnceThere],
    ['its deadline', { type: 'DeadlineExceeded' }, undefined],
  ] as const)('knows of all of them when it ends by %s', (_, expected, ask) => {
    let isKilled = false;
    const onAnswer = once(SOME, ({ room }) => {
      for (const { process } of room.running()) process.kill();
      isKilled = true;
    });
    return inWorld({ state: STATE, onAnswer }, async (world) => {
      const deadline = ask === undefined && { deadline: '20 seconds' };
      await startBatch(world, { onAbort: 'cancel', ...deadline });
      await until('the process is killed', () => isKilled);
      world.room.start();
      await ask?.(world);
      const end = await world.gcore.result('runBatch', BATCH).catch((error: unknown) => error);

      expect(end).toMatchObject(expected);
      expect(itemsOf(world).length).toBeLessThan(COUNT);
      await expectKnown(world);
      await until('its runs are cancelled', async () => {
        const summaries = await Promise.all(itemsOf(world).map((id) => world.gcore.summary(id)));
        return summaries.every(({ state }) => state === 'CANCELLED');
      });
    });
  });
});

describe('a batch whose worker stands still while it starts its items', () => {
  it('starts nothing more when it goes on after the end of the batch', () => {
    let frozen: readonly WorkerProcess[] = [];
    const onAnswer = once(SOME, ({ room }) => {
      frozen = room.running();
      for (const { process } of frozen) process.freeze();
    });
    return inWorld({ state: STATE, onAnswer }, async (world) => {
      await startBatch(world);
      await until('the process stands still', () => frozen.length > 0);
      world.room.start();
      await world.gcore.cancel(BATCH);
      await world.gcore.result('runBatch', BATCH).catch(() => undefined);
      await expectKnown(world);
      for (const { process } of frozen) process.wake();
      await new Promise((resolve) => setTimeout(resolve, 10_000));

      await expectKnown(world);
    });
  });
});

describe('a batch that is stopped while it starts its items', () => {
  it('starts hardly any more once it is cancelled', () => {
    const onAnswer = once(SOME, ({ client }) => {
      void client.workflow.getHandle(BATCH).cancel();
    });
    return inWorld({ state: STATE, onAnswer }, async (world) => {
      await startBatch(world);
      await world.gcore.result('runBatch', BATCH).catch(() => undefined);

      expect(itemsOf(world).length).toBeLessThan(COUNT);
      await expectKnown(world);
    });
  });

  it('starts hardly any more once it is paused, and the others when it is resumed', () => {
    const onAnswer = once(SOME, ({ gcore }) => void gcore.pause(BATCH));
    return inWorld({ state: STATE, onAnswer }, async (world) => {
      await startBatch(world);
      await until('it is paused', async () => {
        const status = await world.client.workflow.getHandle(BATCH).query(statusQuery);
        return status.phase === 'paused' && status.items?.pending === itemsOf(world).length;
      });
      const paused = itemsOf(world).length;
      await new Promise((resolve) => setTimeout(resolve, 10_000));

      expect(itemsOf(world)).toHaveLength(paused);
      expect(paused).toBeLessThan(COUNT);
      await expectKnown(world);
      await world.gcore.resume(BATCH);
      await until('the others are started', () => itemsOf(world).length === COUNT);
    });
  });
});

const HELD = 12;
const addressOf = (line: number) => `203.0.113.${line}`;
const holdOf = (line: number) => `protect-ip/default/${addressOf(line)}`;

/** The newest run of each address. */
function holdsIn({ server }: World): Map<string, string> {
  const holds = server.executions().filter(({ type }) => type === 'protectIp');
  return new Map(holds.map(({ workflowId, runId }) => [workflowId, runId]));
}

/** All addresses but the first and the last one were protected, and are not any more. Then somebody repeats the batch. */
async function repeatEnded({ gcore, simulator }: World, onAsked: () => void): Promise<void> {
  const lines = idsFrom(1, HELD + 1);
  const input = {
    ...{ operation: 'protectIp' as const, atOnce: HELD + 1, onAbort: 'cancel' as const },
    items: lines.map((line) => ({ profile: { ip_address: addressOf(line) } })),
    defaults: {
      ...{ projectId: 1, regionId: 1, holdFor: '1 hour' },
      profile: { profile_template: 12, fields: [PORTS] },
    },
  };
  const repeat = () => gcore.start('runBatch', { requestId: 'night', input });
  await repeat();
  await until('the last one is paused', () =>
    gcore.pause(holdOf(HELD + 1)).then(
      () => true,
      () => false,
    ),
  );
  await until('the others hold', async () => (await gcore.status(BATCH)).items?.succeeded === HELD);
  for (const line of lines.slice(1, HELD)) {
    await gcore.restore(holdOf(line));
    await gcore.result('protectIp', holdOf(line));
  }
  simulator.faults.add({
    match: { method: 'POST', path: /./, times: 100_000 },
    action: { kind: 'status', status: 503 },
  });
  onAsked();
  await repeat();
}

describe('a batch whose worker is lost while it asks its runs once more', () => {
  it('knows of all that it has started again when it is cancelled', () => {
    let before: ReadonlyMap<string, string> | undefined;
    let isKilled = false;
    const startedAgain = (world: World): string[] =>
      [...holdsIn(world)].filter(([id, run]) => before?.get(id) !== run).map(([id]) => id);
    const onAnswer = (world: World): void => {
      if (before === undefined || isKilled || startedAgain(world).length < 4) return;
      for (const { process } of world.room.running()) process.kill();
      isKilled = true;
    };
    return inWorld({ state: STATE, onAnswer }, async (world) => {
      const { gcore, room, simulator } = world;
      await repeatEnded(world, () => {
        before = holdsIn(world);
      });
      await until('the process is killed', () => isKilled);
      room.start();
      await gcore.cancel(BATCH);
      await gcore.result('runBatch', BATCH).catch(() => undefined);
      simulator.faults.clear();

      expect(startedAgain(world).length).toBeLessThan(HELD - 1);
      const open = (id: string) => gcore.summary(id).then(({ closedAt }) => closedAt === undefined);
      for (const id of startedAgain(world)) {
        await until(`${id} is cancelled`, async () => !(await open(id)));
      }
      // The batch was done with the first one: its hold goes on.
      expect(await open(holdOf(1))).toBe(true);
      const report = [...batchLines(await gcore.batchReport(BATCH))];
      const succeeded = report.filter(({ outcome }) => outcome === 'succeeded');
      expect(succeeded.map(({ workflowId }) => workflowId)).toEqual(
        idsFrom(1, HELD)
          .map(holdOf)
          .filter((id) => !startedAgain(world).includes(id)),
      );
    });
  });
});
