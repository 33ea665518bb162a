import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import proto from '@temporalio/proto';

import { createGcoreWorkflows, type GcoreWorkflows } from '../../src/client/index.js';
import { KEY_BYTES } from '../../src/codec/key-ring.js';
import { LEASE_WATCHES } from '../../src/engine/core/names.js';
import { readOwnVersion } from '../../src/worker/worker-version.js';
import { createCliWorld, type CliWorld } from '../support/cli/cli-world.js';
import { provisionInput } from '../support/inputs/provision-input.js';
import { failedTasksIn } from '../support/replay/failed-tasks-in.js';
import { replayErrors } from '../support/replay/replay-all.js';
import { until } from '../support/timing/until.js';
import { QUOTA } from '../support/webhooks/while-told.js';
import { countVersions, makeCurrent } from '../support/workers/deployments.js';
import { startFastWorker } from '../support/workers/worker-process.js';

const PLAIN = resolve('dist/workflow-bundle.js');
const ENCRYPTING = resolve('dist/workflow-bundle-encrypted.js');
const { VERSIONING_BEHAVIOR_AUTO_UPGRADE: AUTO_UPGRADE } =
  proto.temporal.api.enums.v1.VersioningBehavior;
const DEPLOYMENT = 'mixed';
const API_KEY = 'key-of-mixed-workers';

let world: CliWorld;
let connection: Connection;
let client: Client;
let gcore: GcoreWorkflows;
/** As while encryption is being introduced: whoever has it can read what is encrypted, and encrypts nothing yet. */
let codecKeysFile: string;

beforeAll(async () => {
  world = await createCliWorld({ apiKey: API_KEY });
  const { address, namespace, folder } = world;
  connection = await Connection.connect({ address });
  client = new Client({ connection, namespace });
  gcore = createGcoreWorkflows({ client });
  codecKeysFile = join(folder, 'keys.json');
  const next = randomBytes(KEY_BYTES).toString('base64');
  writeFileSync(codecKeysFile, JSON.stringify({ current: null, keys: { next } }));
});

afterAll(async () => {
  await connection.close();
  await world.close();
});

/** A worker process is the only one while `use` runs. It has the version that it gives itself. */
async function withProcess(settings: { codecKeysFile?: string }, use: () => Promise<void>) {
  const { address, namespace, baseUrl } = world;
  const { option } = await readOwnVersion({ name: DEPLOYMENT }, [PLAIN, ENCRYPTING]);
  const { child, exit, says } = startFastWorker({
    address,
    namespace,
    baseUrl,
    apiKey: API_KEY,
    // Long enough to continue a blocked run by hand.
    speed: 100,
    reconcileGraceMs: 300,
    probeMs: 60_000,
    ...option,
    ...settings,
  });
  try {
    await says('Worker is ready');
    await makeCurrent(client, {
      deploymentName: DEPLOYMENT,
      buildId: option.version?.buildId ?? '',
    });
    await use();
  } finally {
    child.kill('SIGTERM');
    await exit;
  }
}

async function startBlocked(requestId: string): Promise<string> {
  world.simulator.faults.add(QUOTA);
  const { workflowId } = await gcore.start('provisionInstance', {
    requestId,
    input: provisionInput(),
  });
  await untilBlocked(workflowId);
  return workflowId;
}

/** The text of the failure is in a payload when a worker with encryption has written it. */
async function untilBlocked(workflowId: string): Promise<void> {
  await until('it is blocked', async () => {
    const { blocked } = await gcore.status(workflowId);
    return blocked?.type === 'QuotaExceeded' && /quota/i.test(blocked.message);
  });
}

async function finish(workflowId: string): Promise<void> {
  await untilBlocked(workflowId);
  await gcore.resume(workflowId);
  expect(await gcore.result('provisionInstance', workflowId)).toMatchObject({ status: 'ACTIVE' });
}

/** Of processes that watch: their runs move to any version, and are written as all others. */
async function leaseIds(): Promise<string[]> {
  const found: string[] = [];
  const query = `WorkflowType = '${LEASE_WATCHES}'`;
  for await (const { workflowId } of client.workflow.list({ query })) {
    const { raw } = await client.workflow.getHandle(workflowId).describe();
    expect(raw.workflowExecutionInfo?.versioningInfo?.behavior).toBe(AUTO_UPGRADE);
    found.push(workflowId);
  }
  return found;
}

it('workers of one version, with encryption and without, go on with the runs of each other', async () => {
  const ids: string[] = [];
  await withProcess({}, async () => {
    ids.push(await startBlocked('begun-without'));
  });
  await withProcess({ codecKeysFile }, async () => {
    await finish('provision-instance/default/begun-without');
    ids.push(await startBlocked('begun-with'));
  });
  await withProcess({}, () => finish('provision-instance/default/begun-with'));

  const leases = await leaseIds();
  expect(leases.length).toBeGreaterThan(0);
  for (const workflowId of [...ids, ...leases]) {
    const history = await client.workflow.getHandle(workflowId).fetchHistory();
    expect(failedTasksIn({ workflowId, history })).toEqual([]);
  }
  const bundles = [PLAIN, ENCRYPTING];
  const errors = bundles.map((codePath) => replayErrors(client, ids, { codePath }));
  expect((await Promise.all(errors)).flat()).toEqual(['', '', '', '']);
  expect(await countVersions(client, DEPLOYMENT)).toBe(1);
});
