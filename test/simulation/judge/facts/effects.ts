import type { CallRecord } from '../../world/records.js';
import type { Effect, RowKind, Rows } from './rows.js';
import type { SimulatorState } from '../../../../src/simulator/index.js';
import { effectsOfTask } from './task-effects.js';
import { at, idAt, isRecord, listAt, parsed, textsAt } from './values.js';

/** What effects follow from: all tasks of the world, and the cloud as it was about the time of the call. */
export interface EffectFacts {
  tasks: ReadonlyMap<string, Rows['tasks']>;
  cloud: SimulatorState;
}

/** Posts that only ask. */
const ASKS =
  /\/check_limits$|\/available_flavors$|^\/cloud\/v\d\/pricing\/|^\/(?:cloud\/)?v1\/tasks/;
const KV_DATA = /^\/fastedge\/v1\/kv\/(\d+)\/data$/;

export function isMutating({ method, path }: Pick<CallRecord, 'method' | 'path'>): boolean {
  return method !== 'GET' && method !== 'HEAD' && !ASKS.test(pathOf(path));
}

export function pathOf(path: string): string {
  return path.split('?', 1)[0] ?? path;
}

/** Whether it has changed something, as far as its answer tells. A refused write of KV data may have written a part. */
export function wasCarriedOut(call: CallRecord): boolean {
  if (!isMutating(call)) return false;
  const isTaken = call.status >= 200 && call.status < 300 && call.hasReachedNothing !== true;
  return isTaken || (call.status === 400 && KV_DATA.test(pathOf(call.path)));
}

/** What a call has done, also what its tasks do until they end. */
export function effectsOf(call: CallRecord, facts: EffectFacts): Effect[] {
  if (!wasCarriedOut(call)) return [];
  const tasks = textsAt(call.answer, 'tasks').flatMap((id) => facts.tasks.get(id) ?? []);
  if (tasks.length > 0) return tasks.flatMap((task) => effectsOfTask(task, facts.cloud));
  const path = pathOf(call.path);
  for (const rule of RULES) {
    const match = rule.path.exec(path);
    if (match !== null && (rule.method === undefined || rule.method === call.method)) {
      return rule.effects({ call, facts, ids: match.slice(1) });
    }
  }
  return [];
}

interface Matched {
  call: CallRecord;
  facts: EffectFacts;
  /** The groups of the path. */
  ids: readonly string[];
}

interface Rule {
  method?: string;
  path: RegExp;
  effects: (matched: Matched) => Effect[];
}

const PLACE = String.raw`\d+\/\d+`;
const ATTACHMENT = ['portId', 'fixedIpAddress', 'instanceId'];

/** Calls without tasks. The first rule that fits is the one. */
const RULES: readonly Rule[] = [
  {
    method: 'PATCH',
    path: cloud('instances', '/([^/]+)$'),
    effects: changes('instances', ['name', 'tags']),
  },
  {
    method: 'PATCH',
    path: cloud('volumes', '/([^/]+)$'),
    effects: changes('volumes', ['name', 'tags']),
  },
  {
    method: 'PATCH',
    path: cloud('snapshots', '/([^/]+)$'),
    effects: changes('snapshots', ['name', 'tags']),
  },
  { path: cloud('volumes', '/([^/]+)/retype$'), effects: changes('volumes', ['volumeType']) },
  { path: cloud('volumes', '/([^/]+)/revert$'), effects: changes('volumes', ['status']) },
  {
    path: cloud('floatingips', '/([^/]+)/(?:un)?assign$'),
    effects: changes('floatingIps', ATTACHMENT),
  },
  { path: cloud('ports', '/([^/]+)/\\w+_port_security$'), effects: portEffects },
  { method: 'POST', path: /^\/storage\/v4\/ssh_keys$/, effects: makes('sshKeys') },
  { method: 'DELETE', path: /^\/storage\/v4\/ssh_keys\/(\d+)$/, effects: keyRemoval },
  { method: 'POST', path: /^\/storage\/v4\/sftp_storages$/, effects: makes('sftpStorages') },
  { method: 'PATCH', path: /^\/storage\/v4\/sftp_storages\/(\d+)$/, effects: storageChange },
  {
    method: 'DELETE',
    path: /^\/storage\/v4\/sftp_storages\/(\d+)$/,
    effects: deletes('sftpStorages'),
  },
  { method: 'PUT', path: KV_DATA, effects: kvWrites },
  { method: 'POST', path: /^\/fastedge\/v1\/kv$/, effects: makes('kvStores') },
  {
    method: 'PUT',
    path: /^\/fastedge\/v1\/kv\/(\d+)$/,
    effects: changes('kvStores', ['name', 'comment', 'byod']),
  },
  { method: 'DELETE', path: /^\/fastedge\/v1\/kv\/(\d+)$/, effects: storeRemoval },
  { method: 'POST', path: /^\/streaming\/videos(?:\/batch)?$/, effects: madeVideos },
  { method: 'POST', path: /^\/streaming\/videos\/\d+\/subtitles$/, effects: makes('subtitles') },
  {
    method: 'PATCH',
    path: /^\/streaming\/videos\/\d+\/subtitles\/(\d+)$/,
    effects: changes('subtitles'),
  },
  {
    method: 'DELETE',
    path: /^\/streaming\/videos\/\d+\/subtitles\/(\d+)$/,
    effects: deletes('subtitles'),
  },
  { method: 'PATCH', path: /^\/streaming\/videos\/(\d+)$/, effects: changes('videos') },
  { method: 'DELETE', path: /^\/streaming\/videos\/(\d+)$/, effects: videoRemoval },
  { method: 'POST', path: /^\/cloud\/v1\/ssh_keys\/\d+$/, effects: makes('cloudSshKeys') },
  {
    method: 'DELETE',
    path: /^\/cloud\/v1\/ssh_keys\/\d+\/([^/]+)$/,
    effects: deletes('cloudSshKeys'),
  },
  { path: /^\/cloud\/v1\/ssh_keys\/\d+\/([^/]+)/, effects: changes('cloudSshKeys') },
  {
    path: new RegExp(`^\\/cloud\\/v\\d\\/(\\w+)\\/${PLACE}(?:\\/([^/]+))?`),
    effects: otherEffects,
  },
];

/** A path below a list of a project and region. */
function cloud(list: string, rest: string): RegExp {
  return new RegExp(`^\\/cloud\\/v\\d\\/${list}\\/${PLACE}${rest}`);
}

function changes(rows: RowKind, fields?: readonly string[]): Rule['effects'] {
  return ({ ids: [id = ''] }) => [{ rows, id, does: 'changes', ...(fields && { fields }) }];
}

function deletes(rows: RowKind): Rule['effects'] {
  return ({ ids: [id = ''] }) => [{ rows, id, does: 'deletes' }];
}

function makes(rows: RowKind): Rule['effects'] {
  return ({ call }) => {
    const id = idAt(call.answer, 'id');
    return id === undefined ? [] : [{ rows, id, does: 'makes' }];
  };
}

function portEffects({ facts, ids: [portId] }: Matched): Effect[] {
  const holder = facts.cloud.instances.find(({ ports }) =>
    ports.some((port) => port.portId === portId),
  );
  return holder ? [{ rows: 'instances', id: holder.id, does: 'changes', fields: ['ports'] }] : [];
}

/** The API unlinks it from every storage. */
function keyRemoval({ facts, ids: [id = ''] }: Matched): Effect[] {
  const linked = facts.cloud.sftpStorages.filter(({ sshKeyIds }) => sshKeyIds.includes(Number(id)));
  const unlinks = linked.map((row): Effect => ({
    rows: 'sftpStorages',
    id: row.id,
    does: 'changes',
    fields: ['sshKeyIds'],
    isConsequence: true,
  }));
  return [{ rows: 'sshKeys', id, does: 'deletes' }, ...unlinks];
}

const STORAGE_FIELDS: Readonly<Record<string, string>> = {
  ssh_key_ids: 'sshKeyIds',
  password: 'hasPassword',
  sftp_password: 'hasPassword',
  password_mode: 'hasPassword',
  expires: 'expires',
  server_alias: 'serverAlias',
  is_http_disabled: 'isHttpDisabled',
  has_custom_config_file: 'hasCustomConfigFile',
};

function storageChange({ call, ids: [id = ''] }: Matched): Effect[] {
  const body = parsed(call.body);
  const named = isRecord(body) ? Object.keys(body).map((name) => STORAGE_FIELDS[name] ?? name) : [];
  const fields = [...new Set(named), 'change', 'settledAt'];
  return [{ rows: 'sftpStorages', id, does: 'changes', fields }];
}

function kvWrites({ call, ids: [storeId = ''] }: Matched): Effect[] {
  const items = parsed(call.body);
  const keys = (Array.isArray(items) ? items : []).flatMap((item) => idAt(item, 'key') ?? []);
  return [
    { rows: 'kvStores', id: storeId, does: 'changes', fields: ['revision'], isConsequence: true },
    ...keys.map((key): Effect => ({ rows: 'kvEntries', id: `${storeId}/${key}`, does: 'changes' })),
  ];
}

function storeRemoval({ facts, ids: [id = ''] }: Matched): Effect[] {
  const entries = facts.cloud.kvEntries.filter(({ storeId }) => storeId === id);
  return [
    { rows: 'kvStores', id, does: 'deletes' },
    ...entries.map((row): Effect => ({
      rows: 'kvEntries',
      id: row.id,
      does: 'deletes',
      isConsequence: true,
    })),
  ];
}

function videoRemoval({ facts, ids: [id = ''] }: Matched): Effect[] {
  const subtitles = facts.cloud.subtitles.filter(({ videoId }) => videoId === id);
  return [
    { rows: 'videos', id, does: 'deletes' },
    ...subtitles.map((row): Effect => ({
      rows: 'subtitles',
      id: row.id,
      does: 'deletes',
      isConsequence: true,
    })),
  ];
}

/** With the subtitles that a video brings along; they have no ids in the answer. */
function madeVideos({ call }: Matched): Effect[] {
  const made = Array.isArray(call.answer) ? call.answer : [call.answer];
  return made.flatMap((video: unknown): Effect[] => {
    const id = idAt(video, 'id') ?? idAt(at(video, 'video'), 'id');
    return id === undefined ? [] : [{ rows: 'videos', id, does: 'makes' }];
  });
}

const LISTS: Readonly<Record<string, RowKind>> = {
  networks: 'networks',
  subnets: 'subnets',
  images: 'images',
  securitygroups: 'securityGroups',
  servergroups: 'placementGroups',
  instances: 'instances',
  volumes: 'volumes',
  snapshots: 'snapshots',
  floatingips: 'floatingIps',
  reserved_fixed_ips: 'reservedFixedIps',
};

/** What no operation of the product calls: people do. */
function otherEffects({ call, facts, ids: [list = '', id] }: Matched): Effect[] {
  const rows = LISTS[list];
  if (rows === undefined) return ruleGroup(facts.cloud, list, id);
  if (id !== undefined && id !== '') {
    return [{ rows, id, does: call.method === 'DELETE' ? 'deletes' : 'changes' }];
  }
  const made = idAt(call.answer, 'id') ?? idAt(listAt(call.answer, 'results')[0], 'id');
  return made === undefined ? [] : [{ rows, id: made, does: 'makes' }];
}

function ruleGroup(cloudNow: SimulatorState, list: string, id: string | undefined): Effect[] {
  if (list !== 'securitygrouprules' || id === undefined) return [];
  const group = cloudNow.securityGroups.find(({ rules }) => rules.some((rule) => rule.id === id));
  return group ? [{ rows: 'securityGroups', id: group.id, does: 'changes' }] : [];
}
