import { listVideosResultSchema } from '../../../src/contract/operations/list-videos.js';
import { Phase } from '../../../src/engine/core/status.js';
import { badInputsOf } from '../inputs/bad-input.js';
import { stateWithVideos, VIDEO_LIST } from '../worlds/videos.js';
import type { MatrixOperation } from './matrix-operation.js';
import type { OperationCase, TestedOperation } from './tested-operation.js';

const THREE = stateWithVideos([{ id: 1 }, { id: 2 }, { id: 3 }]);

const matrix: MatrixOperation = {
  operation: 'listVideos',
  calls: { verify: VIDEO_LIST },
  without: ['carried out late', 'list lag', 'task ERROR', 'task 404'],
  input: () => ({ ids: '1-3 9' }),
  state: { videos: THREE.videos },
  judge: ({ status, result }) => {
    if (status.phase !== Phase.succeeded) return { differences: 0, isTrue: true };
    const { videos, missing } = listVideosResultSchema.parse(result);
    return { differences: 0, isTrue: videos.length === 3 && missing === '9' };
  },
};

const plainCase: OperationCase<'listVideos'> = {
  operation: 'listVideos',
  makes: 0,
  state: THREE,
  input: () => ({ ids: '1-3' }),
};

const bad = badInputsOf('listVideos', { ids: '1' });

export const listVideos: TestedOperation<'listVideos'> = {
  workflowId: 'list-videos/blue/audit-7',
  cases: [plainCase],
  matrix,
  histories: ['videos-listed'],
  badInputs: [
    bad('no id', { ids: '' }, ['ids', /ids and ranges/]),
    bad('more than one read takes', { ids: '1-999999999' }, ['ids', /999999999 .* takes 500/]),
  ],
};
