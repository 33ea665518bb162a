import { describe, expect, it } from '@jest/globals';
import type { WorkflowHandle } from '@temporalio/client';

import { statusQuery } from '../../../src/engine/core/messages.js';
import type { Resource } from '../../../src/engine/core/status.js';
import { inScenario, type Scenario } from '../../simulation/scenario.js';
import { CREATE_PATH, provisionInput } from '../../support/inputs/provision-input.js';
import { ADDRESS, protectInput, stateWithProfiles } from '../../support/inputs/protect-input.js';
import { resetRun, type ResetPoint } from '../../support/runs/reset-run.js';
import { endOfRun } from '../../support/runs/run-failure.js';
import { PUBLIC_KEY, stateWithKeys } from '../../support/worlds/ssh-keys.js';
import { until } from '../../support/timing/until.js';
import { createHeldLine } from '../../workflows/held-line.js';

const NETWORK = '5b2bd9c2-4c5a-4f39-a4e4-5f4d8d2bb0aa';
/** With a floating IP, which carries no tag. */
const WANTED = provisionInput({
  interfaces: [{ type: 'any_subnet', network_id: NETWORK, floating_ip: { source: 'new' } }],
});
const POLICY = { reconcileGraceMs: 3_000 };

const POINTS: [string, ResetPoint][] = [
  ['its first task', 'the first workflow task'],
  ['the task that sends', { sending: 'createInstance' }],
];

/** All that the API shows. */
function allOf({ simulator }: Scenario): Resource[] {
  const { instances, volumes, floatingIps } = simulator.inventory();
  return [
    ...instances.map(({ id }) => ({ kind: 'instance', id })),
    ...volumes.map(({ id }) => ({ kind: 'volume', id })),
    ...floatingIps.map(({ id }) => ({ kind: 'floating-ip', id })),
  ];
}

async function creating(run: WorkflowHandle) {
  const [step] = (await run.query(statusQuery)).steps;
  return step;
}

/** The task of its create goes on, and somebody resets it. */
async function resetWhileMaking(scenario: Scenario, point: ResetPoint): Promise<WorkflowHandle> {
  const first = await scenario.start('provisionInstance', WANTED);
  await until('its task goes on', async () => (await creating(first))?.state === 'waiting');
  return resetRun(scenario.client, first, point);
}

describe('a run after one that was cut short', () => {
  it.each(POINTS)(
    'names what that has made, when it was reset to %s and is cancelled',
    (_, point) =>
      inScenario({ policy: POLICY }, async (scenario) => {
        const second = await resetWhileMaking(scenario, point);
        await until('it waits for it', async () => (await creating(second))?.state === 'waiting');

        await second.cancel();
        await endOfRun(second);

        expect(allOf(scenario)).toHaveLength(3);
        expect(await creating(second)).toMatchObject({
          state: 'kept',
          resources: expect.arrayContaining(allOf(scenario)),
          note: 'kept: an earlier run of this request may have made or changed it',
        });
      }),
  );

  // Whether the cancel comes before the answer of the first activity is drawn: with some of these seeds it does.
  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'names what that has made, when it is cancelled right after its reset (seed %s)',
    (seed) =>
      inScenario({ policy: POLICY, seed }, async (scenario) => {
        const second = await resetWhileMaking(scenario, { sending: 'createInstance' });
        await second.cancel();

        await endOfRun(second);

        expect(allOf(scenario)).toHaveLength(3);
        expect(await creating(second)).toMatchObject({
          state: 'kept',
          resources: expect.arrayContaining(allOf(scenario)),
        });
      }),
  );

  it('calls nothing undone that an earlier run has made, when its call has not told it of the reset', () =>
    inScenario({ policy: POLICY }, async (scenario) => {
      const profiles = () => scenario.simulator.inventory().ddosProfiles;
      const first = await scenario.start('protectIp', protectInput());
      await until('the profile is made', () => profiles().length > 0);
      // Its preparation and its turn are copied.
      const second = await resetRun(scenario.client, first, { sending: 'createDdosProfile' });
      await second.cancel();

      await endOfRun(second);

      expect(profiles()).toHaveLength(1);
      expect((await second.query(statusQuery)).steps[1]).toMatchObject({
        state: 'kept',
        resources: [{ kind: 'ddos-profile', id: '1' }],
      });
    }));

  it('does not say only that the earlier run may have made what was there before', () => {
    const line = createHeldLine('PATCH');
    const world = { policy: POLICY, state: stateWithProfiles([ADDRESS]), line: line.fetch };
    return inScenario({ ...world, timeoutMs: 10_000 }, async ({ start }) => {
      const first = await start('protectIp', protectInput(), 'patch-on-its-way');
      await until('its call has left', line.isHeld);
      await first.terminate('by an operator');
      const second = await start('protectIp', protectInput(), 'patch-on-its-way');
      await second.cancel();

      await endOfRun(second);

      line.letGo();
      expect((await second.query(statusQuery)).steps[1]).toMatchObject({
        name: 'configure profile',
        state: 'kept',
        resources: [{ kind: 'ddos-profile', id: '1' }],
        note: 'kept: an earlier run of this request may have made or changed it',
      });
    });
  });

  it('names what a call makes that was still on its way when it was cancelled', () => {
    const line = createHeldLine('POST');
    return inScenario({ policy: POLICY, line: line.fetch, timeoutMs: 10_000 }, async (scenario) => {
      const first = await scenario.start('provisionInstance', WANTED, 'on-its-way');
      await until('its call has left', line.isHeld);
      await first.terminate('by an operator');
      const before = line.looks();
      const second = await scenario.start('provisionInstance', WANTED, 'on-its-way');
      await until('it has looked', () => line.looks() > before);
      await second.cancel();
      const asked = line.looks();
      await until('it looks on', () => line.looks() > asked);
      line.letGo();

      await endOfRun(second);

      expect(allOf(scenario)).toHaveLength(3);
      expect(await creating(second)).toMatchObject({
        state: 'kept',
        resources: expect.arrayContaining(allOf(scenario)),
      });
      expect(scenario.mutations()).toEqual([`POST ${CREATE_PATH}`]);
    });
  });
});

const KEY = { name: 'night', publicKey: PUBLIC_KEY };
const LATER = 'the run ended before it was known what an earlier run of this request has sent';

function startOf(
  { start }: Scenario,
  operation: 'createSshKey' | 'deleteSshKey',
): Promise<WorkflowHandle> {
  return operation === 'createSshKey' ? start(operation, KEY) : start(operation, { keyId: 1 });
}

describe('a change after one that was cut short', () => {
  it.each([
    ['createSshKey', 'POST', []],
    ['deleteSshKey', 'DELETE', [KEY]],
  ] as const)(
    'says that the outcome is unknown, when it ends before it has looked: %s',
    (operation, method, keys) =>
      inScenario({ policy: POLICY, state: stateWithKeys(keys) }, async (scenario) => {
        const match = { method, path: /ssh_keys/ };
        scenario.simulator.faults.add({ match, action: { kind: 'drop-response' } });
        const first = await startOf(scenario, operation);
        await until('its call has come', () => scenario.mutations().length > 0);
        const second = await resetRun(scenario.client, first, { sending: operation });
        await second.cancel();

        await endOfRun(second);

        expect(await creating(second)).toMatchObject({ state: 'outcome-unknown', note: LATER });
        expect(scenario.mutations()).toHaveLength(1);
      }),
  );

  it('says that it was not begun, when no run before it was cut short', () =>
    inScenario({ policy: POLICY }, async (scenario) => {
      const run = await scenario.start('createSshKey', KEY);
      await until('it looks', () => scenario.simulator.requests.length > 0);
      await run.cancel();

      await endOfRun(run);

      expect(await creating(run)).toMatchObject({ state: 'planned' });
      expect(scenario.mutations()).toEqual([]);
    }));
});

describe('a run that adopts', () => {
  it('names at once what it adopts, and what is attached once it is known to be of the request', () =>
    inScenario({}, async (scenario) => {
      const first = await scenario.start('provisionInstance', WANTED, 'adopts');
      const { instanceId } = await first.result();
      const match = { method: 'GET', path: /^\/cloud\/v1\/tasks\/./, times: Infinity };
      scenario.simulator.faults.add({ match, action: { kind: 'status', status: 503 } });
      const second = await scenario.start('provisionInstance', WANTED, 'adopts');

      await until('it names the instance', async () =>
        Boolean((await creating(second))?.resources.some(({ id }) => id === instanceId)),
      );

      const kinds = async () => (await creating(second))?.resources.map(({ kind }) => kind);
      expect(await kinds()).toEqual(['instance']);
      scenario.simulator.faults.clear();
      await second.result();
      expect(await kinds()).toEqual(['instance', 'volume', 'floating-ip']);
    }));
});
