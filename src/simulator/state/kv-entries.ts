import { createHash } from 'node:crypto';

import type { KvEntryEntity } from './rows.js';
import type { World } from './world.js';

export type KvValue = KvEntryEntity['values'][number];

/** Finds the entry of a key. Expired entries do not exist. */
export function findKvEntry(world: World, storeId: string, key: string): KvEntryEntity | undefined {
  const entry = world.kvEntries.get(kvEntryId(storeId, key));
  return entry === undefined || isExpired(world, entry) ? undefined : entry;
}

export function kvEntriesOf(world: World, storeId: string): KvEntryEntity[] {
  return world.kvEntries.filter((row) => row.storeId === storeId && !isExpired(world, row));
}

function isExpired(world: World, { expiresAt }: Readonly<KvEntryEntity>): boolean {
  return expiresAt !== null && expiresAt <= world.now();
}

export function kvEntryId(storeId: string, key: string): string {
  return `${storeId}/${key}`;
}

/** Which members of a set are meant; all of them where nothing is given. Both scores are included. */
export interface MemberFilter {
  /** How the value begins. */
  prefix?: string | undefined;
  /** SHA-256 of the value. */
  hash?: string | undefined;
  min?: number | undefined;
  max?: number | undefined;
}

export function isMeant(member: KvValue, { prefix, hash, min, max }: MemberFilter): boolean {
  const score = member.score ?? 0;
  return (
    (prefix === undefined || bytesOf(member).toString().startsWith(prefix)) &&
    (hash === undefined || hashOf(member) === hash.toLowerCase()) &&
    score >= (min ?? -Infinity) &&
    score <= (max ?? Infinity)
  );
}

export function hasMember({ values }: Readonly<KvEntryEntity>, filter: MemberFilter): boolean {
  return values.some((member) => isMeant(member, filter));
}

export function hashOf(value: Pick<KvValue, 'value' | 'encoding'>): string {
  return createHash('sha256').update(bytesOf(value)).digest('hex');
}

export function bytesOf({ value, encoding }: Pick<KvValue, 'value' | 'encoding'>): Buffer {
  return Buffer.from(value, encoding === 'base64' ? 'base64' : 'utf8');
}

export function sizeOf(values: readonly KvValue[]): number {
  return values.reduce((sum, value) => sum + bytesOf(value).length, 0);
}
