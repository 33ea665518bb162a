import { describe, expect, it } from '@jest/globals';

import { replaceInput } from '../../support/operations/replace-instance.js';
import { stateWithProfiles } from '../../support/inputs/protect-input.js';
import {
  bootVolumeOf,
  dataVolumeOf,
  floatingIpOf,
  instanceIdOf,
  partsOfInstances,
  stateWithInstances,
} from '../../support/worlds/instances.js';
import { stateWithStorages } from '../../support/worlds/sftp-storages.js';
import { createStage, namesOf } from './support/stage.js';

const PROFILES = '/cloud/v1/ddos/profiles/1/1';
const KEYS = '/storage/v4/ssh_keys';

const instance = (of: number): string => `/cloud/v1/instances/1/1/${instanceIdOf(of)}`;

describe('a call that no operation makes', () => {
  it('is noticed, unless it has reached nothing', async () => {
    const stage = createStage();
    const run = stage.run('listSshKeys', {});
    await stage.call(run, 'GET /storage/v4/ssh_keys');
    const unknown = { method: 'POST', path: '/cloud/v9/unknown' };
    const calls = stage.evidence().calls.map((call) => ({ ...call, ...unknown }));
    const unreached = calls.map((call) => ({ ...call, hasReachedNothing: true as const }));

    expect(namesOf(stage.judge({ calls }))).toEqual(['stranger changed']);
    expect(stage.judge({ calls: unreached })).toEqual([]);
  });
});

describe("somebody else's deleted", () => {
  it('notices an instance that the input does not name', async () => {
    const stage = createStage(stateWithInstances([{ of: 1 }, { of: 2 }]));
    const input = { instanceId: instanceIdOf(1), volumes: 'keep', floatingIps: 'keep' };
    const run = stage.run('deleteInstance', input);
    await stage.done(run, `DELETE ${instance(1)}`);
    expect(stage.judge()).toEqual([]);
    await stage.done(run, `DELETE ${instance(2)}`);
    expect(namesOf(stage.judge())).toEqual(["somebody else's deleted"]);
  });

  it('notices a volume that was to be kept', async () => {
    const stage = createStage(stateWithInstances([{ of: 1 }]));
    const input = {
      instanceId: instanceIdOf(1),
      volumes: [bootVolumeOf(1)],
      floatingIps: 'delete',
    };
    const run = stage.run('deleteInstance', input);
    await stage.done(run, `DELETE ${instance(1)}?volumes=${bootVolumeOf(1)},${dataVolumeOf(1)}`);
    expect(namesOf(stage.judge())).toEqual(["somebody else's deleted"]);
  });

  it('notices a volume that another machine holds too', async () => {
    const parts = partsOfInstances([{ of: 1 }, { of: 2 }]);
    const shared = { id: dataVolumeOf(1), deleteOnTermination: false };
    const instances = parts.instances.map((row) =>
      row.id === instanceIdOf(2) ? { ...row, volumes: [...row.volumes, shared] } : row,
    );
    const stage = createStage({ ...parts, instances });
    const run = stage.run('deleteInstance', {
      instanceId: instanceIdOf(1),
      volumes: 'delete',
      floatingIps: 'keep',
    });
    await stage.done(run, `DELETE ${instance(1)}?volumes=${bootVolumeOf(1)},${dataVolumeOf(1)}`);
    expect(namesOf(stage.judge())).toContain("somebody else's deleted");
  });

  it('notices an instance that has the address that keeps it', async () => {
    const stage = createStage(stateWithInstances([{ of: 1 }]));
    const run = stage.run('deleteInstance', {
      instanceId: instanceIdOf(1),
      volumes: 'keep',
      floatingIps: 'keep',
      unlessFloatingIpId: floatingIpOf(1),
    });
    await stage.done(run, `DELETE ${instance(1)}`);
    expect(namesOf(stage.judge())).toEqual(["somebody else's deleted"]);
  });

  it('notices a key that a storage has, and lets one go that was linked just now', async () => {
    const state = stateWithStorages([{ name: 'a' }, { name: 'b' }], [{ id: 7, sshKeyIds: [1] }]);
    for (const [keyId, expected] of [
      [1, ["somebody else's deleted"]],
      [2, []],
    ] as const) {
      const stage = createStage(state);
      const run = stage.run('deleteSshKey', { keyId });
      await stage.call({ actor: 'console' }, 'PATCH /storage/v4/sftp_storages/7', {
        ssh_key_ids: [1, 2],
      });
      await stage.call(run, `DELETE ${KEYS}/${keyId}`);
      expect(namesOf(stage.judge())).toEqual(expected);
    }
  });

  it('notices the profile of another address, and of several one that nobody has named', async () => {
    const state = stateWithProfiles(['203.0.113.5', '203.0.113.6', '203.0.113.6']);
    const rows = state.ddosProfiles.map((row, index) => ({ ...row, id: String(index + 1) }));
    for (const [id, address, expected] of [
      ['1', '203.0.113.5', []],
      ['1', '203.0.113.6', ["somebody else's deleted"]],
      ['2', '203.0.113.6', ["somebody else's deleted"]],
    ] as const) {
      const stage = createStage({ ...state, ddosProfiles: rows });
      const run = stage.run('removeProtection', { address });
      await stage.done(run, `DELETE ${PROFILES}/${id}`);
      expect(namesOf(stage.judge())).toEqual(expected);
    }
  });

  it('lets a run delete what its request has made, and no other request', async () => {
    const stage = createStage();
    const volume = { source: 'new-volume', name: 'data-1', size: 5 };
    const run = stage.run('createVolume', volume);
    await stage.done(run, 'POST /cloud/v1/volumes/1/1', volume);
    const [made] = stage.cloud().volumes;
    const other = stage.run('createVolume', volume);
    const path = `/cloud/v1/volumes/1/1/${made?.id}`;
    await stage.done(other, `DELETE ${path}`);
    expect(namesOf(stage.judge())).toEqual(["somebody else's deleted"]);
  });
});

describe('stranger changed', () => {
  it('notices a field that the definition does not have', async () => {
    const stage = createStage(stateWithInstances([{ of: 1, dataVolume: 'available' }]));
    const volumeId = dataVolumeOf(1);
    const run = stage.run('attachVolume', { volumeId, instanceId: instanceIdOf(1) });
    const attach = `POST /cloud/v2/volumes/1/1/${volumeId}/attach`;
    await stage.done(run, attach, { instance_id: instanceIdOf(1) });
    expect(stage.judge()).toEqual([]);
    await stage.call(run, `PATCH /cloud/v1/volumes/1/1/${volumeId}`, { name: 'renamed' });
    expect(namesOf(stage.judge())).toEqual(['stranger changed']);
  });

  it('notices a key of others that a grant takes away', async () => {
    const state = stateWithStorages([{ name: 'a' }, { name: 'b' }], [{ id: 7, sshKeyIds: [1] }]);
    for (const [ssh_key_ids, expected] of [
      [[1, 2], []],
      [[2], ['stranger changed']],
    ] as const) {
      const stage = createStage(state);
      const run = stage.run('grantSftpAccess', { storageId: 7, keyNames: ['b'] });
      await stage.call(run, 'PATCH /storage/v4/sftp_storages/7', { ssh_key_ids });
      expect(namesOf(stage.judge())).toEqual(expected);
    }
  });

  it('notices a name that somebody has given a video, and that a run takes back', async () => {
    const state = createStage();
    await state.call({ actor: 'console' }, 'POST /streaming/videos', { video: { name: 'first' } });
    const [video] = state.cloud().videos;
    for (const [name, expected] of [
      ['first', []],
      ['second', ['stranger changed']],
    ] as const) {
      const stage = createStage(state.cloud());
      const run = stage.run('updateVideo', { videoId: Number(video?.id), description: 'new' });
      await stage.call(run, `PATCH /streaming/videos/${video?.id}`, { name, description: 'new' });
      expect(namesOf(stage.judge())).toEqual(expected);
    }
  });

  it('leaves other actors to themselves', async () => {
    const stage = createStage(stateWithInstances([{ of: 1 }]));
    await stage.done({ actor: 'console' }, `DELETE ${instance(1)}`);
    expect(stage.judge()).toEqual([]);
  });

  it('notices a row that has changed without any call', () => {
    const stage = createStage(stateWithInstances([{ of: 1 }]));
    const after = stage.cloud();
    const renamed = after.volumes.map((row) => ({ ...row, name: 'other' }));
    expect(namesOf(stage.judge({ after: { ...after, volumes: renamed } }))).toEqual([
      'stranger changed',
    ]);
    expect(namesOf(stage.judge({ after: { ...after, instances: [] } }))).toEqual([
      'stranger changed',
    ]);
  });

  it('holds a part of a replacement to what the replacement may do', async () => {
    const stage = createStage(stateWithInstances([{ of: 1 }]));
    const input = { ...replaceInput(), deleteOld: { volumes: 'keep' } };
    const root = stage.run('replaceInstance', input);
    const part = { instanceId: instanceIdOf(1), volumes: 'keep', floatingIps: 'keep' };
    const run = stage.run('deleteInstance', part, { workflowId: `${root.workflowId}/delete` });
    // The floating IP still leads to it.
    await stage.done(run, `DELETE ${instance(1)}`);
    expect(namesOf(stage.judge())).toEqual(["somebody else's deleted"]);
  });
});
