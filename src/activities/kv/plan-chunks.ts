import type { KvItem } from '../../contract/api/kv-item.js';
import type { KvChunk } from '../../contract/prepared/modify-kv-store.js';
import { createKeyUses } from './key-uses.js';

export interface ChunkLimits {
  mostItems: number;
  /** Of the items as JSON; an item that is larger has a chunk of its own. */
  mostBytes: number;
}

/**
 * Cuts the list by count and size, and wherever the order of two writes of one key matters: in
 * which order the API carries out the items of one call is documented nowhere.
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
      open !== undefined && (open.count >= limits.mostItems || bytes + size > limits.mostBytes);
    if (open === undefined || isFull || inChunk.matters(item)) {
      open = { first, count: 0, rewrites: false };
      chunks.push(open);
      inChunk = createKeyUses();
      bytes = 0;
    }
    open.rewrites ||= before.matters(item);
    open.count += 1;
    bytes += size;
    inChunk.note(item);
    before.note(item);
  }
  return chunks;
}
