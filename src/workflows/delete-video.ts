import type { VideoView } from '../activities/video-changes.js';
import type { DeleteVideoInput, DeleteVideoResult } from '../contract/operations/types.js';
import { Operation, ResourceKind, videoResource } from '../contract/wire/names.js';
import { paths } from '../contract/wire/paths.js';
import type { Planned } from '../engine/schema/documents.js';
import { removeOperation, type AccountRemoveStep } from './gcore.js';
import { foundById } from './shared/account-things.js';
import { prepareActivities } from './shared/prepare-activities.js';

const remove: AccountRemoveStep<DeleteVideoInput, VideoView> = {
  name: 'delete video',
  resources: ({ input: { videoId } }) => [videoResource(videoId)],
  ...foundById(
    ({ input: { videoId }, reads }) => reads.getVideo({ videoId }),
    ({ input: { videoId }, reads }) => reads.isVideoListed({ videoId }),
  ),
  resource: ({ id }) => ({ kind: ResourceKind.video, id: String(id) }),
  send: ({ api }, within, { id: videoId }) =>
    api.deletes.deleteVideo({ ...within, summary: `delete video ${videoId}` }, { videoId }),
  irreversible: () =>
    'The video is gone, with its renditions, subtitles and screenshots. The API restores none.',
  calls({ input: { videoId } }) {
    const path = paths.video(videoId);
    return {
      read: { method: 'GET', path, purpose: 'read the video' },
      change: [
        { method: 'DELETE', path, purpose: 'delete the video' },
        { method: 'GET', path, purpose: 'look until it is gone' },
      ],
    };
  },
};

/**
 * Deletes a video by its id. Reports success only when the API no longer has it.
 *
 * Sends nothing when there is none. A failed or cancelled run restores nothing.
 * Answers the query `status` and the updates `pause`, `resume` and `abort`. Blocks on problems that need a person
 * (`Unauthorized`, `RemovalBlocked`); with `onBlocked: 'fail'` it fails instead. With `planOnly` it sends nothing and
 * returns a plan.
 * Fails as `InvalidInput`, `InvalidRequest`, `DeadlineExceeded` or `Aborted`.
 */
export async function deleteVideo(input: DeleteVideoInput): Promise<DeleteVideoResult | Planned> {
  const { deleteVideo: operation } = Operation;
  const { prepareDeleteVideo: prepare } = prepareActivities;
  return removeOperation(
    { operation, input, prepare },
    remove,
    ({ before, taskIds }, run): DeleteVideoResult => ({
      videoId: run.input.videoId,
      before: before === undefined ? null : toResult(before),
      taskIds,
      ledger: run.ledger.document().steps,
    }),
  );
}

function toResult({ name, slug, status, createdAt }: VideoView): DeleteVideoResult['before'] {
  return { name, slug, status, createdAt };
}
