import { describe, expect, it } from '@jest/globals';

import { callByHand } from '../support/http/call-by-hand.js';
import { failureOfRun } from '../support/runs/run-failure.js';
import { inScenario } from '../simulation/scenario.js';
import {
  bootVolumeOf,
  dataVolumeOf,
  instanceIdOf,
  stateWithInstances,
} from '../support/worlds/instances.js';

const STATE = stateWithInstances([{ of: 1 }, { of: 2 }]);
/** Slow enough that a run meets the attachment while it is being made. */
const FREE = stateWithInstances([{ of: 1, dataVolume: 'available' }]);
const WANTED = { volumeId: dataVolumeOf(1), instanceId: instanceIdOf(1) };
const IN_USE = { id: WANTED.volumeId, status: 'in-use' };

describe('detachVolume', () => {
  it('detaches the volume with one call, and verifies it', () =>
    inScenario({ state: STATE, record: 'volume-detached' }, async (scenario) => {
      const run = await scenario.start('detachVolume', WANTED);

      const { ledger, taskIds, ...result } = await run.result();

      expect(result).toEqual({ ...WANTED, status: 'available' });
      expect(taskIds).toHaveLength(1);
      expect(ledger).toMatchObject([{ name: 'detach volume', note: 'attached to no instance' }]);
      expect(scenario.mutations()).toEqual([
        `POST /cloud/v2/volumes/1/1/${WANTED.volumeId}/detach`,
      ]);
    }));

  it('leaves the attachment to another instance alone', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const run = await scenario.start('detachVolume', { ...WANTED, instanceId: instanceIdOf(2) });

      expect(await run.result()).toMatchObject({ status: 'in-use', taskIds: [] });
      expect(scenario.mutations()).toEqual([]);
    }));

  it.each([
    ['attachments', { attachments: null }],
    ['which instance', { attachments: [{ server_id: null }] }],
  ])('asks the instance where the volume does not say %s', (_what, gap) =>
    inScenario({ state: STATE }, async (scenario) => {
      scenario.simulator.faults.add({
        match: { method: 'GET', path: `/cloud/v1/volumes/1/1/${WANTED.volumeId}`, times: 1 },
        action: { kind: 'status', status: 200, body: { ...IN_USE, ...gap } },
      });
      const run = await scenario.start('detachVolume', WANTED);

      expect(await run.result()).toMatchObject({ status: 'available' });
      expect(scenario.mutations()).toHaveLength(1);
    }),
  );

  it('waits for the end of an attachment that is being made', () =>
    inScenario({ state: FREE, speed: 4 }, async (scenario) => {
      const attach = `POST /cloud/v2/volumes/1/1/${WANTED.volumeId}/attach`;
      await callByHand(scenario.api, attach, { instance_id: WANTED.instanceId });
      const run = await scenario.start('detachVolume', WANTED);

      expect(await run.result()).toMatchObject({ status: 'available' });
      expect(scenario.simulator.inventory().volumes).toContainEqual(
        expect.objectContaining({ id: WANTED.volumeId, attachments: [] }),
      );
      expect((await run.result()).taskIds).toHaveLength(1);
    }));

  it('refuses the volume that the instance boots from', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const run = await scenario.start('detachVolume', { ...WANTED, volumeId: bootVolumeOf(1) });

      const failed = await failureOfRun(run);

      expect(failed).toMatchObject({ type: 'InvalidRequest' });
      expect(failed.message).toContain('boots from the volume');
      expect(scenario.mutations()).toEqual([]);
    }));
});
