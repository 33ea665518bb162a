import { describe, expect, it } from '@jest/globals';

import { pauseUpdate, resumeUpdate, statusQuery } from '../../../src/engine/core/messages.js';
import { NEW_INSTANCE, partIdFor } from '../../../src/contract/wire/names.js';
import { inScenario, type Scenario } from '../../simulation/scenario.js';
import { replaceInput } from '../../support/operations/replace-instance.js';
import { correctRun } from '../../support/runs/correct-run.js';
import { createGate } from '../../support/timing/gate.js';
import { until } from '../../support/timing/until.js';
import { floatingIpOf, instanceIdOf, stateWithInstances } from '../../support/worlds/instances.js';

const STATE = stateWithInstances([{ of: 1 }, { of: 2 }]);
const FIRST = replaceInput({ deleteOld: { volumes: 'delete' } });
const KEEPING = replaceInput();
const CORRECTED = { ...KEEPING, instance: { ...KEEPING.instance, name: 'web-corrected' } };

const namesOf = ({ simulator }: Scenario) =>
  simulator
    .inventory()
    .instances.map(({ name }) => name)
    .sort();

/** Starts a replacement whose first look waits for the gate. */
async function startHeld(scenario: Scenario, input = FIRST) {
  const gate = createGate();
  const match = { method: 'GET', path: /interfaces$/ };
  scenario.simulator.faults.add({ match, action: { kind: 'delay', until: gate.opened } });
  const run = await scenario.start('replaceInstance', input);
  await until('it looks', () => scenario.simulator.inFlight().length > 0);
  return { run, open: gate.open };
}

describe('replaceInstance, corrected before the new instance is asked for', () => {
  it('does what is asked for now, and deletes nothing that only the input before named', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const { run, open } = await startHeld(scenario);
      await run.executeUpdate(pauseUpdate);
      open();
      await until('it has looked', async () => {
        const { steps } = await run.query(statusQuery);
        return steps[0]?.state === 'verified';
      });
      await correctRun(scenario, run, CORRECTED);

      const { ledger, ...result } = await run.result();

      expect(result).toMatchObject({ name: 'web-corrected', old: { isDeleted: false } });
      expect(ledger.map(({ name }) => name)).not.toContain('delete old instance');
      expect(namesOf(scenario)).toEqual(['web-1', 'web-2', 'web-corrected']);
    }));

  it('does not fail by what it has seen for the input before', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const { run, open } = await startHeld(scenario, { ...FIRST, floatingIpId: floatingIpOf(2) });
      await correctRun(scenario, run, CORRECTED);
      open();

      expect(await run.result()).toMatchObject({ name: 'web-corrected' });
    }));

  it('takes a correction while the run of an earlier try is still to end', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const { client, taskQueue, account, simulator } = scenario;
      const gate = createGate();
      const match = { method: 'POST', path: /changeflavor/ };
      simulator.faults.add({ match, action: { kind: 'delay', until: gate.opened } });
      const workflowId = `replace-${account}`;
      const other = { instanceId: instanceIdOf(2), flavor: 'g2-standard-4-8', account };
      await client.workflow.start('resizeInstance', {
        workflowId: partIdFor(workflowId, NEW_INSTANCE),
        taskQueue,
        args: [other],
      });
      await until('it is under way', () => simulator.inFlight().length > 0);
      const run = await scenario.start('replaceInstance', FIRST, workflowId);
      await until('it waits for that', async () => {
        const { waiting } = await run.query(statusQuery);
        return waiting?.for.includes('of an earlier try to end') === true;
      });
      await correctRun(scenario, run, CORRECTED);
      gate.open();

      expect(await run.result()).toMatchObject({
        name: 'web-corrected',
        old: { isDeleted: false },
      });
    }));

  it('refuses a correction once the new instance is asked for', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const run = await scenario.start('replaceInstance', FIRST);
      await until('it creates', () => scenario.mutations().length > 0);
      const status = await run.executeUpdate(pauseUpdate);
      await run.executeUpdate(resumeUpdate, { args: [{}] });

      expect(status).toMatchObject({ acceptsInput: false });
      expect(await run.result()).toMatchObject({ name: 'web-new', old: { isDeleted: true } });
    }));
});
