import { invalidInput } from '../../engine/activities/invalid-input.js';

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
