import { createHash } from 'node:crypto';

import type { KvItem, KvMember } from '../../contract/api/kv-item.js';
import { badKvRequest } from '../http/cloud-error.js';
import type { KvEntryEntity, KvStoreEntity } from './simulator-state.js';
import type { World } from './world.js';

type Value = KvEntryEntity['values'][number];

/** A stored value above this many bytes is shown as its hash. */
const LONGEST_SHOWN = 1_024;

/** Entries whose time has come are gone; nothing else tells them apart. */
export function findEntry(world: World, storeId: string, key: string): KvEntryEntity | undefined {
  const entry = world.kvEntries.get(entryId(storeId, key));
  return entry === undefined || isExpired(world, entry) ? undefined : entry;
}

export function entriesOf(world: World, storeId: string): KvEntryEntity[] {
  return world.kvEntries.filter((row) => row.storeId === storeId && !isExpired(world, row));
}

function isExpired(world: World, { expiresAt }: Readonly<KvEntryEntity>): boolean {
  return expiresAt !== null && expiresAt <= world.now();
}

function entryId(storeId: string, key: string): string {
  return `${storeId}/${key}`;
}

export interface Written {
  writes: number;
  deletes: number;
  bytes: number;
}

/**
 * Carries out one item. Whether a request is all or nothing is documented nowhere: here the items
 * before a bad one are carried out, which is the harder of the two for a caller.
 */
export function carryOut(
  { world, store, force }: { world: World; store: Readonly<KvStoreEntity>; force: boolean },
  item: KvItem,
): Written {
  const entry = findEntry(world, store.id, item.key);
  if (item.op === 'del_key') {
    if (entry !== undefined) world.kvEntries.delete(entry.id);
    return { writes: 0, deletes: entry?.values.length ?? 0, bytes: 0 };
  }
  if (entry !== undefined && entry.datatype !== item.datatype && !force) {
    throw badKvRequest(`key ${item.key} has the data type ${entry.datatype}`);
  }
  const old = entry?.datatype === item.datatype ? entry.values : [];
  const { values, written } = change(old, item);
  world.kvEntries.insert({
    id: entryId(store.id, item.key),
    storeId: store.id,
    key: item.key,
    datatype: item.datatype,
    values,
    expiresAt: expiryOf(item),
  });
  return written;
}

/** A plain key is overwritten; members of sets and filters are added, replaced or taken out. */
function change(old: readonly Value[], item: KvItem): { values: Value[]; written: Written } {
  const named = [item.payload ?? []].flat().map(toValue);
  const others = old.filter((value) => !named.some((one) => isSame(one, value)));
  if (item.op === 'del_entries') {
    const deletes = old.length - others.length;
    return { values: others, written: { writes: 0, deletes, bytes: 0 } };
  }
  const bytes = named.reduce((sum, value) => sum + bytesOf(value).length, 0);
  return {
    values: item.datatype === 'kv' ? named : [...others, ...named],
    written: { writes: named.length, deletes: 0, bytes },
  };
}

function expiryOf(item: KvItem): number | null {
  const expiry = item.datatype === 'kv' ? item.payload?.expiry : undefined;
  return expiry === undefined ? null : Date.parse(expiry);
}

function toValue({ value, encoding = 'plain', score }: KvMember): Value {
  return { value, encoding, score: score ?? null };
}

function isSame(one: Value, other: Value): boolean {
  return bytesOf(one).equals(bytesOf(other));
}

function bytesOf({ value, encoding }: Value): Buffer {
  return Buffer.from(value, encoding === 'base64' ? 'base64' : 'utf8');
}

export function sizeOf(entries: readonly Readonly<KvEntryEntity>[]): number {
  return entries.flatMap(({ values }) => values).reduce((sum, v) => sum + bytesOf(v).length, 0);
}

/** Masked values are never shown, long ones by their SHA-256. */
function formatValue({ value, encoding, score }: Value) {
  const scored = score === null ? {} : { score };
  if (encoding === 'masked') return { ...scored };
  const bytes = bytesOf({ value, encoding, score });
  return bytes.length > LONGEST_SHOWN
    ? { value: createHash('sha256').update(bytes).digest('hex'), encoding: 'sha256', ...scored }
    : { value, encoding, ...scored };
}

/** With the value of a plain key; sets and filters are listed without their members. */
export function formatEntry({ key, datatype, values, expiresAt }: Readonly<KvEntryEntity>) {
  const expiry = expiresAt === null ? {} : { expiry: new Date(expiresAt).toISOString() };
  const [value] = values;
  const payload =
    datatype === 'kv' && value !== undefined
      ? { payload: { ...formatValue(value), ...expiry } }
      : {};
  return { key, datatype, ...payload };
}

/** A filter has no list of its members: it can only be asked. */
export function formatMembers(
  entry: Readonly<KvEntryEntity>,
  { limit, offset }: { limit: number; offset: number },
) {
  const { key, datatype, values } = entry;
  if (datatype === 'kv') return { ...formatEntry(entry), count: 1 };
  const shown = datatype === 'sorted_set' ? values.slice(offset, offset + limit) : [];
  return { key, datatype, payload: shown.map(formatValue), count: values.length };
}
