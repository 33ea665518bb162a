import type { PreparedRun } from '../../../engine/core/prepared-run.js';

/** Consecutive items of the list that one call writes. */
export interface KvChunk {
  /** Index of its first item. */
  first: number;
  count: number;
  /** An earlier chunk writes one of its keys too: this chunk must come after it. */
  rewrites: boolean;
}

export interface PreparedModifyKvStore extends PreparedRun {
  storeId: number;
  force: boolean;
  allowIrreversible: boolean;
  verify: 'sample' | 'all';
  chunkItems: number;
  /** Chunks of the items in the input; those of a manifest are known after it has been read. */
  chunks?: KvChunk[];
}
