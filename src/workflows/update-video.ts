import type { ComparedVideo, VideoChange } from '../activities/video-changes.js';
import type { UpdateVideoInput, UpdateVideoResult } from '../contract/operations/types.js';
import { Operation, videoResource } from '../contract/wire/names.js';
import { paths } from '../contract/wire/paths.js';
import { cutText } from '../engine/core/text.js';
import type { Planned } from '../engine/schema/documents.js';
import { changeOperation, type AccountChangeStep } from './gcore.js';
import { readTold } from './shared/account-things.js';
import { prepareActivities } from './shared/prepare-activities.js';

const update: AccountChangeStep<UpdateVideoInput, ComparedVideo> = {
  name: 'update video',
  resources: ({ input: { videoId } }) => [videoResource(videoId)],
  read: ({ input, reads }) =>
    readTold(
      () => reads.compareVideo({ videoId: input.videoId, change: changeOf(input) }),
      ({ isUntold }) => isUntold !== true,
    ),
  isListed: ({ input: { videoId }, reads }) => reads.isVideoListed({ videoId }),
  // A store may write a text in another form. Before a call nobody can say that it has.
  drift({ id, differs, remains, shown }, _asked, isCarriedOut) {
    const fields = isCarriedOut ? remains : differs;
    if (fields.length === 0) return undefined;
    const texts = fields.map(
      (field) => `${field} ${cutText(JSON.stringify(shown[field] ?? null), MAX_QUOTED_BYTES)}`,
    );
    return `video ${id} has ${texts.join(', ')}`;
  },
  send: ({ api, input }, within, { nameDigest: seenName }) =>
    api.mutations.updateVideo(
      { ...within, summary: `update video ${input.videoId}` },
      { videoId: input.videoId, change: changeOf(input), seenName },
    ),
  says: ({ before: { differs } }) =>
    differs.length === 0 ? 'it was as asked' : `changed: ${differs.join(', ')}`,
  calls({ input: { videoId } }) {
    const path = paths.video(videoId);
    return {
      read: { method: 'GET', path, purpose: 'read the video' },
      change: [
        { method: 'PATCH', path, purpose: 'change its fields' },
        { method: 'GET', path, purpose: 'look until they show' },
      ],
    };
  },
};

function changeOf({ name, description, directoryId, screenshotId }: UpdateVideoInput): VideoChange {
  return { name, description, directoryId, screenshotId };
}

/** Of a value, in a message. */
const MAX_QUOTED_BYTES = 100;

/**
 * Changes fields of a video, and verifies them by a read.
 *
 * Sends nothing when they are as asked. The API wants the name in each call: the call is not sent when somebody has
 * renamed the video since the run has read it. After a lost answer it looks before it sends again. A failed or cancelled
 * run leaves the old fields or the new ones.
 * Answers the query `status` and the updates `pause`, `resume` and `abort`. Blocks on problems that need a person
 * (`Unauthorized`, `OutcomeUnknown`, `ResourceBusy`); with `onBlocked: 'fail'` it fails instead. With `planOnly` it
 * sends nothing and returns a plan.
 * Fails as `InvalidInput`, `InvalidRequest`, `NotFound`, `DeadlineExceeded` or `Aborted`.
 */
export async function updateVideo(input: UpdateVideoInput): Promise<UpdateVideoResult | Planned> {
  const { updateVideo: operation } = Operation;
  const { prepareUpdateVideo: prepare } = prepareActivities;
  return changeOperation(
    { operation, input, prepare },
    update,
    ({ before, after, taskIds }, run): UpdateVideoResult => ({
      videoId: after.id,
      changed: before.differs.length > 0,
      before: before.shown,
      after: after.shown,
      taskIds,
      ledger: run.ledger.document().steps,
    }),
  );
}
