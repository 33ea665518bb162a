import { describe, expect, it } from '@jest/globals';
import type { WorkflowHandle } from '@temporalio/client';

import { pauseUpdate, resumeUpdate, statusQuery } from '../../../src/engine/core/messages.js';
import { inScenario } from '../../simulation/scenario.js';
import {
  ADDRESS,
  PORTS,
  PROFILES_PATH,
  protectInput,
  stateWithProfiles,
} from '../../support/inputs/protect-input.js';
import { correctRun } from '../../support/runs/correct-run.js';
import { resetRun, type ResetPoint } from '../../support/runs/reset-run.js';
import { untilBlocked } from '../../support/runs/until-blocked.js';
import { createGate } from '../../support/timing/gate.js';
import { until } from '../../support/timing/until.js';
import { instanceIdOf, stateWithInstances } from '../../support/worlds/instances.js';

const untilChecked = (run: WorkflowHandle) =>
  until('it has checked', async () => {
    const { steps } = await run.query(statusQuery);
    return steps[0]?.state === 'verified';
  });

/** The check was made for the input before, and the pause comes before the step that would carry it out. */
describe('a run of several steps that is corrected between two of them', () => {
  it('protects as it is meant now, also where the profile was as meant before', () => {
    const state = stateWithProfiles([ADDRESS], { templateId: 12, fields: [PORTS], active: true });
    return inScenario({ state }, async (scenario) => {
      const gate = createGate();
      const match = { method: 'GET', path: PROFILES_PATH };
      scenario.simulator.faults.add({ match, action: { kind: 'delay', until: gate.opened } });
      const run = await scenario.start('protectIp', protectInput());
      await until('it looks', () => scenario.simulator.inFlight().length > 0);
      await run.executeUpdate(pauseUpdate);
      gate.open();
      await untilChecked(run);

      const fields = [{ ...PORTS, field_value: [9090] }];
      const profile = { ...protectInput().profile, fields };
      await correctRun(scenario, run, protectInput({ profile }));

      expect(await run.result()).toMatchObject({ after: { profile: { fields } } });
    });
  });

  it('starts the items of the list that is meant now', () => {
    const state = stateWithInstances([{ of: 1 }, { of: 2 }, { of: 3 }]);
    const off = (of: number) => ({ instanceId: instanceIdOf(of), action: 'stop' as const });
    const policy = { probeMs: 500 };
    return inScenario({ state, manifests: {}, policy }, async (scenario) => {
      const operation = 'setInstancePower' as const;
      const manifest = { url: 'file:late.jsonl' };
      const run = await scenario.start('runBatch', { operation, manifest });
      await untilBlocked(run, 'ManifestUnreadable');
      await run.executeUpdate(pauseUpdate);
      scenario.writeManifest('late.jsonl', JSON.stringify(off(1)));
      await untilChecked(run);

      await correctRun(scenario, run, { operation, items: [off(2), off(3)] });
      await run.result();

      const statuses = scenario.simulator.inventory().instances.map(({ status }) => status);
      expect(statuses).toEqual(['ACTIVE', 'SHUTOFF', 'SHUTOFF']);
    });
  });
});

describe('a batch whose list cannot be read', () => {
  const state = stateWithInstances([{ of: 1 }]);
  const items = [{ instanceId: instanceIdOf(1), action: 'stop' as const }];
  const late = { operation: 'setInstancePower', manifest: { url: 'file:late.jsonl' } } as const;

  it('goes on with the list that a person gives it instead', () =>
    inScenario({ state, manifests: {} }, async (scenario) => {
      const run = await scenario.start('runBatch', late);
      await untilBlocked(run, 'ManifestUnreadable');

      await correctRun(scenario, run, { operation: 'setInstancePower', items });

      expect(await run.result()).toMatchObject({ counts: { succeeded: 1 } });
    }));

  it('stays a batch of the same operation: who may see it is judged by that', () =>
    inScenario({ state, manifests: {} }, async (scenario) => {
      const run = await scenario.start('runBatch', late);
      await untilBlocked(run, 'ManifestUnreadable');

      const other = { instanceId: instanceIdOf(1), volumes: 'keep', floatingIps: 'keep' };
      const corrected = correctRun(scenario, run, { operation: 'deleteInstance', items: [other] });

      await expect(corrected).rejects.toMatchObject({
        cause: expect.objectContaining({
          message: expect.stringContaining('cannot change its operation'),
        }),
      });
      await correctRun(scenario, run, { operation: 'setInstancePower', items });
      await run.result();
    }));
});

describe('an import whose list cannot be read', () => {
  it('goes on with the list that a person gives it instead', () =>
    inScenario({ manifests: {} }, async (scenario) => {
      const run = await scenario.start('importVideos', { manifest: { url: 'file:late.jsonl' } });
      await untilBlocked(run, 'ManifestUnreadable');

      await correctRun(scenario, run, { videos: [{ name: 'Interview 7' }] });

      expect(await run.result()).toMatchObject({ counts: { asked: 1, succeeded: 1 } });
    }));
});

/** The events that a reset keeps come at once: the correction meets a run that has prepared nothing yet. */
describe('a run that has taken another input, and is reset to its first event', () => {
  it('takes it once more, and replays', () => {
    const state = stateWithInstances([{ of: 1 }, { of: 2 }]);
    const off = (of: number) => ({ instanceId: instanceIdOf(of), action: 'stop' as const });
    return inScenario({ state }, async (scenario) => {
      const gate = createGate();
      const action = { kind: 'delay', until: gate.opened } as const;
      scenario.simulator.faults.add({ match: { method: 'GET' }, action });
      const first = await scenario.start('setInstancePower', off(1));
      await until('it looks', () => scenario.simulator.inFlight().length > 0);
      await correctRun(scenario, first, off(2));

      const run = await resetRun(scenario.client, first, 'the first workflow task');
      gate.open();
      await run.result();

      const statuses = scenario.simulator.inventory().instances.map(({ status }) => status);
      expect(statuses).toEqual(['ACTIVE', 'SHUTOFF']);
    });
  });
});

/** Before that event nothing holds the run up yet, and the call for the input before may be the next thing that it does. */
describe('a blocked run that has taken another input, and is reset to before it was blocked', () => {
  it.each<[string, ResetPoint]>([
    ['before its first look', 'the first workflow task'],
    ['right before its call', { sending: 'setInstancePower' }],
  ])('works on that input: %s', (_, point) => {
    const state = stateWithInstances([{ of: 1 }, { of: 2 }]);
    const off = (of: number) => ({ instanceId: instanceIdOf(of), action: 'stop' as const });
    return inScenario({ state }, async (scenario) => {
      const { simulator, account } = scenario;
      const refused = { kind: 'status', status: 401, body: { message: 'Bad token' } } as const;
      simulator.faults.add({ match: { method: 'POST' }, action: refused });
      const first = await scenario.start('setInstancePower', off(1));
      await untilBlocked(first, 'Unauthorized');
      simulator.faults.clear();
      const gate = createGate();
      const action = { kind: 'delay', until: gate.opened } as const;
      simulator.faults.add({ match: { method: 'GET' }, action });
      await first.executeUpdate(resumeUpdate, { args: [{ input: { ...off(2), account } }] });
      await until('it looks', () => simulator.inFlight().length > 0);

      const run = await resetRun(scenario.client, first, point);
      gate.open();
      await run.result();

      const statuses = simulator.inventory().instances.map(({ status }) => status);
      expect(statuses).toEqual(['ACTIVE', 'SHUTOFF']);
    });
  });
});
