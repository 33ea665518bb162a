import type { createCloud } from './simulated-cloud.js';

type Cloud = ReturnType<typeof createCloud>;
type Body = Record<string, unknown>;

export const NETWORKS = '/cloud/v1/networks/1/1';
export const SUBNETS = '/cloud/v1/subnets/1/1';

/** Makes a network, waits for its task and returns it. */
export async function makeNetwork(cloud: Cloud, body: Body) {
  const taskId = await cloud.start('POST', NETWORKS, body);
  return made(cloud, cloud.simulator.inventory().networks, taskId);
}

/** Makes a subnet, waits for its task and returns it. */
export async function makeSubnet(cloud: Cloud, body: Body) {
  const taskId = await cloud.start('POST', SUBNETS, { name: 'part', ...body });
  return made(cloud, cloud.simulator.inventory().subnets, taskId);
}

function made<T extends { creator_task_id: string | null }>(
  cloud: Cloud,
  rows: readonly T[],
  taskId: string,
): T {
  cloud.settle();
  const row = rows.find((candidate) => candidate.creator_task_id === taskId);
  if (row === undefined) throw new Error('The task made nothing');
  return row;
}
