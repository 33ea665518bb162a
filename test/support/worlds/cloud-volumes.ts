import { createCloud, SNAPSHOTS, TASKS, VOLUMES } from './simulated-cloud.js';

const VOLUMES_V2 = '/cloud/v2/volumes/1/1';

/** A cloud with calls about volumes. */
export function cloudWithVolumes(options: Parameters<typeof createCloud>[0] = {}) {
  const cloud = createCloud(options);
  const shown = async (id: string) => (await cloud.send('GET', `${VOLUMES}/${id}`)).body;
  const task = async (id: string) => (await cloud.send('GET', `${TASKS}/${id}`)).body;
  const newest = () => cloud.simulator.inventory().volumes.at(-1)?.id ?? '';
  const create = async (change: Record<string, unknown> = {}) => {
    const body = { source: 'new-volume', name: 'data', size: 5, ...change };
    await cloud.start('POST', VOLUMES, body);
    cloud.settle();
    return newest();
  };
  const post = (id: string, action: string, body?: unknown) =>
    cloud.send('POST', `${VOLUMES}/${id}/${action}`, body);
  const move = (id: string, action: 'attach' | 'detach', instanceId: string) =>
    cloud.send('POST', `${VOLUMES_V2}/${id}/${action}`, { instance_id: instanceId });
  const snapshot = async (id: string) => {
    await cloud.start('POST', SNAPSHOTS, { name: 'before', volume_id: id });
    cloud.settle();
    return cloud.simulator.inventory().snapshots.at(-1)?.id ?? '';
  };
  return { cloud, shown, task, newest, create, post, move, snapshot };
}
