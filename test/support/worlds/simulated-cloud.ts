import { taskIdsSchema } from '../../../src/contract/api/cloud.js';
import {
  createSimulator,
  type FaultAction,
  type FaultMatch,
  type SimulatorOptions,
} from '../../../src/simulator/index.js';

const ORIGIN = 'https://api.simulator.test';
const START = '2026-05-23T05:07:31Z';

/** Longer than any task takes. */
const LONG_ENOUGH_MS = 60_000;

export const INSTANCES = '/cloud/v1/instances/1/1';
export const CREATE = '/cloud/v2/instances/1/1';
export const VOLUMES = '/cloud/v1/volumes/1/1';
export const FLOATING_IPS = '/cloud/v1/floatingips/1/1';
export const SNAPSHOTS = '/cloud/v1/snapshots/1/1';
export const RESERVED = '/cloud/v1/reserved_fixed_ips/1/1';
export const TASKS = '/cloud/v1/tasks';

/** Of the stock of every simulator. */
export const UBUNTU = 'f01fd9a0-9548-48ba-82dc-a8c8b2d6f2f1';
export const WINDOWS = '7c1c9a0e-0b1f-4d4f-8a55-6a4d0a0f5d11';
export const PRIVATE_NETWORK = '5b2bd9c2-4c5a-4f39-a4e4-5f4d8d2bb0aa';
export const PRIVATE_SUBNET = '1d0c7b4a-5e5f-4b0a-8b1f-3f2e1d0c9b8a';

/** A simulator whose clock moves only when the test moves it. */
export function createCloud(options: SimulatorOptions = {}) {
  let time = Date.parse(START);
  const simulator = createSimulator({ unknownFields: 'refused', now: () => time, ...options });

  async function send(method: string, path: string, body?: unknown) {
    return sendAs({}, { method, path, body });
  }

  async function sendAs(
    headers: Record<string, string>,
    { method, path, body }: { method: string; path: string; body?: unknown },
  ) {
    const response = await simulator.fetch(`${ORIGIN}${path}`, {
      method,
      headers: { authorization: 'apikey simulator-key', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const answer: unknown = text === '' ? undefined : JSON.parse(text);
    return { status: response.status, body: answer };
  }

  const cloud = {
    simulator,
    send,
    sendAs,
    now: () => time,
    advance(ms: number) {
      time += ms;
    },
    /** Sends a mutation that starts one task; returns the id. */
    async start(method: string, path: string, body?: unknown): Promise<string> {
      const answer = await send(method, path, body);
      const [taskId] = taskIdsSchema.parse(answer.body).tasks;
      if (taskId === undefined) throw new Error(`${method} ${path} started no task`);
      return taskId;
    },
    /** Creates an instance, waits for it and returns it. */
    async createInstance(change: Record<string, unknown> = {}) {
      const taskId = await cloud.start('POST', CREATE, instanceBody(change));
      time += LONG_ENOUGH_MS;
      const instance = simulator
        .inventory()
        .instances.find((row) => row.creator_task_id === taskId);
      if (instance === undefined) throw new Error('The instance was not created');
      return instance;
    },
    settle() {
      time += LONG_ENOUGH_MS;
    },
  };
  return cloud;
}

/** Matches the create call in fault rules. */
export const CREATION: FaultMatch = { method: 'POST', path: CREATE };

export function createFaultyCloud(action: FaultAction, match: FaultMatch = CREATION) {
  const cloud = createCloud();
  cloud.simulator.faults.add({ match, action });
  return cloud;
}

export function instanceBody(change: Record<string, unknown> = {}) {
  return {
    flavor: 'g2-standard-2-4',
    name: 'web-1',
    interfaces: [{ type: 'external' }],
    volumes: [bootVolume()],
    ...change,
  };
}

export function bootVolume(change: Record<string, unknown> = {}) {
  return { source: 'image', image_id: UBUNTU, size: 20, boot_index: 0, ...change };
}

/** A query with a tag filter, such as `?tag_key_value=…`. */
export function tagQuery(tags: Record<string, string>): string {
  return `?tag_key_value=${encodeURIComponent(JSON.stringify(tags))}`;
}
