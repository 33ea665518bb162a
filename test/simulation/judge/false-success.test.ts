import { describe, expect, it } from '@jest/globals';

import type { Operation } from '../../../src/contract/wire/names.js';
import { provisionInput } from '../../support/inputs/provision-input.js';
import { protectInput, stateWithProfiles } from '../../support/inputs/protect-input.js';
import {
  dataVolumeOf,
  instanceIdOf,
  snapshotOf,
  snapshotsOf,
  stateWithInstances,
} from '../../support/worlds/instances.js';
import { createStage, namesOf, type Stage } from './support/stage.js';

const ADDRESS = '203.0.113.7';
const PROFILES = '/cloud/v1/ddos/profiles/1/1';
const ACTION = `POST /cloud/v2/instances/1/1/${instanceIdOf(1)}/action`;
const CONSOLE = { actor: 'console' };

const ofRemoval = { address: ADDRESS, profileId: null, before: null, taskIds: [], ledger: [] };

describe('false success', () => {
  it('notices a profile that is still there, unless somebody has made it meanwhile', async () => {
    const stage = createStage(stateWithProfiles([ADDRESS]));
    stage.run('removeProtection', { address: ADDRESS }).end('completed', { result: ofRemoval });
    expect(namesOf(stage.judge())).toEqual(['false success']);
    const other = createStage();
    const run = other.run('removeProtection', { address: ADDRESS });
    await other.call(run, `GET ${PROFILES}`);
    await other.done(CONSOLE, `POST ${PROFILES}`, protectInput().profile);
    run.end('completed', { result: { ...ofRemoval, address: protectInput().profile.ip_address } });
    expect(other.judge()).toEqual([]);
  });

  it.each([
    ['outcome-unknown', []],
    ['verified', ['false success']],
  ])('of a revert, what an earlier run has sent and left as %s', async (state, found) => {
    const rows = [{ of: 1, dataVolume: 'available' as const }];
    const stage = createStage({ ...stateWithInstances(rows), ...snapshotsOf(rows) });
    const input = { volumeId: dataVolumeOf(1), snapshotId: snapshotOf(1) };
    const run = stage.run('revertVolume', input);
    await stage.done(run, `POST /cloud/v1/volumes/1/1/${input.volumeId}/revert`, {});
    run.end('failed', { status: { phase: 'failed', steps: [{ name: 'revert volume', state }] } });
    stage.pass(3_600);
    const { workflowId } = run;
    const again = stage.run('revertVolume', input, { workflowId });
    again.end('completed', { result: { ...input, status: 'available', taskIds: [], ledger: [] } });

    expect(namesOf(stage.judge()).filter((name) => name === 'false success')).toEqual(found);
  });

  it('notices an instance that is called gone', () => {
    const result = {
      instanceId: instanceIdOf(1),
      name: null,
      alreadyGone: true,
      deleted: { instance: false, volumes: [], floatingIps: [] },
      kept: { volumes: [], floatingIps: [] },
      taskIds: [],
      ledger: [],
    };
    const input = { instanceId: instanceIdOf(1), volumes: 'keep', floatingIps: 'keep' };
    const stage = createStage(stateWithInstances([{ of: 1 }]));
    stage.run('deleteInstance', input).end('completed', { result });
    expect(namesOf(stage.judge())).toEqual(['false success']);
    const gone = createStage();
    gone.run('deleteInstance', input).end('completed', { result });
    expect(gone.judge()).toEqual([]);
  });

  it('asks a deletion for no address that the instance had lost before it began', async () => {
    const input = { instanceId: instanceIdOf(1), volumes: 'delete', floatingIps: 'delete' };
    const none = { volumes: [], floatingIps: [] };
    const result = {
      instanceId: instanceIdOf(1),
      name: null,
      alreadyGone: true,
      deleted: { instance: false, ...none },
      kept: none,
      taskIds: [],
      ledger: [],
    };
    const stage = createStage(stateWithInstances([{ of: 1 }]));
    await stage.done({ actor: 'somebody' }, `DELETE /cloud/v1/instances/1/1/${instanceIdOf(1)}`);
    stage.pass(3_600);
    stage.run('deleteInstance', input).end('completed', { result });
    expect(stage.judge()).toEqual([]);
  });

  it('notices that nobody has made what `madeBy` names', () => {
    const stage = createStage();
    const result = {
      instanceId: null,
      name: null,
      alreadyGone: true,
      deleted: { instance: false, volumes: [], floatingIps: [] },
      kept: { volumes: [], floatingIps: [] },
      taskIds: [],
      ledger: [],
    };
    const input = {
      madeBy: 'provision-instance/default/tpyo',
      volumes: 'delete',
      floatingIps: 'keep',
    };
    stage.run('deleteInstance', input).end('completed', { result });
    expect(namesOf(stage.judge())).toEqual(['false success']);
  });

  it('notices a volume that is still attached', async () => {
    const volumeId = dataVolumeOf(1);
    const input = { volumeId, instanceId: instanceIdOf(1) };
    const result = { ...input, status: 'available', taskIds: [], ledger: [] };
    const stage = createStage(stateWithInstances([{ of: 1 }]));
    stage.run('detachVolume', input).end('completed', { result });
    expect(namesOf(stage.judge())).toEqual(['false success']);
    const other = createStage(stateWithInstances([{ of: 1 }]));
    const run = other.run('detachVolume', input);
    await other.done(run, `POST /cloud/v2/volumes/1/1/${volumeId}/detach`, {
      instance_id: instanceIdOf(1),
    });
    run.end('completed', { result });
    expect(other.judge()).toEqual([]);
  });

  it('notices a restart that did not happen', async () => {
    const input = { instanceId: instanceIdOf(1), action: 'reboot' };
    const result = {
      instanceId: instanceIdOf(1),
      before: 'ACTIVE',
      status: 'ACTIVE',
      taskIds: [],
      ledger: [],
    };
    const stage = createStage(stateWithInstances([{ of: 1 }]));
    stage.run('setInstancePower', input).end('completed', { result });
    expect(namesOf(stage.judge())).toEqual(['false success']);
    const other = createStage(stateWithInstances([{ of: 1 }]));
    const run = other.run('setInstancePower', input);
    await other.done(run, ACTION, { action: 'reboot' });
    run.end('completed', { result });
    expect(other.judge()).toEqual([]);
  });

  it('notices that an instance is not up, and believes what others have changed', async () => {
    for (const [who, expected] of [
      ['nobody', []],
      ['run', ['false success']],
      ['console', []],
    ] as const) {
      const stage = createStage();
      const run = await provision(stage);
      const [made] = stage.cloud().instances;
      const stop = `POST /cloud/v2/instances/1/1/${made?.id}/action`;
      if (who === 'console') await stage.done(CONSOLE, stop, { action: 'stop' });
      if (who === 'run') await stage.done(run, stop, { action: 'stop' });
      run.end('completed', { result: resultOf(stage) });
      expect(namesOf(stage.judge())).toEqual(expected);
    }
  });

  it('excuses no more than what somebody else has changed', async () => {
    const stage = createStage();
    const run = await provision(stage);
    const [made] = stage.cloud().instances;
    await stage.call(CONSOLE, `PATCH /cloud/v1/instances/1/1/${made?.id}`, { name: 'renamed' });
    await stage.done(run, `POST /cloud/v2/instances/1/1/${made?.id}/action`, { action: 'stop' });
    run.end('completed', { result: resultOf(stage) });
    expect(stage.judge().map(({ says }) => says)).toEqual([
      expect.stringContaining('its instance is SHUTOFF'),
    ]);
  });

  it('notices a profile without its fields, one in error, and one that was not restored', async () => {
    const input = protectInput();
    const { profile } = input;
    const stage = createStage();
    const run = stage.run('protectIp', input);
    await stage.done(run, `POST ${PROFILES}`, profile);
    const [made] = stage.cloud().ddosProfiles;
    const state = {
      profile: { ...profile, fields: profile.fields ?? [] },
      active: true,
      bgp: true,
      status: 'Active',
    };
    const result = {
      profileId: Number(made?.id),
      created: true,
      before: null,
      after: state,
      status: 'Active',
      restored: false,
      taskIds: [],
      ledger: [],
    };
    run.end('completed', { result });
    expect(stage.judge()).toEqual([]);
    stage
      .run('protectIp', { ...input, profile: { ...profile, profile_template: 13 } })
      .end('completed', { result });
    stage
      .run('protectIp', { ...input, holdFor: '1 hour' })
      .end('completed', { result: { ...result, restored: true } });
    const status = { status: 'Error', error_description: '' };
    const cloud = stage.cloud();
    const ddosProfiles = cloud.ddosProfiles.map((row) => ({ ...row, status }));
    stage
      .run('protectIp', input)
      .end('completed', { result, cloudAtEnd: { ...cloud, ddosProfiles } });
    expect(stage.judge().map(({ says }) => says)).toEqual([
      expect.stringContaining('another template'),
      expect.stringContaining('the profile of its hold still exists'),
      expect.stringContaining('its profile is in error'),
    ]);
  });

  it('notices a call that counts as sent, where the API has done nothing', async () => {
    const path = `/cloud/v1/volumes/1/1/${dataVolumeOf(1)}`;
    const input = { method: 'PATCH', path, body: { name: 'other' } };
    const stage = createStage(stateWithInstances([{ of: 1, dataVolume: 'available' }]));
    const run = stage.run('callApi', input);
    await stage.call(run, `PATCH ${path}`, input.body);
    const told = { sent: true, created: [], value: null, undo: null, taskIds: [], ledger: [] };
    run.end('completed', { result: { ...told, method: input.method, path } });
    const { calls } = stage.evidence();
    const unreached = calls.map((call) => ({ ...call, hasReachedNothing: true as const }));

    expect(stage.judge()).toEqual([]);
    expect(namesOf(stage.judge({ calls: unreached }))).toContain('false success');
  });
});

describe('the report of a batch', () => {
  const items = [{ address: ADDRESS }];
  const counts = {
    asked: 1,
    succeeded: 1,
    failed: 0,
    pending: 0,
    untried: 0,
    warned: 0,
    byClass: {},
  };
  const report = {
    operation: 'removeProtection',
    account: 'default',
    lines: '1',
    succeeded: '1',
    before: '',
    failed: [],
    open: '',
    blocked: [],
    idPrefix: 'b',
    ids: [{ lines: '1', ids: ['b-1'] }],
  };
  const batchOf = (stage: Stage, rest: object = {}) =>
    stage.run(
      'runBatch',
      { operation: 'removeProtection', items, ...rest },
      { workflowId: 'run-batch/default/b' },
    );
  const itemOf = (stage: Stage) =>
    stage.run(
      'removeProtection',
      { address: ADDRESS },
      { workflowId: 'remove-protection/default/b-1' },
    );

  it('notices a line that is called done and is not', () => {
    for (const [state, expected] of [
      ['completed', []],
      ['failed', ['false success']],
    ] as const) {
      const stage = createStage();
      const batch = batchOf(stage);
      itemOf(stage).end(state, {
        result: { ...ofRemoval },
        failure: { type: 'InvalidRequest', details: [] },
      });
      batch.end('completed', { result: { counts, report, ledger: [] } });
      expect(namesOf(stage.judge())).toEqual(expected);
    }
  });

  it('notices a hold that was over before the list began, unless another one goes on', () => {
    const over = (goesOn: boolean) => {
      const stage = createStage();
      const hold = () =>
        stage.run(
          'protectIp',
          { address: ADDRESS, holdFor: '1 minute' },
          { workflowId: 'protect-ip/default/b-1' },
        );
      hold().end('completed', { result: { restored: true } });
      stage.pass(60);
      const batch = stage.run(
        'runBatch',
        { operation: 'protectIp', items },
        { workflowId: 'run-batch/default/b' },
      );
      if (goesOn) hold();
      const done = { counts, report: { ...report, operation: 'protectIp' }, ledger: [] };
      batch.end('completed', { result: done });
      return stage
        .judge()
        .filter(({ says }) => says.includes('whose hold was over before the list began'));
    };
    expect(over(false)).toHaveLength(1);
    expect(over(true)).toEqual([]);
  });

  it('notices a hold that has ended, unless a person has ended it once its address was protected', async () => {
    const ended = async (isProtected: boolean, isAsked: boolean) => {
      const stage = createStage();
      const batch = stage.run(
        'runBatch',
        { operation: 'protectIp', items },
        { workflowId: 'run-batch/default/b' },
      );
      const hold = stage.run(
        'protectIp',
        { address: ADDRESS, holdFor: '1 hour' },
        { workflowId: 'protect-ip/default/b-1' },
      );
      if (isProtected) await stage.done(hold, `POST ${PROFILES}`, protectInput().profile);
      if (isAsked) stage.ask('delete', hold.workflowId);
      hold.end('terminated');
      const done = { counts, report: { ...report, operation: 'protectIp' }, ledger: [] };
      batch.end('completed', { result: done });
      return stage.judge().filter(({ says }) => says.includes('and its run is terminated')).length;
    };
    expect(await ended(true, true)).toBe(0);
    expect(await ended(false, true)).toBe(1);
    expect(await ended(true, false)).toBe(1);
  });

  it('notices a repeated list of holds of which a caller hears that it is done', () => {
    const told = (operation: Operation, toldDoneAt: number[]) =>
      namesOf(
        createStage().judge({
          requests: [
            {
              operation: 'runBatch',
              workflowId: 'run-batch/default/b',
              input: { operation, items },
              byRun: undefined,
              toldDoneAt,
            },
          ],
        }),
      );
    expect(told('protectIp', [1])).toContain('false success');
    expect(told('protectIp', [])).not.toContain('false success');
    expect(told('createVolume', [1])).not.toContain('false success');
  });

  it('notices counts that do not add up, and more failures than are tolerated', () => {
    for (const wrong of [{ succeeded: 0 }, { asked: 2 }]) {
      const stage = createStage();
      const batch = batchOf(stage);
      itemOf(stage).end('completed', { result: ofRemoval });
      batch.end('completed', { result: { counts: { ...counts, ...wrong }, report, ledger: [] } });
      expect(namesOf(stage.judge())).toEqual(['false success']);
    }
  });
});

async function provision(stage: Stage) {
  const input = provisionInput();
  const run = stage.run('provisionInstance', input);
  await stage.done(run, 'POST /cloud/v2/instances/1/1', input.instance);
  const [made] = stage.cloud().instances;
  await stage.call(run, `GET /cloud/v1/instances/1/1/${made?.id}`);
  return run;
}

function resultOf(stage: Stage) {
  const [made] = stage.cloud().instances;
  const [volume] = stage.cloud().volumes;
  const resources = [
    { kind: 'instance', id: made?.id },
    { kind: 'volume', id: volume?.id },
  ];
  return {
    instanceId: made?.id,
    name: made?.name,
    status: 'ACTIVE',
    addresses: [],
    taskIds: [],
    adopted: false,
    ledger: [{ name: 'create instance', state: 'verified', taskIds: [], resources }],
  };
}
