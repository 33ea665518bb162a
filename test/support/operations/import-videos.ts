import { importVideosResultSchema } from '../../../src/contract/operations/import-videos.js';
import { Phase } from '../../../src/engine/core/status.js';
import { BAD_IMPORT_INPUTS } from '../inputs/bad-import-inputs.js';
import { BATCH, video, VIDEO_LIST } from '../worlds/videos.js';
import type { MatrixOperation } from './matrix-operation.js';
import type { OperationCase, TestedOperation } from './tested-operation.js';

const ITEMS = 3;
const nameOf = (request: string, index: number): string => `${request} film ${index + 1}`;

/** Imported videos stay, however the run ends. */
const matrix: MatrixOperation = {
  operation: 'importVideos',
  calls: { create: BATCH, wait: VIDEO_LIST },
  timeoutFactor: 2,
  without: ['task ERROR', 'task 404'],
  input: ({ name }) => ({
    videos: Array.from({ length: ITEMS }, (_, index) => video(nameOf(name, index))),
  }),
  judge: ({ name, status, result, simulator }) => {
    const wanted = Array.from({ length: ITEMS }, (_, index) => nameOf(name, index));
    const { videos } = simulator.inventory();
    const made = videos.filter((each) => wanted.includes(each.name));
    const succeeded =
      status.phase === Phase.succeeded
        ? importVideosResultSchema.parse(result).counts.succeeded
        : made.length;
    return {
      differences: Math.abs(succeeded - made.length),
      isTrue: status.phase !== Phase.succeeded || made.length === ITEMS,
    };
  },
  most: ({ videos }) => {
    const counts = new Map<string, number>();
    for (const { name } of videos) counts.set(name, (counts.get(name) ?? 0) + 1);
    return Math.max(0, ...counts.values());
  },
};

const plainCase: OperationCase<'importVideos'> = {
  operation: 'importVideos',
  // The run keeps the videos it created, so the scaffolds expect no removal.
  makes: 0,
  input: (name) => ({ videos: [video(name)] }),
};

export const importVideos: TestedOperation<'importVideos'> = {
  workflowId: 'import-videos/blue/audit-7',
  cases: [plainCase],
  matrix,
  histories: ['import-went-on', 'imported', 'items-failed'],
  badInputs: BAD_IMPORT_INPUTS,
};
