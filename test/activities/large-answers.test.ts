import { describe, expect, it } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';
import fc from 'fast-check';

import {
  createApiActivities,
  createApiClient,
  flattenGroups,
  type ApiActivities,
} from '../../src/activities/index.js';
import { jsonByteLength } from '../../src/engine/core/text.js';
import { DEFAULT_POLL_POLICY } from '../../src/contract/wire/tasks.js';
import { VIDEO_FIELDS } from '../../src/contract/wire/videos.js';
import { inActivity } from '../support/http/in-activity.js';
import { inflate, type Growth } from './inflate.js';

const PLACE = { projectId: 1, regionId: 1 };
const ID = '5c1a9c2e-1d2b-4c7e-9f53-0e7a4a4b1c11';
const MARKER = 'default/order-1';
const ADDRESS = '192.0.2.7';
const NOW = '2026-05-23T05:07:31Z';
const MAX_BYTES = 65_536;

const tags = [{ key: 'workflow-request', value: MARKER, read_only: false }];
const volume = {
  id: ID,
  name: 'disk',
  status: 'available',
  attachments: [{ server_id: ID }],
  tags,
};
const instance = {
  id: ID,
  name: 'one',
  status: 'ACTIVE',
  flavor: { flavor_id: 'g1' },
  tags,
  addresses: { net: [{ addr: ADDRESS, type: 'fixed' }] },
  volumes: [{ id: ID, delete_on_termination: true }],
};
const created_resources = { instances: [ID], volumes: [ID], floatingips: [ID], ddos_profiles: [7] };
const task = { id: ID, task_type: 'create_vm', state: 'ERROR', error: 'no', created_resources };
const floatingIp = { id: ID, floating_ip_address: ADDRESS, port_id: ID, instance: { id: ID } };
const profile = {
  id: 1,
  ip_address: ADDRESS,
  profile_template: { id: 2 },
  managed_by: 'me',
  fields: [{ base_field: 1, field_value: 'x', default: 'y' }],
  options: { active: true, bgp: false },
  status: { status: 'Error', error_description: 'broken' },
};
const template = { id: 2, name: 'web', fields: [{ id: 1, name: 'port', required: true }] };
const preflight = {
  is_covered: true,
  is_accessible: false,
  message: 'not now',
  http_code: 403,
  count: 1,
  results: [template],
};
const video = { id: 5, name: 'v', status: 'error', error: 'not found', client_user_id: 1 };
const storage = { id: 3, name: 's', provisioning_status: 'active', ssh_key_ids: [1, 2] };
const written = { write_count: 1, del_count: 0, write_size: 1, store_size: 1, revision: 2 };
const entry = { key: 'k', datatype: 'sorted_set', payload: [{ value: 'a', encoding: 'plain' }] };
const item = { op: 'add', key: 'k', datatype: 'kv', payload: { value: 'a' } } as const;
const intent = { ip_address: ADDRESS, profile_template: 2, fields: [] };
const list = (row: unknown): unknown => ({ count: 1, results: [row] });
const tasks = { tasks: [ID] };

type Call = (activities: ApiActivities) => Promise<unknown>;

/** Every kind of answer that an activity returns a part of. */
const CALLS: Record<string, [answer: unknown, call: Call]> = {
  getInstance: [instance, (a) => a.getInstance({ ...PLACE, instanceId: ID })],
  listInstances: [list(instance), (a) => a.listInstances({ ...PLACE, marker: MARKER })],
  listForeignInstances: [
    list(instance),
    (a) => a.listForeignInstances({ ...PLACE, marker: 'other', ids: [ID] }),
  ],
  createInstance: [
    tasks,
    (a) =>
      a.createInstance({
        ...PLACE,
        marker: MARKER,
        maker: 'maker-1',
        instance: { flavor: 'g1', interfaces: [{ type: 'external' }], volumes: [] },
      }),
  ],
  deleteInstance: [tasks, (a) => a.deleteInstance({ ...PLACE, instanceId: ID, volumeIds: [] })],
  undoInstance: [tasks, (a) => a.undoInstance({ ...PLACE, instanceId: ID, volumeIds: [] })],
  listVolumes: [list(volume), (a) => a.listVolumes({ ...PLACE, marker: MARKER })],
  getVolume: [volume, (a) => a.getVolume({ ...PLACE, id: ID })],
  getUsedVolume: [{ ...volume, snapshot_ids: [] }, (a) => a.getUsedVolume({ ...PLACE, id: ID })],
  getImage: [{ id: ID, name: 'i', os_type: 'linux' }, (a) => a.getImage({ ...PLACE, id: ID })],
  listTemplateParameters: [
    { app_config: [{ name: 'p', required: true, default: 'd' }] },
    (a) => a.listTemplateParameters({ ...PLACE, id: ID }),
  ],
  getNetwork: [{ id: ID, name: 'n' }, (a) => a.getNetwork({ ...PLACE, id: ID })],
  listSshKeyIds: [
    list({ id: 1, name: 'n', public_key: 'k', created_at: NOW }),
    (a) => a.listSshKeyIds({ names: ['n'] }),
  ],
  listExistingParts: [
    volume,
    (a) => a.listExistingParts({ ...PLACE, volumeIds: [ID], floatingIpIds: [] }),
  ],
  getFloatingIp: [floatingIp, (a) => a.getFloatingIp({ ...PLACE, id: ID })],
  listFloatingIpsOfInstance: [
    list(floatingIp),
    (a) => a.listFloatingIpsOfInstance({ ...PLACE, instanceId: ID, addresses: [ADDRESS] }),
  ],
  getTask: [task, (a) => a.getTask({ taskId: ID })],
  listCreateTasks: [
    list(task),
    (a) =>
      a.listCreateTasks({
        ...PLACE,
        name: undefined,
        from: NOW,
        to: NOW,
        marker: 'm',
        maker: 'maker-1',
      }),
  ],
  checkLimits: [
    { a_limit: 1, a_requested: 2, a_usage: 3 },
    (a) => a.checkLimits({ ...PLACE, instance: { flavor: 'g1', interfaces: [], volumes: [] } }),
  ],
  listDdosProfiles: [list(profile), (a) => a.listDdosProfiles({ ...PLACE, address: ADDRESS })],
  createDdosProfile: [tasks, (a) => a.createDdosProfile({ ...PLACE, intent, maker: 'maker-1' })],
  preflightProtection: [
    preflight,
    (a) => a.preflightProtection({ regionId: 1, profile: { profile_template: 9 } }),
  ],
  pollVideos: [[video], (a) => a.pollVideos({ ids: '5', awaited: 'ready' })],
  readVideos: [[video], (a) => a.readVideos({ ids: '5', fields: VIDEO_FIELDS })],
  getSftpStorage: [storage, (a) => a.getSftpStorage({ storageId: 3 })],
  setSftpStorageKeys: [
    storage,
    (a) => a.setSftpStorageKeys({ storageId: 3, sshKeyIds: [1], seen: [] }),
  ],
  readKvStore: [{ name: 's', size: 1, revision: 2 }, (a) => a.readKvStore({ storeId: 1 })],
  getKvStore: [{ name: 's', comment: 'c' }, (a) => a.getKvStore({ storeId: 1 })],
  findKvStores: [
    { count: 1, stores: [{ id: 1, name: 's', comment: 'c' }] },
    (a) => a.findKvStores({ name: 's' }),
  ],
  compareKvChunk: [entry, (a) => a.compareKvChunk({ storeId: 1, source: { items: [item] } })],
  findKvDatatypes: [entry, (a) => a.findKvDatatypes({ storeId: 1, source: { items: [item] } })],
  sendKvChunk: [
    written,
    (a) => a.sendKvChunk({ storeId: 1, force: false, source: { items: [item] } }),
  ],
};

/** The bytes that Temporal would store for this call. */
async function storedBytes(call: Call, answer: Response): Promise<number> {
  const fetch = (): Promise<Response> => Promise.resolve(answer.clone());
  const api = createApiClient({ baseUrl: 'https://api.example.test', apiKey: 'key-4711', fetch });
  const activities = flattenGroups(createApiActivities({ api, poll: DEFAULT_POLL_POLICY }));
  try {
    return jsonByteLength((await inActivity(() => call(activities))) ?? null);
  } catch (error) {
    if (!(error instanceof ApplicationFailure)) throw error;
    return jsonByteLength([error.message, error.details]);
  }
}

/** Long texts, or long lists: both together would only take time. */
const growths: fc.Arbitrary<Growth> = fc.oneof(
  fc.record({
    isEverywhere: fc.boolean(),
    text: fc
      .tuple(fc.constantFrom('x', '\u0001', '"', 'ß', '😀', 'a b ', '</'), fc.nat(30_000))
      .map(([unit, count]) => unit.repeat(count)),
    rows: fc.constantFrom(1, 3),
    entries: fc.constantFrom(1, 3),
  }),
  fc.record({
    isEverywhere: fc.constant(false),
    text: fc.constantFrom('', 'xyz', '\u0001'.repeat(99)),
    rows: fc.constantFrom(1, 900),
    entries: fc.constantFrom(1, 4),
  }),
  fc.record({
    isEverywhere: fc.constant(false),
    text: fc.constantFrom('', 'xyz', '\u0001'.repeat(99)),
    rows: fc.constant(1),
    entries: fc.constantFrom(1, 2_000),
  }),
);

describe('what an activity returns', () => {
  it.each(Object.entries(CALLS))(
    'has at most 64 KiB, whatever the API answers to %s',
    async (_name, [answer, call]) => {
      const plain = await storedBytes(call, Response.json(answer));

      expect(plain).toBeLessThan(2_000);
      await fc.assert(
        fc.asyncProperty(growths, async (growth) => {
          const body = inflate(answer, growth);
          expect(await storedBytes(call, Response.json(body))).toBeLessThanOrEqual(MAX_BYTES);
        }),
        { numRuns: 12 },
      );
    },
  );

  it.each([400, 403, 409, 422, 500])(
    'has at most 64 KiB as a failure, whatever a %d says',
    async (status) => {
      const error = {
        exception_class: 'E',
        message: 'm',
        error: 'e',
        request_id: 'r',
        invalid_fields: { a: ['x'], b: ['y'] },
        errors: { c: 'z' },
      };
      const [, call] = CALLS['createDdosProfile'] ?? [];
      await fc.assert(
        fc.asyncProperty(growths, async (growth) => {
          const body = inflate(error, { ...growth, isEverywhere: true });
          const bytes = call && (await storedBytes(call, Response.json(body, { status })));
          expect(bytes).toBeLessThanOrEqual(MAX_BYTES);
        }),
        { numRuns: 12 },
      );
    },
  );
});
