import { createKeyUses } from './key-uses.js';
import { invalidInput } from '../../engine/activities/run-of-activity.js';
import type { KvItem } from '../../contract/api/fastedge.js';
import type { KvChunk } from '../../contract/wire/prepared.js';

/** The result of a run names each chunk, and has to fit into a history. */
const MAX_CHUNKS = 1_000;

export interface ChunkCount {
  chunks: number;
  items: number;
  chunkItems: number;
}

/** Fails as `InvalidInput` and names the least `chunkItems` that may work. */
export function checkChunkCount({ chunks, items, chunkItems }: ChunkCount): void {
  if (chunks <= MAX_CHUNKS) return;
  const least = Math.ceil(items / MAX_CHUNKS);
  const made = `makes ${chunks} chunks of ${items} items, but a run can write ${MAX_CHUNKS}`;
  throw invalidInput([
    least > chunkItems
      ? { path: 'chunkItems', message: `${made}: set it to ${least} or more` }
      : { path: '(input)', message: `${made}: split the list into several runs` },
  ]);
}

export interface ChunkLimits {
  maxItems: number;
  /** Maximum bytes of the items as JSON; a larger item gets its own chunk. */
  maxBytes: number;
}

/**
 * Cuts the list by count and size, and wherever the order of two writes of one key matters: the order
 * in which the API applies the items of one call is undocumented.
 */
export function planChunks(items: readonly KvItem[], limits: ChunkLimits): KvChunk[] {
  const chunks: KvChunk[] = [];
  const before = createKeyUses();
  let inChunk = createKeyUses();
  let bytes = 0;
  let open: KvChunk | undefined;
  for (const [first, item] of items.entries()) {
    const size = Buffer.byteLength(JSON.stringify(item)) + 1;
    const isFull =
      open !== undefined && (open.count >= limits.maxItems || bytes + size > limits.maxBytes);
    if (open === undefined || isFull || inChunk.orderMatters(item)) {
      open = { first, count: 0, rewrites: false };
      chunks.push(open);
      inChunk = createKeyUses();
      bytes = 0;
    }
    open.rewrites ||= before.orderMatters(item);
    open.count += 1;
    bytes += size;
    inChunk.add(item);
    before.add(item);
  }
  return chunks;
}
