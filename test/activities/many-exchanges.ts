import { createSimulator, type SimulatorState } from '../../src/simulator/index.js';
import type { ApiActivities } from '../../src/activities/index.js';
import type { VideoBatch } from '../../src/activities/videos/video-batch.js';
import { manyItems, stateWithStores, STORE } from '../support/worlds/kv-stores.js';
import { manyVideos } from '../support/worlds/videos.js';
import type { ActivityThat } from './activity-exchanges-table.js';
import { CROWD, crowdedTasks } from './crowded-tasks.js';
import { pages, snapshots } from './full-pages.js';
import { inActivity } from '../support/http/in-activity.js';
import { API_KEY, createScriptedApi, json } from '../support/http/scripted-api.js';
import { videosInPages } from './videos-in-pages.js';

type Answer = (request: Request) => Response | Promise<Response>;

/** A call of an activity that makes many exchanges, and the API that it asks. */
export interface ManyExchanges {
  answer: Answer;
  call: (activities: ApiActivities) => Promise<unknown>;
  /** Most reads that an attempt makes again; default 2. */
  again?: number;
}

type Many = ActivityThat<'repeats a read in place' | 'goes on from heartbeat'>;
const [KEYS, VIDEOS] = [45, 60];
const PLACE = { projectId: 1, regionId: 1 };
const MARKER = 'default/order-1';
const KEY = { public_key: 'ssh-ed25519 AAAA', created_at: '2026-05-01T12:00:00Z' };
const STORAGE = { name: 'media', provisioning_status: 'active' };
const WINDOW = { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' };

/** One case for each such activity: a missing one does not compile. */
export const MANY_EXCHANGES: Readonly<Record<Many, () => Promise<ManyExchanges>>> = {
  // The lists of an API that ignores the filter.
  listInstances: () =>
    Promise.resolve({
      answer: pages((at) => ({ ...toInstance(at), tags: tagsOf(at) })),
      call: (activities) => activities.listInstances({ ...PLACE, marker: MARKER }),
    }),

  listForeignInstances: () =>
    Promise.resolve({
      answer: pages((at) => ({ ...toInstance(at), tags: tagsOf(at) })),
      call: (activities) =>
        activities.listForeignInstances({
          ...PLACE,
          marker: MARKER,
          ids: ['row-4321', 'row-4322'],
        }),
    }),

  listVolumes: () =>
    Promise.resolve({
      answer: pages((at) => ({ ...toInstance(at), tags: tagsOf(at) })),
      call: (activities) => activities.listVolumes({ ...PLACE, marker: MARKER }),
    }),

  listMarkedVolumes: () =>
    Promise.resolve({
      answer: pages((at) => ({ ...toInstance(at), tags: tagsOf(at) })),
      call: (activities) => activities.listMarkedVolumes({ ...PLACE, marker: MARKER }),
    }),

  listFloatingIps: () =>
    Promise.resolve({
      answer: pages((at) => ({ id: `row-${at}`, creator_task_id: `task-${at}` })),
      call: (activities) =>
        activities.listFloatingIps({ ...PLACE, creatorTaskIds: ['task-3', 'task-4321'] }),
    }),

  listFloatingIpsOfInstance: () =>
    Promise.resolve({
      answer: pages((at) => ({ id: `row-${at}`, floating_ip_address: `address-${at}` })),
      call: (activities) =>
        activities.listFloatingIpsOfInstance({
          ...PLACE,
          instanceId: 'none',
          addresses: ['address-3', 'address-4321'],
        }),
    }),

  listSshKeyIds: () =>
    Promise.resolve({
      answer: pages((at) => ({ id: at, name: 'ingest', ...KEY })),
      call: (activities) => activities.listSshKeyIds({ names: ['ingest'] }),
    }),

  getUsedVolume: () => {
    const list = snapshots();
    return Promise.resolve({
      answer: (request) => {
        const isList = request.url.includes('/snapshots/');
        return isList ? list(request) : json({ id: 'v-4321', status: 'available' });
      },
      call: (activities) => activities.getUsedVolume({ ...PLACE, id: 'v-4321' }),
    });
  },

  listExistingParts: () =>
    Promise.resolve({
      answer: (request) => {
        const id = request.url.split('/').at(-1) ?? '';
        return json({ id, status: 'available', attachments: [] });
      },
      call: (activities) => {
        const volumeIds = Array.from({ length: KEYS }, (_, at) => `volume-${at}`);
        return activities.listExistingParts({ ...PLACE, volumeIds, floatingIpIds: [] });
      },
    }),

  hasActiveTasks: () =>
    Promise.resolve({
      answer: (request) => {
        const type = new URL(request.url).searchParams.get('task_type');
        const row = { id: 'task', task_type: type ?? 'create_vm', state: 'RUNNING' };
        return type === null ? pages(() => row)(request) : json({ count: 1, results: [row] });
      },
      call: ({ hasActiveTasks }) =>
        hasActiveTasks({ ...PLACE, types: ['update_ddos_profile'], from: WINDOW.from }),
    }),

  listCreateTasks: () =>
    Promise.resolve({
      answer: crowdedTasks,
      // The pages of the three lists, and the last two single reads.
      again: 9,
      call: ({ listCreateTasks }) =>
        listCreateTasks({
          ...PLACE,
          ...WINDOW,
          name: 'web',
          marker: CROWD.marker,
          maker: 'maker-1',
        }),
    }),

  // The tasks of an API that ignores the filter.
  listActionTasks: () =>
    Promise.resolve({
      answer: pages((at) => ({
        id: `task-${at}`,
        task_type: at % 2 === 0 ? 'stop_vm' : 'delete_vm',
        state: 'FINISHED',
        data: { instance_id: `i-${at}` },
      })),
      call: ({ listActionTasks }) =>
        listActionTasks({
          ...PLACE,
          ...WINDOW,
          of: { kind: 'instance', id: 'i-4000' },
          type: 'stop_vm',
        }),
    }),

  // The tasks of an API that ignores the filter.
  listMakeTasks: () =>
    Promise.resolve({
      answer: pages((at) => ({ id: `task-${at}`, task_type: 'delete_vm', state: 'FINISHED' })),
      call: ({ listMakeTasks }) =>
        listMakeTasks({
          ...PLACE,
          ...WINDOW,
          type: 'create_snapshot',
          name: 'before',
          marker: 'm',
          maker: 'r',
        }),
    }),

  listMarkedSnapshots: () =>
    Promise.resolve({
      answer: snapshots(),
      call: (activities) =>
        activities.listMarkedSnapshots({
          ...PLACE,
          volumeId: 'v-4000',
          marker: 'm',
          namespaceId: 'n',
        }),
    }),

  findLastSnapshot: () =>
    Promise.resolve({
      answer: snapshots(),
      call: (activities) => activities.findLastSnapshot({ ...PLACE, volumeId: 'v-4000' }),
    }),

  getRevertibleVolume: () =>
    Promise.resolve({
      answer: (request: Request) =>
        request.url.includes('/volumes/')
          ? json({ id: 'v-4000', status: 'available' })
          : snapshots()(request),
      call: (activities) => activities.getRevertibleVolume({ ...PLACE, volumeId: 'v-4000' }),
    }),

  findListedFloatingIp: () =>
    Promise.resolve({
      answer: pages((at) => ({ id: `floating-${at}`, port_id: `port-${at}` })),
      call: (activities) => activities.findListedFloatingIp({ ...PLACE, id: 'floating-4999' }),
    }),

  listInterfaces: () =>
    Promise.resolve({
      answer: pages((at) => ({ port_id: `port-${at}`, ip_assignments: [] })),
      call: (activities) => activities.listInterfaces({ ...PLACE, instanceId: 'instance' }),
    }),

  listFlavors: () =>
    Promise.resolve({
      answer: pages((at) => ({ flavor_id: `f-${at}`, flavor_name: 'f', vcpus: 1, ram: 1 })),
      call: (activities) => activities.listFlavors(PLACE),
    }),

  findCloudSshKeyNames: () =>
    Promise.resolve({
      answer: pages((at) => ({ name: `key-${at}` })),
      call: (activities) =>
        activities.findCloudSshKeyNames({ projectId: 1, names: ['key-1', 'key-4999', 'other'] }),
    }),

  findSshKeys: () =>
    Promise.resolve({
      answer: pages((at) => ({ ...KEY, id: at, name: `key-${at}` })),
      call: (activities) => activities.findSshKeys({ name: 'key-4999', publicKey: KEY.public_key }),
    }),

  findKvStores: () =>
    Promise.resolve({
      answer: pages((at) => ({ id: at, name: `store-${at}`, app_count: 0 }), 'stores'),
      call: (activities) => activities.findKvStores({ name: 'store-4999' }),
    }),

  isPartListed: () =>
    Promise.resolve({
      answer: pages((at) => ({ id: `row-${at}` })),
      call: (activities) =>
        activities.isPartListed({ ...PLACE, kind: 'floating-ip', id: 'row-4321' }),
    }),

  isInstanceListed: () =>
    Promise.resolve({
      answer: pages((at) => ({ id: `row-${at}` })),
      call: (activities) => activities.isInstanceListed({ ...PLACE, id: 'row-5432' }),
    }),

  isVolumeListed: () =>
    Promise.resolve({
      answer: pages((at) => ({ id: `row-${at}` })),
      call: (activities) => activities.isVolumeListed({ ...PLACE, id: 'row-5432' }),
    }),

  isSshKeyListed: () =>
    Promise.resolve({
      answer: pages((at) => ({ ...KEY, id: at, name: `key-${at}` })),
      call: (activities) => activities.isSshKeyListed({ keyId: 4_999 }),
    }),

  isKvStoreListed: () =>
    Promise.resolve({
      answer: pages((at) => ({ id: at, name: `store-${at}`, app_count: 0 }), 'stores'),
      call: (activities) => activities.isKvStoreListed({ storeId: 4_999 }),
    }),

  // An API that ignores the filter.
  isVideoListed: () =>
    Promise.resolve({
      answer: videosInPages,
      call: (activities) => activities.isVideoListed({ videoId: 1 }),
    }),

  listStoragesOfKey: () =>
    Promise.resolve({
      answer: pages((at) => ({ ...STORAGE, id: at, ssh_key_ids: [at] })),
      call: (activities) => activities.listStoragesOfKey({ keyId: 4_999 }),
    }),

  isSftpStorageListed: () =>
    Promise.resolve({
      answer: pages((at) => ({ ...STORAGE, id: at, ssh_key_ids: [] })),
      call: (activities) => activities.isSftpStorageListed({ storageId: 4_999 }),
    }),

  findSftpStorages: () =>
    Promise.resolve({
      answer: pages((at) => ({ ...STORAGE, id: at, name: `media-${at}`, ssh_key_ids: [] })),
      // The pages of both lists.
      again: 4,
      call: (activities) =>
        activities.findSftpStorages({ name: 'media-4999', location: 'media-1' }),
    }),

  findSubtitles: () => {
    const titled = { name: 'English', language: 'eng' };
    const rows = Array.from({ length: 10 }, (_, id) => ({ ...titled, id }));
    const one = { ...titled, vtt: 'WEBVTT' };
    return Promise.resolve({
      answer: ({ url }) => json(url.endsWith('/subtitles') ? rows : { ...one, id: 1 }),
      call: (activities) => activities.findSubtitles({ ...titled, videoId: 7, digest: 'other' }),
    });
  },

  listRecentTasks: () =>
    Promise.resolve({
      answer: pages((at) => ({ id: `task-${at}`, task_type: 'create_network', state: 'RUNNING' })),
      call: (activities) => activities.listRecentTasks(WINDOW),
    }),

  listDdosProfiles: () =>
    Promise.resolve({
      answer: pages((id) => ({
        id,
        ip_address: id === 4_321 ? '203.0.113.7' : '203.0.113.8',
        options: { active: true, bgp: false },
      })),
      call: (activities) => activities.listDdosProfiles({ ...PLACE, address: '203.0.113.7' }),
    }),

  preflightProtection: async () => {
    const { answer } = await simulated({});
    const profile = { profile_template: 12, fields: [{ base_field: 1, field_value: [443] }] };
    return {
      answer,
      call: (activities) => activities.preflightProtection({ regionId: 1, profile }),
    };
  },

  pollVideos: () =>
    Promise.resolve({
      answer: videosInPages,
      call: ({ pollVideos }) => pollVideos({ ids: '1-100', awaited: 'ready' }),
    }),
  readVideos: () =>
    Promise.resolve({
      answer: videosInPages,
      call: ({ readVideos }) => readVideos({ ids: '1-100', fields: ['status'] }),
    }),

  findVideoBatch: async () => {
    const { answer, activities } = await simulated({});
    const items = manyVideos(VIDEOS).map((value, at) => ({
      line: at + 1,
      value: { ...value, client_user_id: at + 1 },
    }));
    const batch: VideoBatch = { name: 'run 1', items: { kind: 'inline', items } };
    await inActivity(() =>
      activities.createVideoBatch({ ...batch, maker: 'maker-1', only: '1-20 31-60' }),
    );
    return {
      answer,
      call: ({ findVideoBatch }) => findVideoBatch({ ...batch, since: 0, known: ['3'] }),
    };
  },

  findKvDatatypes: async () => {
    const { answer, source } = await simulatedStore();
    return { answer, call: ({ findKvDatatypes }) => findKvDatatypes({ storeId: STORE, source }) };
  },

  compareKvChunk: async () => {
    const { answer, source } = await simulatedStore();
    return { answer, call: ({ compareKvChunk }) => compareKvChunk({ storeId: STORE, source }) };
  },
};

function toInstance(at: number) {
  return { id: `row-${at}`, name: 'web', status: 'ACTIVE' };
}

function tagsOf(at: number) {
  return at === 4_321 ? [{ key: 'workflow-request', value: MARKER }] : [];
}

async function simulated(state: Partial<SimulatorState>) {
  const simulator = createSimulator({
    unknownFields: 'refused',
    apiKey: API_KEY,
    state: { ...createSimulator().snapshot(), ...state },
  });
  const answer: Answer = (request) => simulator.fetch(request);
  return Promise.resolve({ answer, activities: createScriptedApi(answer).activities });
}

/** Some keys have another value, and some are missing. */
async function simulatedStore() {
  const { answer, activities } = await simulated(stateWithStores());
  const items = manyItems(KEYS);
  const written = manyItems(KEYS - 5);
  await inActivity(() =>
    activities.sendKvChunk({ storeId: STORE, force: false, source: { items: written } }),
  );
  return { answer, source: { items } };
}
