import { describe, expect, it } from '@jest/globals';

import { provisionInput } from '../../support/inputs/provision-input.js';
import { stateWithInstances } from '../../support/worlds/instances.js';
import type { Strike } from '../world/chaos.js';
import { createAliveWatch } from './alive-watch.js';
import { createStage, namesOf } from './support/stage.js';

const CREATE = 'POST /cloud/v2/instances/1/1';
const VOLUMES = 'POST /cloud/v1/volumes/1/1';
const { instance } = provisionInput();
const volume = { source: 'new-volume', name: 'data-1', size: 5 };

const STORES = 'POST /fastedge/v1/kv';

const twos = (stage: ReturnType<typeof createStage>): string[] =>
  namesOf(stage.judge()).filter((name) => name === 'two alive');

describe('two alive', () => {
  it('two instances of one request, also when one of them is removed later', async () => {
    const stage = createStage();
    const watch = createAliveWatch();
    const run = stage.run('provisionInstance', provisionInput());
    await stage.done(run, CREATE, instance);
    watch.look(stage.cloud());
    await stage.done(run, CREATE, instance);
    const [, second] = stage.cloud().instances;
    await stage.done(
      run,
      `DELETE /cloud/v1/instances/1/1/${second?.id}?volumes=${second?.volumes[0]?.id}`,
    );
    for (const call of stage.evidence().calls) watch.see(call, call.cloudAfter ?? stage.cloud());
    expect(namesOf(watch.findings())).toEqual(['two alive']);
    expect(namesOf(stage.judge())).toContain('two alive');
  });

  it('a second one after the first one is gone is none beside it', async () => {
    const stage = createStage();
    const run = stage.run('createVolume', volume);
    await stage.done(run, VOLUMES, volume);
    const [made] = stage.cloud().volumes;
    await stage.done(run, `DELETE /cloud/v1/volumes/1/1/${made?.id}`);
    await stage.done(run, VOLUMES, volume);
    expect(stage.judge()).toEqual([]);
  });

  it('a snapshot of another volume is a second one of its request', async () => {
    const [one, other] = stateWithInstances([{ of: 1 }]).volumes.map(({ id }) => id);
    const stage = createStage(stateWithInstances([{ of: 1 }]));
    const run = stage.run('snapshotVolume', { volumeId: one, name: 'first' });
    for (const id of [one, other]) {
      await stage.done(run, 'POST /cloud/v1/snapshots/1/1', { volume_id: id, name: 'first' });
    }
    expect(twos(stage)).toEqual(['two alive']);
  });

  it.each([
    ['failed, and has named the first', 'failed', [{ kind: 'kv-store', id: '10001' }], []],
    ['failed, and has named none', 'failed', [], ['two alive']],
    [
      'was terminated, whatever its status names',
      'terminated',
      [{ kind: 'kv-store', id: '10001' }],
      ['two alive'],
    ],
  ] as const)('a second store by another name, after a run that %s', async (...told) => {
    const [, state, resources, found] = told;
    const stage = createStage();
    const run = stage.run('createKvStore', { name: 'one' });
    await stage.done(run, STORES, { name: 'one' });
    run.end(state, { status: { phase: state, steps: [{ name: 'make', resources }] } });
    const { workflowId } = run;
    const again = stage.run('createKvStore', { name: 'two' }, { workflowId });
    await stage.done(again, STORES, { name: 'two' });

    expect(stage.cloud().kvStores.map(({ id }) => id)).toEqual(['10001', '10002']);
    expect(twos(stage)).toEqual(found);
  });

  it('a second store, after somebody has deleted the run of the first', async () => {
    const stage = createStage();
    const run = stage.run('createKvStore', { name: 'one' });
    await stage.done(run, STORES, { name: 'one' });
    stage.ask('delete', run.workflowId);
    await stage.done(run, STORES, { name: 'two' });
    expect(twos(stage)).toEqual([]);
  });

  it('two requests may make what looks the same', async () => {
    const stage = createStage();
    for (const name of ['one', 'two']) {
      const run = stage.run('createVolume', volume, {
        workflowId: `create-volume/default/${name}`,
      });
      await stage.done(run, VOLUMES, volume);
    }
    expect(stage.judge()).toEqual([]);
  });

  it('two machines or volumes of one line of a batch, under whichever names', async () => {
    const line = { ...volume, name: 'web-1-item-2' };
    const machine = provisionInput({ name: 'web-1-item-2' });
    const stage = createStage();
    for (const name of ['web-1-1', 'web-1-2']) {
      const workflowId = `create-volume/default/${name}`;
      const run = stage.run('createVolume', line, { workflowId });
      await stage.done(run, VOLUMES, line);
    }
    expect(namesOf(stage.judge())).toEqual(['two alive']);
    const second = createStage();
    for (const name of ['web-1-1', 'web-1-2']) {
      const workflowId = `provision-instance/default/${name}`;
      const run = second.run('provisionInstance', machine, { workflowId });
      await second.done(run, CREATE, machine.instance);
    }
    expect(namesOf(second.judge())).toEqual(['two alive']);
  });

  it('two KV stores of one name, by whichever request', async () => {
    const stage = createStage();
    for (const id of ['a', 'b']) {
      const run = stage.run(
        'createKvStore',
        { name: 'redirects' },
        { workflowId: `create-kv-store/default/${id}` },
      );
      await stage.call(run, 'POST /fastedge/v1/kv', { name: 'redirects', comment: '' });
    }
    expect(namesOf(stage.judge())).toEqual(['two alive']);
  });

  it('one store of somebody else, and one of a run, are no two of one request', async () => {
    const stage = createStage();
    await stage.call({ actor: 'console' }, 'POST /fastedge/v1/kv', {
      name: 'redirects',
      comment: '',
    });
    const run = stage.run('createKvStore', { name: 'redirects' });
    await stage.call(run, 'POST /fastedge/v1/kv', { name: 'redirects', comment: '' });
    expect(stage.judge()).toEqual([]);
  });

  it('two videos for one line of an import', async () => {
    const videos = [{ name: 'Interview 7', origin_url: 'https://files.example.com/7.mp4' }];
    for (const times of [1, 2]) {
      const stage = createStage();
      const run = stage.run('importVideos', { videos });
      for (let sent = 0; sent < times; sent += 1) {
        await stage.call(run, 'POST /streaming/videos/batch', { videos });
      }
      expect(namesOf(stage.judge())).toEqual(times === 1 ? [] : ['two alive']);
    }
  });

  it('one machine is restarted once for each run', async () => {
    const id = '00000001-0000-4000-8000-000000000001';
    for (const times of [1, 2]) {
      const stage = createStage(stateWithInstances([{ of: 1 }]));
      const run = stage.run('setInstancePower', { instanceId: id, action: 'reboot' });
      for (let sent = 0; sent < times; sent += 1) {
        await stage.done(run, `POST /cloud/v2/instances/1/1/${id}/action`, { action: 'reboot' });
      }
      expect(namesOf(stage.judge())).toEqual(times === 1 ? [] : ['done twice']);
    }
  });

  it('takes a restart whose task vanished for its own run for one that nobody could know of', async () => {
    const id = '00000001-0000-4000-8000-000000000001';
    for (const of of ['set-instance-power/default/other', undefined]) {
      const stage = createStage(stateWithInstances([{ of: 1 }]));
      const run = stage.run('setInstancePower', { instanceId: id, action: 'reboot' });
      for (let sent = 0; sent < 2; sent += 1) {
        await stage.done(run, `POST /cloud/v2/instances/1/1/${id}/action`, { action: 'reboot' });
      }
      const occasion = `GET /cloud/v1/tasks #2 of ${of ?? run.workflowId}`;
      const strikes: Strike[] = [{ kind: 'task vanishes', occasion }];
      expect(namesOf(stage.judge({ strikes }))).toEqual(of === undefined ? [] : ['done twice']);
    }
  });

  it('takes a restart whose task vanished, and whose run was reset, for one that it could not know of', async () => {
    const id = '00000001-0000-4000-8000-000000000001';
    for (const what of ['pause', 'reset'] as const) {
      const stage = createStage(stateWithInstances([{ of: 1 }]));
      const run = stage.run('setInstancePower', { instanceId: id, action: 'reboot' });
      for (let sent = 0; sent < 2; sent += 1) {
        await stage.done(run, `POST /cloud/v2/instances/1/1/${id}/action`, { action: 'reboot' });
      }
      stage.ask(what, run.workflowId);
      const occasion = 'GET /cloud/v1/tasks/… #3 of worker-1';
      const strikes: Strike[] = [{ kind: 'task vanishes', occasion }];
      expect(namesOf(stage.judge({ strikes }))).toEqual(what === 'reset' ? [] : ['done twice']);
    }
  });

  it('notices a list that restarts one machine twice', async () => {
    const instanceId = '00000001-0000-4000-8000-000000000001';
    const item = { instanceId, action: 'reboot' };
    for (const lines of [1, 2]) {
      const stage = createStage(stateWithInstances([{ of: 1 }]));
      const items = Array.from({ length: lines }, (_, at) => ({
        ...item,
        requestId: `b-${at + 1}`,
      }));
      stage.run(
        'runBatch',
        { operation: 'setInstancePower', items },
        { workflowId: 'run-batch/default/b' },
      );
      for (let line = 1; line <= lines; line += 1) {
        const run = stage.run('setInstancePower', item, {
          workflowId: `set-instance-power/default/b-${line}`,
        });
        await stage.done(run, `POST /cloud/v2/instances/1/1/${instanceId}/action`, {
          action: 'reboot',
        });
      }
      expect(namesOf(stage.judge())).toEqual(lines === 1 ? [] : ['done twice']);
    }
  });
});
