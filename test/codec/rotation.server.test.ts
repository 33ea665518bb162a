import { randomBytes } from 'node:crypto';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Connection } from '@temporalio/client';
import proto from '@temporalio/proto';

import { connectGcoreWorkflows, type ConnectedGcoreWorkflows } from '../../src/client/index.js';
import { createCliWorld, type CliWorld } from '../support/cli/cli-world.js';
import { provisionInput } from '../support/inputs/provision-input.js';
import { createGate } from '../support/timing/gate.js';
import { until } from '../support/timing/until.js';
import {
  startFastWorker,
  type FastWorkerSettings,
  type WorkerProcess,
} from '../support/workers/worker-process.js';
import { holdTaskReads } from '../support/worlds/hold-task-reads.js';

const newKey = (): string => randomBytes(32).toString('base64');
const KEYS = { old: newKey(), new: newKey() };
type Id = keyof typeof KEYS;

let world: CliWorld;
let connection: Connection;
const workers: WorkerProcess[] = [];
const clients: ConnectedGcoreWorkflows[] = [];

beforeAll(async () => {
  world = await createCliWorld();
  connection = await Connection.connect({ address: world.address });
});

afterAll(async () => {
  for (const client of clients) await client.close();
  await connection.close();
  await world.close();
});

/** A file with these keys, the first one current, that is replaced as a whole. */
function ring(name: string, ...ids: Id[]): string {
  const file = join(world.folder, `${name}.json`);
  const keys = Object.fromEntries(ids.map((id) => [id, KEYS[id]]));
  writeFileSync(`${file}.new`, JSON.stringify({ current: ids[0], keys }));
  renameSync(`${file}.new`, file);
  return file;
}

async function worker(
  codecKeysFile: string,
  part?: FastWorkerSettings['part'],
): Promise<WorkerProcess> {
  const { address, namespace, baseUrl } = world;
  const started = startFastWorker({
    ...{ address, namespace, baseUrl, apiKey: 'test-key', codecKeysFile },
    ...{
      speed: 100,
      reconcileGraceMs: 300,
      probeMs: 100,
      timeoutMs: 60_000,
      ...(part && { part }),
    },
  });
  workers.push(started);
  await started.says('Worker is ready');
  return started;
}

afterEach(async () => {
  const stopped = workers.splice(0);
  for (const { child } of stopped) child.kill('SIGKILL');
  await Promise.all(stopped.map(({ exit }) => exit));
});

async function clientOf(file: string): Promise<ConnectedGcoreWorkflows> {
  const { address, namespace } = world;
  const config = { connectionOptions: { address }, namespace };
  const client = await connectGcoreWorkflows({ config, codec: { file } });
  clients.push(client);
  return client;
}

async function start(gcore: ConnectedGcoreWorkflows, requestId: string): Promise<string> {
  const input = provisionInput({ name: requestId });
  return (await gcore.start('provisionInstance', { requestId, input })).workflowId;
}

const creates = (name: string): number =>
  world.simulator
    .mutations()
    .filter(({ path, userAgent = '' }) => /\/v2\/instances/.test(path) && userAgent.includes(name))
    .length;

/** Whether a worker runs this activity of a run now. */
async function isCalling(workflowId: string, name: string): Promise<boolean> {
  const { pendingActivities } = await connection.workflowService.describeWorkflowExecution({
    namespace: world.namespace,
    execution: { workflowId },
  });
  const { PENDING_ACTIVITY_STATE_STARTED: started } =
    proto.temporal.api.enums.v1.PendingActivityState;
  return pendingActivities.some(
    ({ state, activityType }) => state === started && activityType?.name === name,
  );
}

interface Written {
  /** Ids of the keys that encrypted the payloads of its history. */
  keys: Set<string>;
  failedTasks: number;
}

async function writtenBy(workflowId: string): Promise<Written> {
  const { history } = await connection.workflowService.getWorkflowExecutionHistory({
    namespace: world.namespace,
    execution: { workflowId },
  });
  const events = history?.events ?? [];
  // Bytes are base64 there.
  const found = JSON.stringify(events).matchAll(/"encryption-key-id":"([^"]+)"/g);
  const keys = [...found].map(([, id = '']) => Buffer.from(id, 'base64').toString());
  const failed = events.filter((event) => Boolean(event.workflowTaskFailedEventAttributes));
  return { keys: new Set(keys), failedTasks: failed.length };
}

describe('a new key', () => {
  it('that every worker knows before it becomes current disturbs no open run', async () => {
    const [a, b] = [ring('a', 'old'), ring('b', 'old')];
    const [one, other] = [await worker(a), await worker(b)];
    const gcore = await clientOf(a);
    const release = holdTaskReads(world.simulator);
    const first = await start(gcore, 'first');
    await until('it waits', async () => (await gcore.status(first)).phase === 'waiting');

    ring('b', 'old', 'new');
    ring('a', 'old', 'new');
    // Both are in use, so they look at their files.
    await Promise.all([one, other].map((each) => each.says('The key ring was read again')));
    ring('a', 'new', 'old');
    await one.says('"encryptsWith":"new"');
    const second = await start(await clientOf(a), 'second');
    release();
    await Promise.all([first, second].map((id) => gcore.result('provisionInstance', id)));

    const written = [await writtenBy(first), await writtenBy(second)];
    expect(written[0]?.keys).toContain('old');
    expect(written[1]?.keys).toContain('new');
    expect(written.map(({ failedTasks }) => failedTasks)).toEqual([0, 0]);
    expect([creates('first'), creates('second')]).toEqual([1, 1]);

    const late = await clientOf(ring('late', 'new'));
    // Its memo is from the time before.
    await expect(late.explain(first)).rejects.toThrow('the key "old"');
  }, 180_000);

  it('that a worker lacks is a wait: for a change that is not sent, too', async () => {
    const [workflows, calls] = [ring('workflows', 'new', 'old'), ring('calls', 'old', 'new')];
    await worker(workflows, 'workflows');
    const account = await worker(calls, 'account');
    const gcore = await clientOf(workflows);
    const look = createGate();
    const match = { method: 'GET', path: /\/cloud\/v\d\/instances/, userAgent: /third/ };
    world.simulator.faults.add({ match, action: { kind: 'delay', until: look.opened } });
    const third = await start(gcore, 'third');
    await until('it looks', () => isCalling(third, 'listInstances'));
    ring('calls', 'old');
    await gcore.start('listSshKeys', { requestId: 'makes-it-look', input: {} });
    await account.says('The key ring was read again');
    look.open();

    await until('the change was not sent', async () => {
      const { steps } = await gcore.status(third);
      return steps.some(({ note = '' }) => /^not sent yet: .* the key "new"/.test(note));
    });
    // Before it sends the call again it looks, and this waits too.
    await until('it says what to do', async () => {
      const { paragraph, next } = await gcore.explain(third);
      return paragraph.includes('as DecryptionFailed') && next.includes('the same key ring');
    });
    ring('calls', 'old', 'new');
    await gcore.result('provisionInstance', third);

    expect(creates('third')).toBe(1);
  }, 180_000);

  it('that the only worker lacks stops a run, until its file has the key', async () => {
    await worker(ring('lone', 'old'));
    const gcore = await clientOf(ring('caller', 'new', 'old'));
    const fourth = await start(gcore, 'fourth');
    await until('its workflow task has failed', async () =>
      (await gcore.explain(fourth)).paragraph.includes('one lacks a key'),
    );
    const { paragraph, next } = await gcore.explain(fourth);
    expect((await gcore.summary(fourth)).state).toBe('RUNNING');

    ring('lone', 'old', 'new');
    await gcore.result('provisionInstance', fourth);

    expect(paragraph).toContain('the key "new"');
    expect(next).toContain('give every worker the same key ring');
    expect(creates('fourth')).toBe(1);
  }, 180_000);
});
