import type { FoundSubtitles } from '../activities/subtitles.js';
import type { AddSubtitlesInput, AddSubtitlesResult } from '../contract/operations/types.js';
import type { PreparedAddSubtitles } from '../contract/wire/prepared.js';
import { Operation, ResourceKind, videoResource } from '../contract/wire/names.js';
import { paths } from '../contract/wire/paths.js';
import type { Planned } from '../engine/schema/documents.js';
import { changeOperation, type ChangeStep } from './gcore.js';
import { shown } from './shared/account-things.js';
import { createWanted, findMade } from './shared/made-by-name.js';
import { prepareActivities } from './shared/prepare-activities.js';

const wanted = createWanted(({ subtitles }: FoundSubtitles) => subtitles);

const add: ChangeStep<AddSubtitlesInput, PreparedAddSubtitles, FoundSubtitles> = {
  name: 'add subtitles',
  resources: ({ input: { videoId } }) => [videoResource(videoId)],
  makes: { kind: ResourceKind.subtitles, find: (seen, { sent }) => wanted(seen, sent) },
  read: ({ input: { videoId, name, language }, prepared: { digest }, reads, sent }) =>
    findMade(
      (subtitleId) => reads.findSubtitles({ videoId, name, language, digest, subtitleId }),
      ({ subtitles }) => subtitles,
      sent?.madeId,
    ),
  isListed: ({ input: { videoId }, reads }) => reads.isVideoListed({ videoId }),
  drift: (seen, { input: { videoId, name, language }, sent }) =>
    wanted(seen, sent) === undefined
      ? `video ${videoId} has no ${language} subtitles "${name}" with this text`
      : undefined,
  faults: ({ subtitles }, { input: { name, language } }) =>
    subtitles.map(({ id, name: similar, fit }) => ({
      path: 'name',
      message:
        fit === 'similar'
          ? `The subtitles ${id} have this text under the name "${similar}", in ${language}`
          : `The subtitles ${id} have the name "${name}", in ${language}, with another text`,
      advice:
        fit === 'similar'
          ? 'Ask for that name if they are meant, or delete them first.'
          : 'Choose another name, or delete them first: the run replaces none.',
    })),
  send: ({ api, input: { videoId, name, language, vtt } }, within) =>
    api.mutations.addSubtitles(
      { ...within, summary: `add ${language} subtitles to video ${videoId}` },
      { videoId, name, language, vtt },
    ),
  says: ({ isSent, after, sent }) =>
    `${isSent ? 'added' : 'they were there'}: subtitles ${shown(wanted(after, sent)).id}`,
  calls({ input: { videoId } }) {
    const path = paths.videoSubtitles(videoId);
    return {
      read: { method: 'GET', path, purpose: 'look for these subtitles' },
      change: [
        { method: 'POST', path, purpose: 'add the subtitles' },
        { method: 'GET', path, purpose: 'look until they show' },
      ],
    };
  },
};

/**
 * Adds subtitles to a video, and verifies their text by its digest.
 *
 * Sends nothing when the video has subtitles of this name and language with this text, and refuses a name whose subtitles
 * have another one. After a lost answer it looks before it sends again. A failed or cancelled run leaves the subtitles, if
 * they were added.
 * Answers the query `status` and the updates `pause`, `resume` and `abort`. Blocks on problems that need a person
 * (`Unauthorized`, `OutcomeUnknown`, `ResourceBusy`); with `onBlocked: 'fail'` it fails instead. With `planOnly` it
 * sends nothing and returns a plan.
 * Fails as `InvalidInput`, `InvalidRequest`, `NotFound`, `DeadlineExceeded` or `Aborted`.
 */
export async function addSubtitles(
  input: AddSubtitlesInput,
): Promise<AddSubtitlesResult | Planned> {
  const { addSubtitles: operation } = Operation;
  const { prepareAddSubtitles: prepare } = prepareActivities;
  return changeOperation(
    { operation, input, prepare },
    add,
    ({ before, after, sent, taskIds }, run): AddSubtitlesResult => {
      const { id: subtitleId, name } = shown(wanted(after, sent));
      return {
        videoId: run.input.videoId,
        subtitleId,
        name,
        created: wanted(before, undefined) === undefined,
        taskIds,
        ledger: run.ledger.document().steps,
      };
    },
  );
}
