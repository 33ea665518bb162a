import { plural } from '../../../engine/core/text.js';
import type { SurveyedVideos } from '../../../activities/scan-videos.js';
import { paths } from '../../../contract/wire/paths.js';
import { countRanges } from '../../../engine/core/number-ranges.js';
import type { PlannedCall } from '../../../engine/schema/documents.js';
import type { Draft } from '../../../engine/plan/planning.js';
import type { ImportedState } from '../../../contract/wire/videos.js';
import { describeState } from '../steps/await-videos.js';
import { endOfCanary } from '../steps/create-videos.js';
import type { ImportBatch } from '../steps/import-batch.js';
import { collapseCalls } from '../../shared/plan/plan-parts.js';

/** A batch, and its lines without a video. */
export interface PlannedBatch extends ImportBatch {
  missing: string;
}

interface PlannedImport {
  batches: readonly PlannedBatch[];
  /** The number of batches for which the run first looks for videos of an earlier try. */
  looks: number;
  waitFor: ImportedState;
  canary?: number | undefined;
}

export function importCalls({ batches, looks, waitFor, canary }: PlannedImport): PlannedCall[] {
  const awaited: PlannedCall = {
    method: 'GET',
    path: paths.videos(),
    purpose: `look until each is ${describeState(waitFor)}, many in one call`,
  };
  return [
    {
      method: 'GET',
      path: paths.videos(),
      purpose: 'look for videos of an earlier try, by their client_user_id',
      ...(looks === 1 ? {} : { times: looks }),
    },
    ...createCalls(batches, canary),
    ...(waitFor === 'created' ? [] : [awaited]),
  ];
}

function createCalls(batches: readonly PlannedBatch[], canary: number | undefined): PlannedCall[] {
  const end = canary === undefined ? 0 : endOfCanary({ canary }, { batches: [...batches] });
  const rows = batches.flatMap(({ missing }, index): PlannedCall[] => {
    const count = countRanges(missing);
    if (count === 0) return [];
    const first =
      index < end
        ? ', the canary: the rest follows only if no more videos fail than tolerated'
        : '';
    const purpose = `batch ${index + 1} of ${batches.length}: create ${plural(count, 'video')}${first}; sent once`;
    return [{ method: 'POST', path: paths.videoBatch(), purpose }];
  });
  return collapseCalls(rows, () => {
    const count = batches.reduce((sum, { missing }) => sum + countRanges(missing), 0);
    const first = end === 0 ? '' : `; first the canary, in ${end} of them`;
    return `create ${plural(count, 'video')}, batch by batch${first}; each sent once`;
  });
}

/** Warns about the list. It says whether there are credentials, but never shows them. */
export function warnAboutVideos(
  draft: Pick<Draft, 'warn'>,
  path: string,
  { uploads, originsWithCredentials, originsWithHeaders }: SurveyedVideos['facts'],
): void {
  if (uploads > 0) {
    draft.warn({
      path,
      message: `${plural(uploads, 'video has', 'videos have')} no "origin_url": made without one, a video waits for a file`,
      advice: 'Upload the files afterwards, or give each video an origin.',
    });
  }
  if (originsWithCredentials + originsWithHeaders === 0) return;
  draft.warn({
    path,
    message: `${plural(originsWithHeaders, 'line has', 'lines have')} an HTTP header for the origin, ${originsWithCredentials} a user name or a password`,
    advice: 'Nothing to do: the worker reads them from the manifest, and no history contains them.',
  });
}
