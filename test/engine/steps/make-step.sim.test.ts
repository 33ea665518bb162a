import { describe, expect, it } from '@jest/globals';

import { MAKER_TAG, MARKER_TAG } from '../../../src/contract/wire/names.js';
import { resumeUpdate, statusQuery } from '../../../src/engine/core/messages.js';
import type { FaultAction } from '../../../src/simulator/index.js';
import { failureOfRun } from '../../support/runs/run-failure.js';
import { planOf } from '../../support/runs/plan-of.js';
import { inScenario, type Scenario } from '../../simulation/scenario.js';
import { untilBlocked } from '../../support/runs/until-blocked.js';
import { createGate } from '../../support/timing/gate.js';
import { until } from '../../support/timing/until.js';
import { dataVolumeOf, snapshotsOf, stateWithInstances } from '../../support/worlds/instances.js';
import { mostMadeAlone, mostPerMarker } from '../../support/worlds/marked.js';
import { createHeldLine } from '../../workflows/held-line.js';

/** A snapshot stands for every operation that makes one thing in one step: the rules are those of the engine. */
const STATE = stateWithInstances([{ of: 1 }, { of: 2 }]);
const WANTED = { volumeId: dataVolumeOf(1), name: 'before' };
const PATH = '/cloud/v1/snapshots/1/1';
const CREATE = { method: 'POST', path: PATH };
const REMOVE = { method: 'DELETE', path: /^\/cloud\/v1\/snapshots\// };

const idsOf = ({ simulator }: Scenario) => simulator.inventory().snapshots.map(({ id }) => id);

function onCreate({ simulator }: Scenario, action: FaultAction, times = 1): void {
  simulator.faults.add({ match: { ...CREATE, times }, action });
}

/** Lets the read that verifies the snapshot fail, of the watcher and then of the run, so that the run undoes its work. */
function refuseVerification({ simulator }: Scenario): void {
  const match = { method: 'GET', path: /^\/cloud\/v1\/snapshots\/1\/1\/./, times: 2 };
  simulator.faults.add({ match, action: { kind: 'status', status: 400 } });
}

/** A state with one snapshot of the volume that carries these tags. */
function stateWith(tags: Record<string, string>, status: 'available' | 'error' = 'available') {
  const { snapshots } = snapshotsOf([{ of: 1 }]);
  return { ...STATE, snapshots: snapshots.map((row) => ({ ...row, tags, status })) };
}

describe('a step that makes one thing', () => {
  it.each([
    ['the answer is lost', { kind: 'drop-response' }],
    ['the request is lost', { kind: 'drop-request' }],
    ['the call is carried out late', { kind: 'delay', ms: 2_300 }],
    ['the call is turned away', { kind: 'status', status: 503 }],
    ['lists show it late', { kind: 'list-lag', ms: 300 }],
  ] satisfies [string, FaultAction][])('makes one when %s', (_, action) => {
    const marked = mostPerMarker();
    return inScenario({ state: STATE, onChange: marked.see }, async (scenario) => {
      onCreate(scenario, action);
      const run = await scenario.start('snapshotVolume', WANTED);

      const { snapshotId } = await run.result();

      expect(idsOf(scenario)).toEqual([snapshotId]);
      expect(marked.most()).toBe(1);
    });
  });

  it('waits for a task that may be its lost call, while lists show nothing of it', () => {
    const marked = mostPerMarker();
    const options = { state: STATE, onChange: marked.see, speed: 10 };
    return inScenario(options, async (scenario) => {
      // A volume, because a second snapshot would be refused: the first one locks its volume.
      const match = { method: 'POST', path: '/cloud/v1/volumes/1/1', times: 1 };
      const { faults } = scenario.simulator;
      faults.add({ match, action: { kind: 'list-lag', ms: 60_000, tasksAtOnce: true } });
      faults.add({ match, action: { kind: 'slow-task', factor: 4 } });
      faults.add({ match, action: { kind: 'drop-response' } });
      const wanted = { source: 'new-volume', name: 'data', size: 20 } as const;
      const run = await scenario.start('createVolume', wanted);

      await run.result();

      expect(marked.most()).toBe(1);
      expect(scenario.mutations()).toHaveLength(1);
    });
  });

  it('fails when its task fails, and leaves nothing', () =>
    inScenario({ state: STATE }, async (scenario) => {
      onCreate(scenario, { kind: 'task-error', error: 'internal error' });
      const run = await scenario.start('snapshotVolume', WANTED);

      const failed = await failureOfRun(run);

      expect(failed).toMatchObject({ type: 'TaskFailed' });
      expect(failed.message).toContain('internal error');
      expect(idsOf(scenario)).toEqual([]);
      expect((await run.query(statusQuery)).steps).toMatchObject([
        { state: 'undone', resources: [] },
      ]);
    }));

  it('blocks while a quota is exceeded, and then sends the call again', () =>
    inScenario({ state: STATE }, async (scenario) => {
      onCreate(scenario, { kind: 'task-error', error: 'Quota limit exceeded' });
      const run = await scenario.start('snapshotVolume', WANTED);

      await untilBlocked(run, 'QuotaExceeded');
      await run.executeUpdate(resumeUpdate, { args: [{}] });

      const { snapshotId } = await run.result();
      expect(idsOf(scenario)).toEqual([snapshotId]);
      expect(scenario.mutations()).toHaveLength(2);
    }));

  it('removes what it made when it is cancelled, and verifies that it is gone', () =>
    inScenario({ state: STATE, record: 'snapshot-cancelled' }, async (scenario) => {
      const gate = createGate();
      onCreate(scenario, { kind: 'delay', until: gate.opened, afterProcessing: true });
      const run = await scenario.start('snapshotVolume', WANTED);
      await until('it is made', () => idsOf(scenario).length === 1);
      await run.cancel();
      gate.open();

      await expect(run.result()).rejects.toThrow();

      expect(idsOf(scenario)).toEqual([]);
      expect(await run.query(statusQuery)).toMatchObject({
        phase: 'cancelled',
        steps: [{ state: 'undone', resources: [] }],
      });
    }));

  it('names what it made until it is gone, and repeats a removal that fails', () =>
    inScenario({ state: STATE }, async (scenario) => {
      refuseVerification(scenario);
      const gate = createGate();
      const { faults } = scenario.simulator;
      faults.add({ match: REMOVE, action: { kind: 'task-error', error: 'busy' } });
      faults.add({ match: { ...REMOVE, nth: 2 }, action: { kind: 'delay', until: gate.opened } });
      const run = await scenario.start('snapshotVolume', WANTED);
      await until('it is removed again', () => {
        const sent = scenario.simulator.inFlight();
        return sent.some(({ method }) => method === 'DELETE');
      });
      const [step] = (await run.query(statusQuery)).steps;
      const [id] = idsOf(scenario);
      gate.open();

      const failed = await failureOfRun(run);

      expect(step?.resources).toEqual([{ kind: 'snapshot', id }]);
      expect(failed.type).toBe('InvalidRequest');
      expect(idsOf(scenario)).toEqual([]);
      expect((await run.query(statusQuery)).steps[0]?.resources).toEqual([]);
    }));

  it('looks whether it is gone when the last try before a person is asked was accepted', () =>
    inScenario({ state: STATE }, async (scenario) => {
      refuseVerification(scenario);
      const action = { kind: 'status', status: 409 } as const;
      scenario.simulator.faults.add({ match: { ...REMOVE, times: 9 }, action });
      const run = await scenario.start('snapshotVolume', { ...WANTED, onBlocked: 'fail' });

      await failureOfRun(run);

      expect(idsOf(scenario)).toEqual([]);
      expect((await run.query(statusQuery)).steps).toMatchObject([{ state: 'undone' }]);
    }));

  it('keeps it where the input says so, and the ledger names it', () =>
    inScenario({ state: STATE }, async (scenario) => {
      refuseVerification(scenario);
      const run = await scenario.start('snapshotVolume', { ...WANTED, onFailure: 'keep' });

      await failureOfRun(run);

      const [id] = idsOf(scenario);
      expect((await run.query(statusQuery)).steps).toMatchObject([
        { state: 'kept', resources: [{ kind: 'snapshot', id }] },
      ]);
    }));

  it('adopts what a terminated run of the request has sent, and does not undo it', () => {
    const marked = mostPerMarker();
    const line = createHeldLine('POST');
    const settings = {
      line: line.fetch,
      onChange: marked.see,
      timeoutMs: 10_000,
      state: STATE,
    };
    return inScenario(settings, async (scenario) => {
      const first = await scenario.start('snapshotVolume', WANTED, 'cut-short');
      await until('its call has left', line.isHeld);
      await first.terminate('by an operator');
      const before = line.looks();
      const second = await scenario.start('snapshotVolume', WANTED, 'cut-short');
      await until('the second run has looked', () => line.looks() > before);
      line.letGo();

      const { snapshotId, adopted } = await second.result();

      expect(adopted).toBe(true);
      expect(idsOf(scenario)).toEqual([snapshotId]);
      expect(marked.most()).toBe(1);
    });
  });

  it('leaves alone what it has adopted when it is cancelled', () => {
    const maker = { [MARKER_TAG]: 'default/again' };
    return inScenario({ state: stateWith(maker) }, async (scenario) => {
      const gate = createGate();
      const before = idsOf(scenario);
      const match = { method: 'GET', path: `${PATH}/${before[0]}`, times: 1 };
      scenario.simulator.faults.add({ match, action: { kind: 'delay', until: gate.opened } });
      const run = await scenario.start('snapshotVolume', WANTED, 'again');
      await until('it reads what it adopts', () =>
        scenario.simulator.inFlight().some(({ path }) => path === match.path),
      );
      await run.cancel();
      gate.open();

      await expect(run.result()).rejects.toThrow();

      expect(idsOf(scenario)).toEqual(before);
      expect(scenario.mutations()).toEqual([]);
    });
  });

  it('counts nothing with the marker of another cluster as its own', () => {
    const tags = { [MARKER_TAG]: 'default/again', [MAKER_TAG]: 'elsewhere/run' };
    return inScenario({ state: stateWith(tags) }, async (scenario) => {
      const run = await scenario.start('snapshotVolume', WANTED, 'again');

      const { snapshotId } = await run.result();

      expect(idsOf(scenario)).toHaveLength(2);
      expect(snapshotId).not.toBe(snapshotsOf([{ of: 1 }]).snapshots[0]?.id);
    });
  });

  it('does not touch a snapshot of the same name that another made', () =>
    inScenario({ state: stateWith({ team: 'media' }) }, async (scenario) => {
      const before = idsOf(scenario);
      refuseVerification(scenario);
      const run = await scenario.start('snapshotVolume', { ...WANTED, name: 'before-1' });

      await failureOfRun(run);

      expect(idsOf(scenario)).toEqual(before);
      expect(scenario.mutations()).toHaveLength(2);
    }));

  it('plans to adopt what carries the marker', () =>
    inScenario({ state: STATE, account: 'making' }, async (scenario) => {
      const workflowId = 'snapshot-volume/making/again';
      const run = await scenario.start('snapshotVolume', WANTED, workflowId);
      const { snapshotId } = await run.result();

      const plan = await planOf(scenario, 'snapshotVolume', { input: WANTED, requestId: 'again' });

      expect(plan).toMatchObject({
        ready: true,
        adopts: [{ kind: 'snapshot', id: snapshotId }],
        calls: [{ method: 'GET', path: PATH }],
      });
    }));

  it('blocks when a broken one may hold data of an earlier success', () =>
    inScenario({ state: stateWith({ [MARKER_TAG]: 'default/broken' }, 'error') }, async (s) => {
      const run = await s.start('snapshotVolume', { ...WANTED, onBlocked: 'fail' }, 'broken');

      const failed = await failureOfRun(run);

      expect(failed).toMatchObject({ type: 'OutcomeUnknown' });
      expect(failed.message).toContain('may have succeeded');
      expect(s.mutations()).toEqual([]);
      expect(idsOf(s)).toHaveLength(1);
    }));

  it('leaves a broken one alone that a run of the request made which has succeeded', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const { simulator } = scenario;
      await (await scenario.start('snapshotVolume', WANTED, 'succeeded')).result();
      const state = simulator.snapshot();
      const snapshots = state.snapshots.map((row) => ({ ...row, status: 'error' as const }));
      simulator.restore({ ...state, snapshots });
      const again = { ...WANTED, onBlocked: 'fail' } as const;

      const failed = await failureOfRun(await scenario.start('snapshotVolume', again, 'succeeded'));

      expect(failed).toMatchObject({ type: 'OutcomeUnknown' });
      expect(idsOf(scenario)).toEqual(snapshots.map(({ id }) => id));
      expect(scenario.mutations()).toHaveLength(1);
    }));

  it('takes a corrected input while it is blocked, and sends that', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const body = { exception_class: 'QuotaLimitExceed' };
      onCreate(scenario, { kind: 'status', status: 403, body });
      const run = await scenario.start('snapshotVolume', WANTED);
      await untilBlocked(run, 'QuotaExceeded');
      const input = { ...WANTED, volumeId: dataVolumeOf(2), account: scenario.account };
      await run.executeUpdate(resumeUpdate, { args: [{ input }] });

      const { volumeId } = await run.result();

      expect(volumeId).toBe(dataVolumeOf(2));
      const { simulator } = scenario;
      expect(simulator.inventory().snapshots).toMatchObject([{ volume_id: volumeId }]);
      expect(mostMadeAlone(simulator.snapshot())).toBe(1);
    }));
});
