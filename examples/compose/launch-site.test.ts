/**
 * A whole test of a workflow of your own: a real Temporal server, the worker of this package, and the
 * simulated API, which loses an answer. With jest or vitest only the imports of the first lines differ.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { Client, Connection } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { startLocalStack, type LocalStack } from 'gcore-workflows/testing';

import type { launchSite, Site } from './launch-site.js';

const SITE: Site = {
  projectId: 1,
  regionId: 1,
  machine: {
    name: 'web-1',
    flavor: 'g2-standard-2-4',
    interfaces: [{ type: 'external', ip_family: 'ipv4' }],
    volumes: [
      {
        source: 'image',
        image_id: 'f01fd9a0-9548-48ba-82dc-a8c8b2d6f2f1',
        size: 20,
        boot_index: 0,
        delete_on_termination: true,
      },
    ],
  },
  protection: { profile_template: 12, fields: [{ base_field: 3, field_value: [8080] }] },
  // A store that the stack has from the start.
  storeId: 17,
};

let stack: LocalStack;

before(async () => {
  stack = await startLocalStack({ speed: 50 });
});

after(() => stack.close());

void test('a lost answer makes no second machine', async () => {
  const { temporal, simulator } = stack;
  simulator.faults.add({
    match: { method: 'POST', path: '/cloud/v2/instances/1/1' },
    action: { kind: 'drop-response' },
  });
  // The SDK has two connections: one for workers, one for clients.
  const native = await NativeConnection.connect(temporal.connectionOptions);
  const connection = await Connection.connect(temporal.connectionOptions);
  const client = new Client({ connection });
  const worker = await Worker.create({
    connection: native,
    taskQueue: 'sites',
    workflowsPath: fileURLToPath(new URL('./launch-site.js', import.meta.url)),
  });

  const site = await worker.runUntil(
    client.workflow.execute<typeof launchSite>('launchSite', {
      taskQueue: 'sites',
      workflowId: 'site-1',
      args: [SITE],
    }),
  );

  const { instances, ddosProfiles } = simulator.inventory();
  assert.deepEqual(
    instances.map(({ id, status }) => [id, status]),
    [[site.instanceId, 'ACTIVE']],
  );
  assert.equal(ddosProfiles[0]?.ip_address, site.address);
  await connection.close();
  await native.close();
});
