import { describe, expect, it } from '@jest/globals';

import { createCloud, INSTANCES } from '../../support/worlds/simulated-cloud.js';

const ACTIONS = '/cloud/v2/instances/1/1';

/** A cloud with one instance, and the calls about it. */
async function cloudWithInstance(options: Parameters<typeof createCloud>[0] = {}) {
  const cloud = createCloud(options);
  const { id } = await cloud.createInstance();
  const act = (action: unknown) => cloud.send('POST', `${ACTIONS}/${id}/action`, { action });
  const resize = (flavor: string) =>
    cloud.send('POST', `${INSTANCES}/${id}/changeflavor`, { flavor_id: flavor });
  const shown = async () => (await cloud.send('GET', `${INSTANCES}/${id}`)).body;
  return { cloud, id, act, resize, shown };
}

describe('an action on an instance', () => {
  it.each([
    ['stop', 'ACTIVE', { status: 'SHUTOFF', vm_state: 'stopped' }],
    ['suspend', 'ACTIVE', { status: 'SUSPENDED', vm_state: 'suspended' }],
    ['reboot', 'REBOOT', { status: 'ACTIVE', vm_state: 'active' }],
    ['reboot_hard', 'HARD_REBOOT', { status: 'ACTIVE', vm_state: 'active' }],
  ])('%s locks it, and shows when its task has ended', async (action, during, after) => {
    const { cloud, id, act, shown } = await cloudWithInstance();

    const { body } = await act(action);

    expect(await shown()).toMatchObject({ status: during, task_id: expect.any(String) });
    cloud.settle();
    expect(await shown()).toMatchObject({ ...after, task_id: null });
    const { tasks } = cloud.simulator.inventory();
    expect(tasks.at(-1)).toMatchObject({ state: 'FINISHED', data: { instance_id: id } });
    expect(body).toEqual({ tasks: [tasks.at(-1)?.id] });
  });

  it('starts what is stopped', async () => {
    const { cloud, act, shown } = await cloudWithInstance();
    await act('stop');
    cloud.settle();

    await act('start');
    cloud.settle();

    expect(await shown()).toMatchObject({ status: 'ACTIVE' });
  });

  it('resumes what is suspended', async () => {
    const { cloud, act, shown } = await cloudWithInstance();
    await act('suspend');
    cloud.settle();

    await act('resume');
    expect(await shown()).toMatchObject({ status: 'SUSPENDED', task_state: 'resuming' });
    cloud.settle();

    expect(await shown()).toMatchObject({ status: 'ACTIVE', task_state: null });
  });

  it('activates the DDoS profile of the instance when a start asks for it', async () => {
    const { cloud, id, act } = await cloudWithInstance();
    const [instance] = cloud.simulator.inventory().instances;
    const ip_address = instance?.addresses['pub_net']?.[0]?.addr;
    const body = { ip_address, profile_template: 13 };
    await cloud.send('POST', '/cloud/v1/ddos/profiles/1/1', body);
    await act('stop');
    cloud.settle();

    await cloud.send('POST', `${ACTIONS}/${id}/action`, {
      action: 'start',
      activate_profile: true,
    });
    cloud.settle();

    const { ddosProfiles, instances } = cloud.simulator.inventory();
    expect(ddosProfiles).toMatchObject([{ ip_address, options: { active: true } }]);
    expect(instances).toMatchObject([{ ddos_profile: { ip_address } }]);
  });

  it('opens a console of what runs', async () => {
    const { cloud, id, act } = await cloudWithInstance();
    const open = (type: string) =>
      cloud.send('GET', `${INSTANCES}/${id}/get_console?console_type=${type}`);

    const opened = await open('novnc');
    const ofBareMetal = await open('serial');
    await act('stop');
    cloud.settle();

    expect(opened.body).toEqual({
      remote_console: { type: 'novnc', protocol: 'vnc', url: expect.stringMatching(/^https:/) },
    });
    expect(ofBareMetal.status).toBe(400);
    expect((await open('novnc')).status).toBe(409);
  });

  it.each([
    ['an unknown action', 'fly', 400],
    ['a resume of what runs', 'resume', 409],
    ['a start of what runs', 'start', 409],
  ])('is refused: %s', async (_, action, status) => {
    const { act } = await cloudWithInstance();

    expect(await act(action)).toMatchObject({ status });
  });

  it('is refused while a task locks the instance', async () => {
    const { act, resize } = await cloudWithInstance();
    await act('stop');

    expect(await resize('g2-standard-4-8')).toMatchObject({ status: 409 });
  });

  it('does not name its instance in the task when it is told so', async () => {
    const { cloud, act } = await cloudWithInstance({ namesInstance: false });
    await act('stop');

    expect(cloud.simulator.inventory().tasks.at(-1)).toMatchObject({ data: {} });
  });
});

describe('a change of the flavor', () => {
  it('restarts what runs, and keeps stopped what is stopped', async () => {
    const { cloud, act, resize, shown } = await cloudWithInstance();
    await resize('g2-standard-4-8');
    expect(await shown()).toMatchObject({ status: 'RESIZE' });
    cloud.settle();
    expect(await shown()).toMatchObject({
      status: 'ACTIVE',
      flavor: { flavor_id: 'g2-standard-4-8' },
    });

    await act('stop');
    cloud.settle();
    await resize('g2-standard-2-4');
    cloud.settle();

    expect(await shown()).toMatchObject({
      status: 'SHUTOFF',
      flavor: { flavor_id: 'g2-standard-2-4' },
    });
  });

  it('refuses a flavor that does not exist', async () => {
    const { resize } = await cloudWithInstance();

    expect(await resize('huge')).toMatchObject({ status: 400 });
  });

  it('leaves the instance as it was when its task fails', async () => {
    const { cloud, resize, shown } = await cloudWithInstance();
    const action = { kind: 'task-error', error: 'no', leftovers: 'none' } as const;
    cloud.simulator.faults.add({ match: { method: 'POST', path: /changeflavor$/ }, action });

    await resize('g2-standard-4-8');
    cloud.settle();

    expect(await shown()).toMatchObject({
      status: 'ACTIVE',
      task_id: null,
      flavor: { flavor_id: 'g2-standard-2-4' },
    });
  });

  it('shows late when reads lag', async () => {
    const { cloud, resize, shown } = await cloudWithInstance();
    const action = { kind: 'list-lag', ms: 300_000 } as const;
    cloud.simulator.faults.add({ match: { method: 'POST', path: /changeflavor$/ }, action });
    await resize('g2-standard-4-8');
    cloud.settle();

    const first = await shown();
    cloud.advance(300_000);

    expect(first).toMatchObject({ flavor: { flavor_id: 'g2-standard-2-4' } });
    expect(await shown()).toMatchObject({ flavor: { flavor_id: 'g2-standard-4-8' } });
  });
});
