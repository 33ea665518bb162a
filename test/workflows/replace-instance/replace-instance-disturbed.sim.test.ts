import { randomUUID } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';
import type { WorkflowHandle } from '@temporalio/client';
import { CancelledFailure } from '@temporalio/common';
import { z } from 'zod';

import {
  abortUpdate,
  pauseUpdate,
  resumeUpdate,
  statusQuery,
} from '../../../src/engine/core/messages.js';

import { callByHand } from '../../support/http/call-by-hand.js';
import { CREATE_PATH } from '../../support/inputs/provision-input.js';
import { replaceInput } from '../../support/operations/replace-instance.js';
import { replaceUnderKills } from '../../support/runs/replace-under-kills.js';
import { endOfRun, failureOfRun } from '../../support/runs/run-failure.js';
import { blockedAs } from '../../support/runs/until-blocked.js';
import { inScenario, type Scenario } from '../../simulation/scenario.js';
import { createGate } from '../../support/timing/gate.js';
import { until } from '../../support/timing/until.js';
import {
  dataVolumeOf,
  floatingIpOf,
  idsOf,
  instanceIdOf,
  portOf,
  stateWithInstances,
} from '../../support/worlds/instances.js';
import { holderIn, watchReplacement } from '../../support/worlds/replaced.js';

const STATE = stateWithInstances([{ of: 1 }]);
const STATE_OF_TWO = stateWithInstances([{ of: 1 }, { of: 2, floatingIp: 'apart' }]);
const STATE_WITH_LOOSE_VOLUME = stateWithInstances([{ of: 1 }, { of: 2, dataVolume: 'available' }]);
const OLD = instanceIdOf(1);
const INPUT = replaceInput({ deleteOld: { volumes: 'delete' } });
const CREATE = { method: 'POST', path: CREATE_PATH };
const MOVE = { method: 'PATCH', path: `/cloud/v2/floatingips/1/1/${floatingIpOf(1)}` };
const DELETE = { method: 'DELETE', path: `/cloud/v1/instances/1/1/${OLD}` };

const namesOf = ({ simulator }: Scenario) =>
  simulator.inventory().instances.map(({ name }) => name);
const sent = ({ mutations }: Scenario, { method, path }: typeof MOVE) =>
  mutations().filter((call) => call === `${method} ${path}`).length;

/** The cloud with what one test sees of it, from the first change to the last. */
function inWatched(test: (scenario: Scenario) => Promise<void>, state = STATE): Promise<void> {
  const { see, seen } = watchReplacement();
  return inScenario({ state, onChange: see }, async (scenario) => {
    await test(scenario);
    expect(seen).toEqual({ mostNew: 1, wasWithout: false });
  });
}

/** Somebody else moves the address. */
async function moveByHand({ api }: Scenario, port: string): Promise<void> {
  await callByHand(api, `PATCH ${MOVE.path}`, { port_id: port });
}

/** The new instance has one volume, which goes with it or not. */
function inputWithVolume(isBound: boolean): ReturnType<typeof replaceInput> {
  const { instance, ...rest } = replaceInput();
  const volumes = instance.volumes.map((volume) => ({
    ...volume,
    delete_on_termination: isBound,
  }));
  return { ...rest, instance: { ...instance, volumes } };
}

/** It may not have begun yet. */
function untilItIsBlocked(run: WorkflowHandle): Promise<void> {
  return until('it is blocked', () =>
    blockedAs(run).then(
      (type) => type !== undefined,
      () => false,
    ),
  );
}

const NO_DELETE = {
  match: { method: 'DELETE', times: Infinity },
  action: { kind: 'status', status: 403, body: { message: 'no' } },
} as const;
const NOT_UNDONE = {
  state: 'outcome-unknown',
  note: expect.stringContaining('could not be undone'),
};

/** The open ones of a run and of its parts. */
async function openRunsOf({ client }: Scenario, run: WorkflowHandle): Promise<string[]> {
  const left: string[] = [];
  for await (const { workflowId } of client.workflow.list({ query: 'CloseTime IS NULL' }))
    left.push(workflowId);
  return left.filter((id) => id.startsWith(run.workflowId));
}

/** A replacement whose move waits for its answer. */
async function heldInMove({ simulator, start }: Scenario, input = INPUT) {
  const gate = createGate();
  simulator.faults.add({ match: MOVE, action: { kind: 'delay', until: gate.opened } });
  const run = await start('replaceInstance', input);
  await until('the move is sent', () =>
    simulator.inFlight().some(({ path }) => path === MOVE.path),
  );
  return { run, letGo: gate.open };
}

describe('replaceInstance', () => {
  it.each([
    ['the address', MOVE.path.replace('v2', 'v1')],
    ['the ports', /interfaces$/],
  ])('keeps its new instance when one look does not find %s', (_of, path) =>
    inWatched(async (scenario) => {
      const gate = createGate();
      scenario.simulator.faults.add({
        match: CREATE,
        action: { kind: 'delay', until: gate.opened },
      });
      const run = await scenario.start('replaceInstance', INPUT);
      await until('the create is sent', () =>
        scenario.simulator.inFlight().some((call) => call.path === CREATE.path),
      );
      scenario.simulator.faults.add({
        match: { method: 'GET', path, times: 1 },
        action: { kind: 'status', status: 404 },
      });
      gate.open();

      expect(await run.result()).toMatchObject({ old: { isDeleted: true } });
      expect(sent(scenario, CREATE)).toBe(1);
    }),
  );

  it.each([
    ['the creation', CREATE],
    ['the move', MOVE],
    ['the deletion', DELETE],
  ])('replaces once when the answer of %s is lost', (_title, match) =>
    inWatched(async (scenario) => {
      scenario.simulator.faults.add({ match, action: { kind: 'drop-response' } });

      const run = await scenario.start('replaceInstance', INPUT);

      expect(await run.result()).toMatchObject({ old: { isDeleted: true } });
      expect(namesOf(scenario)).toEqual(['web-new']);
      expect([CREATE, MOVE].map((call) => sent(scenario, call))).toEqual([1, 1]);
    }),
  );

  it.each([
    ['of the address', `/cloud/v1/floatingips/1/1/${floatingIpOf(1)}`],
    ['of the address, and of the ports of the new instance', /floatingips\/1\/1\/.|\/interfaces$/],
  ])(
    'never leaves the address without an instance when reads %s say 404 after the move',
    (_, path) =>
      inWatched(async (scenario) => {
        const { simulator, start } = scenario;
        const run = await start('replaceInstance', INPUT);
        await until('the move is sent', () => sent(scenario, MOVE) > 0);
        simulator.faults.add({
          match: { method: 'GET', path, times: Infinity },
          action: { kind: 'status', status: 404 },
        });

        const { details } = await failureOfRun(run);

        const { instances } = simulator.inventory();
        const made = instances.find(({ name }) => name === 'web-new');
        expect(holderIn(simulator.snapshot())).toBe(made?.id);
        expect(details.resources).toContainEqual({ kind: 'instance', id: made?.id });
      }),
  );

  it('deletes no instance that it has only taken over, and no volume of somebody else', () =>
    inScenario({ state: STATE_WITH_LOOSE_VOLUME }, async ({ start, simulator, mutations }) => {
      simulator.faults.add({
        match: { ...MOVE, times: Infinity },
        action: { kind: 'status', status: 400, body: { message: 'no' } },
      });
      const id = `replace-${randomUUID()}`;
      const first = await start('replaceInstance', replaceInput({ onFailure: 'keep' }), id);
      await endOfRun(first);
      const made = simulator.inventory().instances.find(({ name }) => name === 'web-new');
      const attached = { volumeId: dataVolumeOf(2), instanceId: made?.id ?? '' };
      await (await start('attachVolume', { projectId: 1, regionId: 1, ...attached })).result();

      const again = await start('replaceInstance', replaceInput(), id);
      const { details } = await failureOfRun(again);

      const { instances, volumes } = simulator.inventory();
      expect(instances.map(({ name }) => name)).toContain('web-new');
      expect(volumes.map(({ id: volumeId }) => volumeId)).toContain(dataVolumeOf(2));
      expect(mutations().filter((call) => call.startsWith('DELETE'))).toEqual([]);
      expect(details.resources?.map(({ kind }) => kind)).toEqual(['instance', 'volume']);
      expect(details.resources).not.toContainEqual({ kind: 'volume', id: dataVolumeOf(2) });
      expect((await again.query(statusQuery)).steps[1]).toMatchObject({
        state: 'kept',
        note: 'it was there before this run',
      });
    }));

  it('moves the address back before it deletes the new instance, when it is cancelled in the move', () =>
    inWatched(async (scenario) => {
      const { run, letGo } = await heldInMove(scenario);

      await run.cancel();
      letGo();

      expect(await endOfRun(run)).toBeInstanceOf(CancelledFailure);
      expect(namesOf(scenario)).toEqual(['web-1']);
      expect(holderIn(scenario.simulator.snapshot())).toBe(OLD);
      expect(sent(scenario, MOVE)).toBe(2);
    }));

  it.each([
    ['attached', false],
    ['bound to it', true],
  ])('undoes no volume of which somebody has taken a snapshot: %s', (_, isBound) =>
    inWatched(async (scenario) => {
      const { api, client, simulator } = scenario;
      const { run, letGo } = await heldInMove(scenario, inputWithVolume(isBound));
      const volumes = () => simulator.inventory().volumes.map(({ id }) => id);
      const [made = ''] = volumes().filter((id) => !idsOf(1).includes(id));
      await callByHand(api, 'POST /cloud/v1/snapshots/1/1', { name: 'mine', volume_id: made });
      await until('it is taken', () => simulator.inventory().snapshots[0]?.status === 'available');
      await run.cancel();
      letGo();
      const undo = client.workflow.getHandle(`${run.workflowId}/undo`);
      await untilItIsBlocked(undo);
      expect(await blockedAs(undo)).toBe('RemovalBlocked');
      const [{ id } = { id: '' }] = simulator.inventory().snapshots;
      expect(volumes()).toContain(made);

      await callByHand(api, `DELETE /cloud/v1/snapshots/1/1/${id}`);
      await until('it is gone', () => simulator.inventory().snapshots.length === 0);
      await undo.executeUpdate(resumeUpdate, { args: [{}] });

      expect(await endOfRun(run)).toBeInstanceOf(CancelledFailure);
      expect(namesOf(scenario)).toEqual(['web-1']);
      expect(volumes()).not.toContain(made);
    }),
  );

  it.each([
    ['before it undoes its work', true],
    ['while it undoes its work', false],
  ])('ends when it is aborted %s, although a part of that is blocked', (_, isBefore) =>
    inWatched(async (scenario) => {
      const { client, simulator } = scenario;
      const { run, letGo } = await heldInMove(scenario);
      simulator.faults.add(NO_DELETE);
      if (isBefore) await run.executeUpdate(abortUpdate, { args: [{}] });
      else await run.cancel();
      letGo();
      if (!isBefore) {
        const undo = client.workflow.getHandle(`${run.workflowId}/undo`);
        await untilItIsBlocked(undo);
        await run.executeUpdate(abortUpdate, { args: [{}] });
      }

      await endOfRun(run);

      expect((await run.query(statusQuery)).steps[1]).toMatchObject(NOT_UNDONE);
      expect(namesOf(scenario)).toEqual(['web-1', 'web-new']);
      expect(await openRunsOf(scenario, run)).toEqual([]);
    }),
  );

  it('ends at its deadline although a part that undoes its work is blocked', () =>
    inWatched(async (scenario) => {
      const { client, simulator } = scenario;
      const { run, letGo } = await heldInMove(scenario, { ...INPUT, deadline: '1 minute' });
      simulator.faults.add(NO_DELETE);
      await run.cancel();
      letGo();
      await untilItIsBlocked(client.workflow.getHandle(`${run.workflowId}/undo`));

      await endOfRun(run);

      expect((await run.query(statusQuery)).steps[1]).toMatchObject(NOT_UNDONE);
      expect(await openRunsOf(scenario, run)).toEqual([]);
    }));

  it.each([
    ['aborts', (undo: WorkflowHandle) => undo.executeUpdate(abortUpdate, { args: [{}] })],
    ['cancels', (undo: WorkflowHandle) => undo.cancel()],
  ])('does not begin a part again that somebody %s while it undoes', (_, end) =>
    inWatched(async (scenario) => {
      const { client, simulator } = scenario;
      const { run, letGo } = await heldInMove(scenario);
      simulator.faults.add(NO_DELETE);
      await run.cancel();
      letGo();
      const undo = client.workflow.getHandle(`${run.workflowId}/undo`);
      await untilItIsBlocked(undo);
      const { runId } = await undo.describe();
      await end(undo);

      await endOfRun(run);

      expect((await run.query(statusQuery)).steps[1]).toMatchObject(NOT_UNDONE);
      expect((await undo.describe()).runId).toBe(runId);
    }),
  );

  it('keeps the new instance when the address cannot be moved back', () =>
    inWatched(async (scenario) => {
      const refused = {
        kind: 'status',
        status: 400,
        body: { message: 'The port is gone' },
      } as const;
      scenario.simulator.faults.add({
        match: { ...MOVE, nth: 2, times: Infinity },
        action: refused,
      });
      const { run, letGo } = await heldInMove(scenario);

      await run.cancel();
      letGo();

      expect(await endOfRun(run)).toBeInstanceOf(CancelledFailure);
      expect(namesOf(scenario)).toEqual(['web-1', 'web-new']);
      expect(holderIn(scenario.simulator.snapshot())).not.toBe(OLD);
    }));

  it('takes it from nobody either when one answer has not said where it was', () =>
    inWatched(async (scenario) => {
      const { api, simulator, start } = scenario;
      const look = { method: 'GET', path: `/cloud/v1/floatingips/1/1/${floatingIpOf(1)}` };
      const shown = await callByHand(api, `${look.method} ${look.path}`);
      const body = { ...z.looseObject({}).parse(shown), port_id: null, fixed_ip_address: null };
      const gate = createGate();
      const held = { kind: 'delay', until: gate.opened } as const;
      // The look before the move, one that makes sure of it, and that of the move itself.
      simulator.faults.add({
        match: { ...look, nth: 2 },
        action: { kind: 'status', status: 200, body },
      });
      simulator.faults.add({ match: { ...look, nth: 4 }, action: held });
      const run = await start('replaceInstance', INPUT);
      await until('the move looks', () =>
        simulator.inFlight().some(({ path }) => path === look.path),
      );

      await moveByHand(scenario, portOf(2));
      await until('it is moved', () => holderIn(simulator.snapshot()) === instanceIdOf(2));
      gate.open();

      expect(await failureOfRun(run)).toMatchObject({ type: 'InvalidRequest' });
      expect(holderIn(simulator.snapshot())).toBe(instanceIdOf(2));
    }, STATE_OF_TWO));

  it('takes the address from nobody who has got it meanwhile', () =>
    inWatched(async (scenario) => {
      const gate = createGate();
      const action = { kind: 'delay', until: gate.opened } as const;
      scenario.simulator.faults.add({ match: CREATE, action });
      const run = await scenario.start('replaceInstance', INPUT);
      await until('the creation is sent', () => scenario.simulator.inFlight().length > 0);

      await moveByHand(scenario, portOf(2));
      gate.open();

      expect(await failureOfRun(run)).toMatchObject({
        type: 'InvalidRequest',
        details: { step: 'move floating IP', resources: [] },
      });
      expect(namesOf(scenario)).toEqual(['web-1', 'web-2']);
      expect(holderIn(scenario.simulator.snapshot())).toBe(instanceIdOf(2));
    }, STATE_OF_TWO));

  it('does not delete the old instance when somebody has moved the address back to it', () =>
    inWatched(async (scenario) => {
      const { run, letGo } = await heldInMove(scenario);
      await run.executeUpdate(pauseUpdate);
      letGo();
      const holder = () => holderIn(scenario.simulator.snapshot());
      await until('the address is moved', () => holder() !== OLD);
      await until('the run of the move has ended', async () => {
        const move = scenario.client.workflow.getHandle(`${run.workflowId}/move`);
        return (await move.describe()).closeTime !== undefined;
      });

      await moveByHand(scenario, portOf(1));
      await until('it is moved back', () => holder() === OLD);
      await run.executeUpdate(resumeUpdate, { args: [{}] });

      expect(await failureOfRun(run)).toMatchObject({
        type: 'InvalidRequest',
        message: expect.stringContaining('is not deleted'),
      });
      expect(namesOf(scenario)).toEqual(['web-1']);
    }));

  it('does not delete the old instance when the address goes back to it in a pause after the last look', () =>
    inWatched(async (scenario) => {
      const { simulator } = scenario;
      const { run, letGo } = await heldInMove(scenario);
      await run.executeUpdate(pauseUpdate);
      letGo();
      await until('the run of the move has ended', async () => {
        const move = scenario.client.workflow.getHandle(`${run.workflowId}/move`);
        return (await move.describe()).closeTime !== undefined;
      });
      const gate = createGate();
      const ports = { method: 'GET', path: /\/interfaces$/ };
      simulator.faults.add({ match: ports, action: { kind: 'delay', until: gate.opened } });
      await run.executeUpdate(resumeUpdate, { args: [{}] });
      await until('the last look', () =>
        simulator.inFlight().some(({ path }) => ports.path.test(path)),
      );
      await run.executeUpdate(pauseUpdate);
      gate.open();
      await moveByHand(scenario, portOf(1));
      await until('it is moved back', () => holderIn(simulator.snapshot()) === OLD);

      await run.executeUpdate(resumeUpdate, { args: [{}] });

      expect(await failureOfRun(run)).toMatchObject({
        type: 'InvalidRequest',
        message: expect.stringContaining('is not deleted'),
      });
      expect(namesOf(scenario)).toEqual(['web-1']);
    }));

  it('does not delete the old instance when the address goes back to it while its deletion begins', () =>
    inWatched(async (scenario) => {
      const { simulator } = scenario;
      const gate = createGate();
      const userAgent = /\/delete\)$/;
      const match = { method: 'GET', path: new RegExp(`/instances/1/1/${OLD}$`), userAgent };
      simulator.faults.add({ match, action: { kind: 'delay', until: gate.opened } });
      const run = await scenario.start('replaceInstance', INPUT);
      await until('the deletion has begun', () =>
        simulator.inFlight().some(({ path }) => match.path.test(path)),
      );

      await moveByHand(scenario, portOf(1));
      await until('it is moved back', () => holderIn(simulator.snapshot()) === OLD);
      gate.open();

      expect(await failureOfRun(run)).toMatchObject({
        type: 'InvalidRequest',
        details: { step: 'delete old instance' },
      });
      expect(namesOf(scenario)).toEqual(['web-1', 'web-new']);
    }));

  it('undoes nothing when the old instance cannot be deleted, and takes the new one over at the next try', () =>
    inWatched(async (scenario) => {
      const busy = { kind: 'status', status: 400, body: { message: 'It is protected' } } as const;
      scenario.simulator.faults.add({ match: { ...DELETE, times: Infinity }, action: busy });
      const id = `again-${randomUUID()}`;
      const failed = await scenario.start('replaceInstance', INPUT, id);

      expect(await failureOfRun(failed)).toMatchObject({
        type: 'InvalidRequest',
        details: { step: 'delete old instance' },
      });
      expect(namesOf(scenario)).toEqual(['web-1', 'web-new']);
      expect(holderIn(scenario.simulator.snapshot())).not.toBe(OLD);
      scenario.simulator.faults.clear();
      const again = await scenario.start('replaceInstance', INPUT, id);
      expect(await again.result()).toMatchObject({ old: { isDeleted: true } });
      expect(namesOf(scenario)).toEqual(['web-new']);
      expect([CREATE, MOVE].map((call) => sent(scenario, call))).toEqual([1, 1]);
    }));

  it.each([
    ['terminated', (move: WorkflowHandle) => move.terminate(), 'OutcomeUnknown'],
    [
      'aborted',
      (move: WorkflowHandle) => move.executeUpdate(abortUpdate, { args: [{}] }),
      'Aborted',
    ],
  ])('deletes no new instance after its move was %s while it was sent', (_title, end, type) =>
    inWatched(async (scenario) => {
      const { run, letGo } = await heldInMove(scenario);

      await end(scenario.client.workflow.getHandle(`${run.workflowId}/move`));

      expect(await failureOfRun(run)).toMatchObject({
        type,
        details: { step: 'move floating IP' },
      });
      expect(namesOf(scenario)).toEqual(['web-1', 'web-new']);
      letGo();
    }),
  );

  it('has one new instance with the address when its worker is killed', async () => {
    const figures = await replaceUnderKills({ kills: 1 });

    expect(figures).toMatchObject({ kills: 1, names: ['web-new'], isMoved: true, histories: 1 });
  });
});
