import { describe, expect, it } from '@jest/globals';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';

import { statusQuery } from '../../../src/engine/core/messages.js';
import { inScenario } from '../../simulation/scenario.js';
import { ACTION, PORTS } from '../../support/inputs/protect-input.js';
import { CREATE_PATH, provisionInput } from '../../support/inputs/provision-input.js';
import { replaceInput } from '../../support/operations/replace-instance.js';
import { endOfRun } from '../../support/runs/run-failure.js';
import { createGate } from '../../support/timing/gate.js';
import { until } from '../../support/timing/until.js';
import { stateWithInstances } from '../../support/worlds/instances.js';

/** Nothing can be removed. */
const REFUSED = {
  kind: 'status',
  status: 400,
  body: { message: 'not now' },
} as const;

describe('a run that is cancelled together with its part', () => {
  it.each([
    ['rollback', { state: 'outcome-unknown' }],
    ['keep', { state: 'kept' }],
  ] as const)('names the new instance that its part leaves (onFailure: %s)', (onFailure, step) =>
    inScenario({ state: stateWithInstances([{ of: 1 }]) }, async ({ start, simulator, client }) => {
      const { opened, open } = createGate();
      simulator.faults.add({
        match: { method: 'POST', path: CREATE_PATH },
        action: { kind: 'delay', until: opened, afterProcessing: true },
      });
      const match = { method: 'DELETE', path: /\/(instances|volumes)\//, times: Infinity };
      simulator.faults.add({ match, action: REFUSED });
      const run = await start('replaceInstance', { ...replaceInput(), onFailure });
      await until('the create call is sent', () =>
        simulator.inFlight().some(({ path }) => path === CREATE_PATH),
      );
      await run.cancel();
      open();

      expect(await endOfRun(run)).toBeInstanceOf(CancelledFailure);
      const made = simulator.inventory().instances.filter(({ name }) => name === 'web-new');
      const [, created] = (await run.query(statusQuery)).steps;
      expect(made).toHaveLength(1);
      expect(created).toMatchObject(step);
      expect(created?.resources.map(({ kind }) => kind)).toEqual(['instance', 'volume']);
      const part = client.workflow.getHandle(`${run.workflowId}/instance`);
      const failure = await endOfRun(part);
      expect(failure).toBeInstanceOf(ApplicationFailure);
      expect(String(failure)).toContain('Still there: instance');
    }),
  );

  it.each([
    ['rollback', { state: 'outcome-unknown' }],
    ['keep', { state: 'kept' }],
  ] as const)('names the profile that its part leaves (onFailure: %s)', (onFailure, step) =>
    inScenario({ profileBirth: 'off' }, async ({ start, simulator }) => {
      const { opened, open } = createGate();
      simulator.faults.add({
        match: { method: 'POST', path: ACTION },
        action: { kind: 'delay', until: opened },
      });
      const match = { method: 'DELETE', path: /\/ddos\//, times: Infinity };
      simulator.faults.add({ match, action: REFUSED });
      const protect = { profile_template: 12, fields: [PORTS] };
      const run = await start('provisionInstance', {
        ...provisionInput({}, { protect }),
        onFailure,
      });
      await until('the activation is sent', () =>
        simulator.inFlight().some(({ path }) => ACTION.test(path)),
      );
      await run.cancel();
      open();

      expect(await endOfRun(run)).toBeInstanceOf(CancelledFailure);
      const [profile] = simulator.inventory().ddosProfiles;
      const protection = (await run.query(statusQuery)).steps.at(-1);
      expect(protection).toMatchObject({
        ...step,
        name: 'protect instance',
        resources: [{ kind: 'ddos-profile', id: String(profile?.id) }],
      });
    }),
  );

  it('says nothing of a part that has undone its work', () =>
    inScenario({ state: stateWithInstances([{ of: 1 }]) }, async ({ start, simulator, client }) => {
      const { opened, open } = createGate();
      simulator.faults.add({
        match: { method: 'POST', path: CREATE_PATH },
        action: { kind: 'delay', until: opened, afterProcessing: true },
      });
      const run = await start('replaceInstance', replaceInput());
      await until('the create call is sent', () =>
        simulator.inFlight().some(({ path }) => path === CREATE_PATH),
      );
      await run.cancel();
      open();

      expect(await endOfRun(run)).toBeInstanceOf(CancelledFailure);
      const part = client.workflow.getHandle(`${run.workflowId}/instance`);
      expect(await endOfRun(part)).toBeInstanceOf(CancelledFailure);
      expect((await run.query(statusQuery)).steps[1]).toMatchObject({
        state: 'undone',
        resources: [],
      });
    }));
});
