import { createTwinFinder, parseItem } from '../../../src/contract/batch-items.js';
import type { BatchedOperation } from '../../../src/contract/wire/batch.js';
import type { Operation } from '../../../src/contract/wire/names.js';
import { DEFAULT_ACCOUNT } from '../../../src/engine/core/names.js';
import { provisionInput } from '../../support/inputs/provision-input.js';
import { NETWORK } from '../../support/inputs/bad-inputs.js';
import { video } from '../../support/worlds/videos.js';
import { add } from '../../support/worlds/kv-stores.js';
import { PUBLIC_KEY } from '../../support/worlds/ssh-keys.js';
import {
  bootVolumeOf,
  dataVolumeOf,
  floatingIpOf,
  instanceIdOf,
  portOf,
  snapshotOf,
} from '../../support/worlds/instances.js';
import type { Draw } from '../time/draw.js';
import { ADDRESSES, INSTANCES, KEYS, PROTECTION, STORAGES, STORES, VIDEOS } from './cloud.js';

/** What somebody asks for, under a name of their own. */
export interface Request {
  operation: Operation;
  requestId: string | undefined;
  input: Record<string, unknown>;
}

/** A secret that inputs name; its value must appear nowhere. */
export const SECRET_NAME = 'ingest-sftp';
export const SECRET_VALUE = 'Zq7-secret-of-the-simulation-4Kx';

interface Asking {
  draw: Draw;
  /** What new things are called. */
  name: string;
  /** What requests may be for; everything when left out. */
  only?: readonly Operation[] | undefined;
}

const PLACE = { projectId: 1, regionId: 1 };
const OTHER_REGION = 2;
const EXTERNAL = [{ type: 'external' as const }];
const INTERFACES = [{ type: 'any_subnet' as const, network_id: NETWORK }];
const WITH_FLOATING_IP = [
  { type: 'any_subnet' as const, network_id: NETWORK, floating_ip: { source: 'new' as const } },
];

const onFailureOf = (draw: Draw): object => (draw.chance(0.2) ? { onFailure: 'keep' } : {});
const onBlockedOf = (draw: Draw): object => (draw.chance(0.2) ? { onBlocked: 'fail' } : {});
const deadlineOf = (draw: Draw): object =>
  draw.chance(0.1) ? { deadline: draw.pick(['2 minutes', '20 minutes', '2 hours']) } : {};

/** The label by which people find the runs that belong together. */
export const GROUP = 'fleet';

const labelsOf = (draw: Draw): object => (draw.chance(0.5) ? { labels: { group: GROUP } } : {});

/** Fields that every operation takes. */
const common = (draw: Draw): object => ({
  ...onBlockedOf(draw),
  ...deadlineOf(draw),
  ...labelsOf(draw.fork('labels')),
});

/** Names as people give them: an API may store them in another form. */
const spoken = (draw: Draw, name: string): string =>
  draw.pick([name, name, `Vidéo ${name}`, `${name}  "A&B"`, `${name.toUpperCase()} Ünit`]);

/** Some want nothing to be said. */
const emptyAs = (field: 'comment' | 'description', draw: Draw): object =>
  draw.fork(`empty ${field}`).chance(0.15) ? { [field]: '' } : {};

const choice = (draw: Draw, ids: readonly string[]): unknown =>
  draw.pick<unknown>(['delete', 'keep', ids]);

/** How somebody asks for each operation in the cloud of `drawCloud`. */
const INPUTS = {
  provisionInstance: ({ draw, name }) => {
    const isProtected = draw.chance(0.25);
    const interfaces = isProtected || draw.chance(0.5) ? WITH_FLOATING_IP : INTERFACES;
    const isElsewhere = draw.fork(`elsewhere ${name}`).chance(0.12);
    return {
      // Another region has other networks.
      ...provisionInput({ name, interfaces: isElsewhere ? EXTERNAL : [...interfaces] }),
      ...(isProtected && { protect: PROTECTION }),
      ...(draw.chance(0.15) && { alternatives: [{ flavor: 'g2-standard-4-8' }] }),
      ...onFailureOf(draw),
      ...(isElsewhere && { alternatives: [{ regionId: OTHER_REGION }] }),
    };
  },
  protectIp: ({ draw }) => ({
    ...PLACE,
    profile: { ip_address: draw.pick(ADDRESSES), ...PROTECTION },
    ...(draw.chance(0.3) && { holdFor: draw.pick(['2 minutes', '30 minutes', '5 hours']) }),
    ...onFailureOf(draw),
  }),
  listSshKeys: ({ draw }) => (draw.chance(0.5) ? {} : { name: draw.pick(KEYS) }),
  listVideos: () => ({ ids: `${VIDEOS[0]}-${VIDEOS.length}` }),
  grantSftpAccess: ({ draw }) => ({
    storageId: draw.pick(STORAGES),
    keyNames: draw.shuffled(KEYS).slice(0, draw.number(1, 2)),
    ...onFailureOf(draw),
  }),
  importVideos: ({ draw, name }) => ({
    videos: Array.from({ length: draw.number(1, 4) }, (_, at) =>
      video(`${spoken(draw, name)} film ${at}`),
    ),
  }),
  modifyKvStore: ({ draw, name }) => ({
    storeId: draw.pick(STORES),
    items: Array.from({ length: draw.number(1, 5) }, (_, at) => add(`key-${at}`, `${name} ${at}`)),
    chunkItems: 2,
    verify: 'all',
  }),
  deleteInstance: ({ draw }) => {
    const of = draw.pick(INSTANCES);
    return {
      ...PLACE,
      ...(draw.chance(0.2)
        ? {
            madeBy: draw.pick([
              'provision-instance/default/web-1',
              'run-batch/default/web-1',
              'provision-instance/default/wbe-1',
            ]),
            ...(draw.fork('region of the maker').chance(0.3) && { regionId: OTHER_REGION }),
          }
        : { instanceId: instanceIdOf(of) }),
      volumes: choice(draw, [draw.pick([bootVolumeOf(of), dataVolumeOf(of)])]),
      floatingIps: choice(draw, [floatingIpOf(of)]),
      ...(draw.chance(0.15) && { unlessFloatingIpId: floatingIpOf(of) }),
    };
  },
  resizeInstance: ({ draw }) => ({
    ...PLACE,
    instanceId: instanceIdOf(draw.pick(INSTANCES)),
    flavor: draw.pick(['g2-standard-4-8', 'g2-standard-2-4']),
  }),
  setInstancePower: ({ draw }) => ({
    ...PLACE,
    instanceId: instanceIdOf(draw.pick(INSTANCES)),
    action: draw.pick(['start', 'stop', 'reboot', 'reboot_hard']),
  }),
  extendVolume: ({ draw }) => ({
    ...PLACE,
    volumeId: dataVolumeOf(draw.pick(INSTANCES)),
    size: draw.pick([40, 60]),
  }),
  attachVolume: ({ draw }) => ({
    ...PLACE,
    volumeId: dataVolumeOf(draw.pick(INSTANCES)),
    instanceId: instanceIdOf(draw.pick(INSTANCES)),
  }),
  detachVolume: ({ draw }) => {
    const of = draw.pick(INSTANCES);
    return { ...PLACE, volumeId: dataVolumeOf(of), instanceId: instanceIdOf(of) };
  },
  revertVolume: ({ draw }) => {
    const of = draw.pick(INSTANCES);
    return { ...PLACE, volumeId: dataVolumeOf(of), snapshotId: snapshotOf(of) };
  },
  removeProtection: ({ draw }) => ({ ...PLACE, address: draw.pick(ADDRESSES) }),
  moveFloatingIp: ({ draw }) => {
    const of = draw.pick(INSTANCES);
    return {
      ...PLACE,
      floatingIpId: floatingIpOf(of),
      instanceId: instanceIdOf(draw.pick(INSTANCES)),
      ...(draw.chance(0.3) && { fromPortId: portOf(of) }),
    };
  },
  createVolume: ({ draw, name }) => ({
    ...PLACE,
    source: 'new-volume',
    name,
    size: 20,
    ...onFailureOf(draw),
  }),
  snapshotVolume: ({ draw, name }) => ({
    ...PLACE,
    volumeId: dataVolumeOf(draw.pick(INSTANCES)),
    name,
    ...onFailureOf(draw),
  }),
  createSshKey: ({ draw, name }) => ({
    name: draw.pick([name, name.toUpperCase()]),
    publicKey: PUBLIC_KEY,
  }),
  deleteSshKey: ({ draw }) => ({ keyId: draw.number(1, KEYS.length) }),
  createKvStore: ({ draw, name }) => ({
    name: spoken(draw, name),
    comment: 'made',
    ...emptyAs('comment', draw),
  }),
  replaceKvStore: ({ draw, name }) => ({
    storeId: draw.pick(STORES),
    comment: spoken(draw, name),
    ...emptyAs('comment', draw),
  }),
  deleteKvStore: ({ draw }) => ({ storeId: draw.pick(STORES) }),
  createSftpStorage: ({ name }) => ({ name, location: 's-region-1' }),
  rotateSftpPassword: ({ draw }) => ({
    storageId: draw.pick(STORAGES),
    password: { $secret: SECRET_NAME },
  }),
  deleteVideo: ({ draw }) => ({ videoId: draw.pick(VIDEOS) }),
  updateVideo: ({ draw, name }) => ({
    videoId: draw.pick(VIDEOS),
    name: spoken(draw, name),
    ...emptyAs('description', draw),
  }),
  addSubtitles: ({ draw, name }) => ({
    videoId: draw.pick(VIDEOS),
    name: spoken(draw, name),
    language: 'eng',
    vtt: 'WEBVTT\n',
  }),
  replaceInstance: ({ draw, name }) => {
    const of = draw.pick(INSTANCES);
    return {
      ...provisionInput({ name, interfaces: [...INTERFACES] }),
      instanceId: instanceIdOf(of),
      floatingIpId: floatingIpOf(of),
      ...(draw.chance(0.6) && { deleteOld: { volumes: draw.pick(['delete', 'keep']) } }),
      ...onFailureOf(draw),
    };
  },
  callApi: ({ draw, name }) => {
    const path = `/cloud/v1/volumes/1/1/${dataVolumeOf(draw.pick(INSTANCES))}`;
    const look = { path, pointer: '/name', equals: name };
    const tags = { owner: { $secret: SECRET_NAME } };
    return { method: 'PATCH', path, body: { name, tags }, look };
  },
  runBatch: ({ draw, name, only }) => {
    const meant = BATCHED.filter((each) => only?.includes(each));
    const operation = draw.pick(meant.length > 0 ? meant : BATCHED);
    const count = draw.number(2, 5);
    const items = Array.from({ length: count }, (_, at) => {
      const item = withoutPlace(INPUTS[operation]({ draw, name: `${name}-item-${at}` }));
      return draw.chance(0.3) ? { ...item, requestId: `item-${draw.number(0, 3)}` } : item;
    });
    // A few keep lines that change the same thing: those are refused.
    const hasTwins = draw.fork('twins').chance(0.1);
    return {
      operation,
      items: hasTwins ? items : withoutTwins(operation, items),
      ...(PLACED.has(operation) && { defaults: PLACE }),
      atOnce: draw.number(1, 4),
      ...(draw.chance(0.3) && { onAbort: 'cancel' }),
      ...(draw.chance(0.4) && { tolerate: { count: 2 } }),
      ...(draw.chance(0.2) && { canary: 1 }),
    };
  },
} satisfies Record<Operation, (asking: Asking) => object>;

/** The items that change what none before them changes, by their whole inputs. */
function withoutTwins(operation: BatchedOperation, items: readonly object[]): object[] {
  const defaults = PLACED.has(operation) ? PLACE : {};
  const terms = { operation, account: DEFAULT_ACCOUNT, prefix: '', defaults };
  const twins = createTwinFinder(terms);
  return items.filter((item, at) => {
    const parsed = parseItem(terms, item);
    return !parsed.ok || twins(at + 1, parsed.value).length === 0;
  });
}

/** Those that batches of the simulation are made of. */
const BATCHED = [
  'provisionInstance',
  'protectIp',
  'deleteInstance',
  'setInstancePower',
  'createVolume',
  'attachVolume',
  'removeProtection',
  'createKvStore',
  'deleteVideo',
] as const satisfies readonly Operation[];

const PLACED: ReadonlySet<Operation> = new Set([
  'provisionInstance',
  'protectIp',
  'deleteInstance',
  'setInstancePower',
  'createVolume',
  'attachVolume',
  'removeProtection',
]);

/** Those whose id follows from their input. */
const NAMED_BY_INPUT: ReadonlySet<Operation> = new Set(['protectIp', 'removeProtection']);

function toRecord(value: object): Record<string, unknown> {
  return { ...value };
}

function withoutPlace(input: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(input).filter(([name]) => !(name in PLACE)));
}

/** A list, as somebody gives it again: its lines have moved, and one of them may be taken out. Other requests stay. */
export function drawCorrected(draw: Draw, request: Request): Request {
  const { items } = request.input;
  if (request.operation !== 'runBatch' || !Array.isArray(items) || draw.chance(0.5)) return request;
  const moved = draw.shuffled(items);
  const isShorter = moved.length > 1 && draw.chance(0.7);
  return { ...request, input: { ...request.input, items: isShorter ? moved.slice(1) : moved } };
}

/** The same list, with one of its lines corrected: what it makes is named by what the line says, and is larger now. */
export function withChangedLine(draw: Draw, request: Request): Request | undefined {
  const { items } = request.input;
  if (request.operation !== 'runBatch' || !Array.isArray(items)) return undefined;
  const lines = items.map(toRecord);
  const changed = lines.flatMap((line, at) => {
    const larger = 'requestId' in line ? undefined : enlarged(line);
    return larger === undefined ? [] : [lines.with(at, toRecord(larger))];
  });
  if (changed.length === 0) return undefined;
  return { ...request, input: { ...request.input, items: draw.pick(changed) } };
}

/** The same request in another region; of a list all of its lines, or one. Undefined where it names no region. */
export function inOtherRegion(draw: Draw, request: Request): Request | undefined {
  const { input } = request;
  if (input['regionId'] !== undefined) {
    return { ...request, input: { ...input, regionId: OTHER_REGION } };
  }
  const { items, defaults } = input;
  if (!Array.isArray(items) || defaults === undefined) return undefined;
  const lines = items.map(toRecord);
  const at = draw.number(0, lines.length - 1);
  const moved = draw.chance(0.5)
    ? { defaults: { ...PLACE, regionId: OTHER_REGION } }
    : { items: lines.with(at, { ...lines[at], regionId: OTHER_REGION }) };
  return { ...request, input: { ...input, ...moved } };
}

/** The same request by another name, or of another thing. Undefined where a marker finds what it makes. */
export function withOtherName(draw: Draw, request: Request): Request | undefined {
  const { operation, input } = request;
  if (operation === 'snapshotVolume') {
    const volumeId = dataVolumeOf(draw.pick(INSTANCES));
    return { ...request, input: { ...input, volumeId } };
  }
  const isNamed: readonly Operation[] = [
    ...(['createKvStore', 'createSshKey', 'createSftpStorage', 'addSubtitles'] as const),
  ];
  if (!isNamed.includes(operation)) return undefined;
  return { ...request, input: { ...input, name: `${String(input['name'])}-2` } };
}

/** The same request, where that names a call: one that makes a volume, or deletes one. */
export function withMakingCall(draw: Draw, request: Request): Request {
  const { operation, requestId = '', input } = request;
  if (operation !== 'callApi') return request;
  const path = '/cloud/v1/volumes/1/1';
  const named: readonly string[] = ['method', 'path', 'body', 'look'];
  const rest = Object.fromEntries(Object.entries(input).filter(([key]) => !named.includes(key)));
  if (draw.chance(0.3)) {
    const one = `${path}/${dataVolumeOf(draw.pick(INSTANCES))}`;
    const call = { method: 'DELETE', path: one, look: { path: one, gone: true } };
    return { ...request, input: { ...rest, ...call } };
  }
  const name = `called-${requestId}`;
  const look = { path, query: { name_part: name }, pointer: '/results/0/name', equals: name };
  const call = { method: 'POST', path, body: { source: 'new-volume', name, size: 5 } };
  return { ...request, input: { ...rest, ...call, ...(draw.chance(0.8) && { look }) } };
}

function enlarged({ instance, ...line }: Record<string, unknown>): object | undefined {
  if (line['source'] === 'new-volume') return { ...line, size: 30 };
  if (typeof instance !== 'object' || instance === null) return undefined;
  return { ...line, instance: { ...instance, flavor: 'g2-standard-4-8' } };
}

/** One request for this operation. The same draw asks for the same. A batch has items of what is asked for alone, if it can. */
export function drawRequest(operation: Operation, asking: Asking): Request {
  const { draw, name } = asking;
  const input = { ...toRecord(INPUTS[operation](asking)), ...common(draw) };
  return {
    operation,
    requestId: NAMED_BY_INPUT.has(operation) ? undefined : name,
    input,
  };
}

/** The same requests, where a batch begins with what another one asks for by itself. */
export function withSharedLines(draw: Draw, requests: readonly Request[]): Request[] {
  const singles = requests.flatMap(({ operation, requestId, input }) => {
    const batched = BATCHED.find((one) => one === operation);
    const item = { ...withoutPlace(input), ...(requestId !== undefined && { requestId }) };
    return batched === undefined ? [] : [{ operation: batched, item }];
  });
  if (singles.length === 0) return [...requests];
  return requests.map((request, at) => {
    if (request.operation !== 'runBatch') return request;
    const own = draw.fork(`batch ${at}`);
    const { operation, item } = own.pick(singles);
    const others = [1, 2].map((line) =>
      withoutPlace(INPUTS[operation]({ draw: own, name: `beside-${line}` })),
    );
    const items = withoutTwins(operation, [item, ...others]);
    const defaults = PLACED.has(operation) ? PLACE : undefined;
    // Whoever takes back the batch may not take the other one's along.
    const onAbort = own.chance(0.8) ? 'cancel' : 'leave';
    return { ...request, input: { ...request.input, operation, items, defaults, onAbort } };
  });
}
