import { describe, expect, it } from '@jest/globals';
import type { z } from 'zod';

import {
  flavorListSchema,
  projectListSchema,
  regionListSchema,
  cloudSshKeyListSchema,
  listEnvelope,
  floatingIpListSchema,
  instanceListSchema,
  instanceSchema,
  taskListSchema,
  taskSchema,
} from '../../src/contract/api/cloud.js';
import { volumeListSchema } from '../../src/contract/api/volumes.js';
import {
  ddosAccessibilitySchema,
  ddosCoverageSchema,
  ddosProfileListSchema,
  profileTemplateListSchema,
} from '../../src/contract/api/ddos.js';
import { cloudErrorSchema } from '../../src/contract/api/errors.js';
import { sftpStorageSchema, sshKeyListSchema } from '../../src/contract/api/storage.js';
import { createSimulator } from '../../src/simulator/index.js';
import { provisionInput } from '../support/inputs/provision-input.js';
import { PUBLIC_KEY } from '../support/worlds/ssh-keys.js';

const HEADERS = { authorization: 'apikey simulator-key', 'content-type': 'application/json' };

/** A simulated cloud with an instance, a floating IP, an SSH key and a profile. */
async function startCloud() {
  let now = Date.parse('2026-01-01T00:00:00Z');
  const simulator = createSimulator({ now: () => now });
  const { instance: body } = provisionInput({
    interfaces: [
      {
        type: 'any_subnet',
        network_id: '5b2bd9c2-4c5a-4f39-a4e4-5f4d8d2bb0aa',
        floating_ip: { source: 'new' },
      },
    ],
  });
  await simulator.fetch('http://simulator/cloud/v2/instances/1/1', {
    method: 'POST',
    headers: HEADERS,
    body: JSON.stringify(body),
  });
  await simulator.fetch('http://simulator/storage/v4/ssh_keys', {
    method: 'POST',
    headers: HEADERS,
    body: JSON.stringify({ name: 'ingest', public_key: PUBLIC_KEY }),
  });
  await simulator.fetch('http://simulator/cloud/v1/ssh_keys/1', {
    method: 'POST',
    headers: HEADERS,
    body: JSON.stringify({ name: 'admin', public_key: PUBLIC_KEY }),
  });
  await simulator.fetch('http://simulator/storage/v4/sftp_storages', {
    method: 'POST',
    headers: HEADERS,
    body: JSON.stringify({ name: 'films', location_name: 's-region-1', password_mode: 'none' }),
  });
  await simulator.fetch('http://simulator/cloud/v1/ddos/profiles/1/1', {
    method: 'POST',
    headers: HEADERS,
    body: JSON.stringify({ ip_address: '203.0.113.7', profile_template: 13 }),
  });
  now += 60_000;
  return simulator;
}

describe('the simulator answers by the contract', () => {
  const { instances, tasks } = { instances: '/cloud/v1/instances/1/1', tasks: '/cloud/v1/tasks' };

  it.each<[string, z.ZodType<{ results: unknown[] }>]>([
    [instances, instanceListSchema],
    [tasks, taskListSchema],
    ['/cloud/v1/volumes/1/1', volumeListSchema],
    ['/cloud/v1/floatingips/1/1', floatingIpListSchema],
    ['/cloud/v1/projects', projectListSchema],
    ['/cloud/v1/regions', regionListSchema],
    ['/cloud/v1/flavors/1/1', flavorListSchema],
    ['/storage/v4/ssh_keys', sshKeyListSchema],
    ['/cloud/v1/ssh_keys/1', cloudSshKeyListSchema],
    ['/storage/v4/sftp_storages', listEnvelope(sftpStorageSchema)],
    ['/cloud/v1/ddos/profiles/1/1', ddosProfileListSchema],
    ['/cloud/v1/ddos/profile-templates/1', profileTemplateListSchema],
  ])('to GET %s', async (path, schema) => {
    const simulator = await startCloud();

    const response = await simulator.fetch(`http://simulator${path}`, { headers: HEADERS });

    expect(schema.parse(await response.json()).results.length).toBeGreaterThan(0);
  });

  it('to the checks before the protection of an address', async () => {
    const simulator = await startCloud();
    const ask = async (what: string): Promise<unknown> =>
      (
        await simulator.fetch(`http://simulator/cloud/v1/ddos/${what}`, { headers: HEADERS })
      ).json();

    expect(ddosCoverageSchema.parse(await ask('region_coverage/1')).is_covered).toBe(true);
    expect(ddosCoverageSchema.parse(await ask('region_coverage/76')).is_covered).toBe(false);
    expect(ddosAccessibilitySchema.parse(await ask('accessibility/1')).is_accessible).toBe(true);
    expect(ddosAccessibilitySchema.parse(await ask('accessibility/2'))).toMatchObject({
      is_accessible: false,
      http_code: 403,
    });
  });

  it('to GET of one instance and of one task', async () => {
    const simulator = await startCloud();
    const { instances: rows, tasks: taskRows } = simulator.inventory();
    const read = async (path: string): Promise<unknown> =>
      (await simulator.fetch(`http://simulator${path}`, { headers: HEADERS })).json();

    const instance = instanceSchema.parse(await read(`${instances}/${rows[0]?.id ?? ''}`));
    const task = taskSchema.parse(await read(`${tasks}/${taskRows[0]?.id ?? ''}`));

    expect(instance).toMatchObject({ status: 'ACTIVE', creator_task_id: task.id });
    expect(task.created_resources.instances).toEqual([instance.id]);
  });

  it('to a GET of an unknown resource', async () => {
    const simulator = await startCloud();

    const response = await simulator.fetch(`http://simulator${tasks}/none`, { headers: HEADERS });

    expect(response.status).toBe(404);
    expect(cloudErrorSchema.parse(await response.json())).toMatchObject({
      exception_class: 'NotFoundError',
      message: expect.any(String),
    });
  });
});
