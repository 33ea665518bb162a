import type { KvItem } from '../../../src/contract/index.js';
import { contentOf, DATA_PATH, manyUsers, stateWithStores, STORE } from '../worlds/kv-stores.js';
import { createManifestRoot } from '../worlds/manifests.js';
import { runUnderKills, type KillFigures, type Kills } from './under-kills.js';

export interface PushUnderKills extends Kills {
  items: number;
}

interface Compared {
  /** Number of keys that have a wrong value, are missing, or should not exist. */
  wrong: number;
  keys: number;
}

export interface PushFigures extends Compared, KillFigures {
  /** Number of keys that the run reports as verified. */
  verified: number;
  chunks: number;
}

const DEFAULT_CHUNK_ITEMS = 1_000;

/** Pushes a manifest, then compares it with the content of the store. */
export function pushUnderKills({ items: count, ...kills }: PushUnderKills): Promise<PushFigures> {
  const items = manyUsers(count);
  return runUnderKills(
    {
      operation: 'modifyKvStore',
      input: { storeId: STORE, manifest: { url: 'file:a.jsonl' }, verify: 'all' },
      changes: { method: 'PUT', path: DATA_PATH },
      minimum: Math.ceil(count / DEFAULT_CHUNK_ITEMS),
      world: { state: stateWithStores() },
      judge: ({ simulator }, { verified, chunks }) => ({
        ...compare(contentOf(simulator), items),
        verified: verified.keys,
        chunks: chunks.length,
      }),
    },
    createManifestRoot({ 'a.jsonl': items }),
    kills,
  );
}

function compare(content: Record<string, unknown>, items: readonly KvItem[]): Compared {
  const wanted = new Map(items.map(({ key, payload }) => [key, valueOf(payload)]));
  const wrong = [...wanted].filter(([key, value]) => value === undefined || content[key] !== value);
  const foreign = Object.keys(content).filter((key) => !wanted.has(key));
  return { wrong: wrong.length + foreign.length, keys: wanted.size };
}

function valueOf(payload: KvItem['payload']): string | undefined {
  if (payload === undefined || Array.isArray(payload)) return undefined;
  return typeof payload.value === 'string' ? payload.value : undefined;
}
