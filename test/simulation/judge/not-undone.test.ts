import { describe, expect, it } from '@jest/globals';

import { protectInput, stateWithProfiles } from '../../support/inputs/protect-input.js';
import { stateWithStorages } from '../../support/worlds/sftp-storages.js';
import { createStage, namesOf, type Stage } from './support/stage.js';

const volume = { source: 'new-volume', name: 'data-1', size: 5 };
const REFUSED = { type: 'InvalidRequest', message: '', details: [{ advice: '' }] };

const statusOf = (phase: string, resources: readonly object[], state = 'failed') => ({
  phase,
  steps: [{ name: 'create', state, taskIds: [], resources }],
});

async function made(stage: Stage) {
  const run = stage.run('createVolume', volume);
  await stage.done(run, 'POST /cloud/v1/volumes/1/1', volume);
  const id = stage.cloud().volumes[0]?.id ?? '';
  return { run, id };
}

describe('not undone', () => {
  it('notices what a failed run has made and does not name', async () => {
    const stage = createStage();
    const { run, id } = await made(stage);
    run.end('failed', { failure: REFUSED, status: statusOf('failed', []) });
    expect(namesOf(stage.judge())).toEqual(['not undone']);
    run.end('failed', { status: statusOf('failed', [{ kind: 'volume', id }]) });
    expect(stage.judge()).toEqual([]);
  });

  it('lets a success tell what an earlier run has left, and nothing else in words', async () => {
    const stage = createStage();
    const { run, id } = await made(stage);
    const noted = (note: string) => ({ phase: 'succeeded', steps: [{ name: 'create', note }] });
    run.end('completed', { status: noted(`it has made volume ${id}`) });
    expect(namesOf(stage.judge())).toContain('ledger');
    run.end('completed', { status: noted(`an earlier run has left volume ${id}: delete it`) });
    expect(namesOf(stage.judge())).not.toContain('ledger');
  });

  it('notices what a call makes that arrives after the end', async () => {
    const stage = createStage();
    const run = stage.run('createVolume', volume);
    run.end('failed', { failure: REFUSED, status: statusOf('failed', []) });
    stage.pass(1);
    await stage.done(run, 'POST /cloud/v1/volumes/1/1', volume);
    expect(namesOf(stage.judge())).toEqual(['not undone']);
    const id = stage.cloud().volumes[0]?.id;
    await stage.done({ actor: 'console' }, `DELETE /cloud/v1/volumes/1/1/${id}`);
    expect(stage.judge()).toEqual([]);
  });

  it('lets the failure name it, or nobody where nobody can know', async () => {
    const stage = createStage();
    const { run, id } = await made(stage);
    const status = statusOf('failed', []);
    const resources = [{ kind: 'volume', id }];
    run.end('failed', { status, failure: { ...REFUSED, details: [{ advice: '', resources }] } });
    expect(stage.judge()).toEqual([]);
    run.end('failed', { status: statusOf('failed', [], 'outcome-unknown'), failure: REFUSED });
    expect(stage.judge()).toEqual([]);
  });

  it('lets go what the run has removed, or somebody else has taken over', async () => {
    for (const who of ['run', 'console'] as const) {
      const stage = createStage();
      const { run, id } = await made(stage);
      if (who === 'run') await stage.done(run, `DELETE /cloud/v1/volumes/1/1/${id}`);
      else
        await stage.call({ actor: 'console' }, `PATCH /cloud/v1/volumes/1/1/${id}`, {
          name: 'mine',
        });
      run.end('failed', { failure: REFUSED, status: statusOf('failed', []) });
      expect(stage.judge()).toEqual([]);
    }
  });

  it('notices a profile that was not put back', async () => {
    const input = protectInput();
    const { ip_address: address } = input.profile;
    const stage = createStage(stateWithProfiles([address]));
    const [before] = stage.cloud().ddosProfiles;
    const run = stage.run('protectIp', input);
    const path = `PATCH /cloud/v1/ddos/profiles/1/1/${before?.id}`;
    await stage.done(run, path, input.profile);
    run.end('failed', { failure: REFUSED, status: statusOf('failed', []) });
    expect(namesOf(stage.judge())).toEqual(['not undone']);
    await stage.done(run, path, {
      ip_address: address,
      profile_template: before?.templateId,
      fields: before?.fields.map(({ base_field, field_value }) => ({ base_field, field_value })),
    });
    run.end('failed');
    expect(stage.judge()).toEqual([]);
  });

  it('notices a key that is still linked', async () => {
    const state = stateWithStorages([{ name: 'a' }, { name: 'b' }], [{ id: 7, sshKeyIds: [1] }]);
    const stage = createStage(state);
    const run = stage.run('grantSftpAccess', { storageId: 7, keyNames: ['b'] });
    const path = 'PATCH /storage/v4/sftp_storages/7';
    await stage.call(run, path, { ssh_key_ids: [1, 2] });
    run.end('cancelled', { status: statusOf('cancelled', []) });
    stage.ask('cancel', run.workflowId);
    expect(namesOf(stage.judge())).toContain('not undone');
    await stage.call(run, path, { ssh_key_ids: [1] });
    run.end('cancelled');
    expect(namesOf(stage.judge())).toEqual([]);
  });
});

describe('ledger', () => {
  const result = {
    name: 'data-1',
    size: 5,
    typeName: 'standard',
    status: 'available',
    adopted: false,
    taskIds: [],
    ledger: [],
  };

  it('notices something that a success has made and does not name, or names although it is gone', async () => {
    const stage = createStage();
    const { run, id } = await made(stage);
    const named = [{ kind: 'volume', id }];
    run.end('completed', {
      result: { ...result, volumeId: id },
      status: statusOf('succeeded', named, 'verified'),
    });
    expect(stage.judge()).toEqual([]);
    run.end('completed', { status: statusOf('succeeded', [], 'verified') });
    expect(namesOf(stage.judge())).toEqual(['ledger']);
    const other = [...named, { kind: 'volume', id: 'gone' }];
    run.end('completed', { status: statusOf('succeeded', other, 'verified') });
    expect(namesOf(stage.judge())).toEqual(['ledger']);
  });
});
