import { fromRanges } from '../../../../src/engine/core/number-ranges.js';
import { reportLines } from '../../../../src/contract/report-lines.js';
import { rowOf, type Rows } from '../facts/rows.js';
import { textAt } from '../facts/values.js';
import { throughout } from './accounts.js';
import {
  about,
  type Broken,
  NOTHING,
  type OperationPromise,
  type Succeeded,
  when,
} from './promise.js';

const deleteVideo: OperationPromise<'deleteVideo'> = {
  requests: 40,
  minutes: 60,
  touches: ({ input }) => [{ rows: 'videos', id: String(input.videoId), may: 'delete' }],
  broken: ({ input, cloud }) =>
    when(
      rowOf(cloud, 'videos', input.videoId) !== undefined,
      'its video still exists',
      about('videos', input.videoId),
    ),
};

/** The API may write a text in another form. */
function isAsAsked(text: string | null | undefined, asked: string): boolean {
  const plain = (one: string): string => one.normalize('NFC').replaceAll(/\s+/g, ' ').trim();
  return plain(text ?? '') === plain(asked);
}

const updateVideo: OperationPromise<'updateVideo'> = {
  requests: 40,
  minutes: 60,
  touches: ({ input, cloud, body }) => {
    const row = rowOf(cloud, 'videos', input.videoId);
    const name = textAt(body, 'name');
    const isKept =
      input.name !== undefined ||
      name === undefined ||
      row === undefined ||
      isAsAsked(row.name, name);
    return isKept ? [{ rows: 'videos', id: String(input.videoId), may: 'change' }] : [];
  },
  broken: ({ input, cloud }) => {
    const row = rowOf(cloud, 'videos', input.videoId);
    const ref = about('videos', input.videoId);
    if (row === undefined) return [{ says: 'its video does not exist', about: ref }];
    const { name, description, directoryId, screenshotId } = input;
    return [
      ...when(name !== undefined && !isAsAsked(row.name, name), 'its video has another name', ref),
      ...when(
        description !== undefined && !isAsAsked(row.description, description),
        'its video has another description',
        ref,
      ),
      ...when(
        directoryId !== undefined && row.directoryId !== directoryId,
        'its video is in another directory',
        ref,
      ),
      ...when(
        screenshotId !== undefined && row.screenshotId !== screenshotId,
        'its video has another screenshot',
        ref,
      ),
    ];
  },
};

const addSubtitles: OperationPromise<'addSubtitles'> = {
  requests: 40,
  minutes: 60,
  touches: NOTHING,
  broken: ({ input, result, cloud }) => {
    const row = rowOf(cloud, 'subtitles', result.subtitleId);
    const ref = [...about('subtitles', result.subtitleId), ...about('videos', input.videoId)];
    const lines = (text: string): string => text.replaceAll('\r\n', '\n').trimEnd();
    const isThere =
      row?.videoId === String(input.videoId) &&
      row.language === input.language &&
      lines(row.vtt) === lines(input.vtt);
    return when(!isThere, 'its video does not have the subtitles', ref);
  },
};

const listVideos: OperationPromise<'listVideos'> = {
  requests: 40,
  minutes: 60,
  touches: NOTHING,
  broken: ({ input, result, facts, run }) => {
    const asked = [...fromRanges(input.ids)].map(String);
    const states = facts.timeline.between(run.startedAt, run.closedAt ?? Infinity);
    const { inAll, inAny } = throughout(states.map(({ videos }) => videos));
    const shown = result.videos.map(({ id }) => String(id));
    const missing = [...fromRanges(result.missing)].map(String);
    const hidden = missing.filter((id) => inAll.some((row) => row.id === id));
    const unsaid = asked.filter((id) => !shown.includes(id) && !missing.includes(id));
    return [
      ...when(hidden.length > 0, 'its result calls a video missing that exists', []),
      ...when(unsaid.length > 0, 'its result says nothing of an asked video', []),
      ...when(
        shown.some((id) => !inAny.has(id) || !asked.includes(id)),
        'its result has a video that does not exist',
        [],
      ),
    ];
  },
};

/** Shares of the processing after which a video can be watched. */
const VIEWABLE_SHARE = 0.6;
const CLOCKS_APART_MS = 5 * 60_000;

function canBe(row: Rows['videos'], outcome: string, now: number): boolean {
  if (outcome === 'created' || row.fate === 'upload') return true;
  const began = row.beganAt ?? row.createdAt;
  const readyAt =
    outcome === 'viewable' ? began + (row.endsAt - began) * VIEWABLE_SHARE : row.endsAt;
  const isGood = row.fate === 'ready' || (outcome === 'viewable' && row.fate === 'no-space');
  return isGood && now + CLOCKS_APART_MS >= readyAt;
}

interface Line {
  line: number;
  id?: number;
  outcome: string;
  class?: string;
}

function brokenLine(ended: Succeeded<'importVideos'>, line: Line): Broken[] {
  const { line: number, id, outcome } = line;
  if (id === undefined) {
    const isUnmade = outcome === 'failed' || outcome === 'untried';
    return when(!isUnmade, `line ${number} is ${outcome} without a video`, []);
  }
  const row = rowOf(ended.cloud, 'videos', id);
  const ref = about('videos', id);
  if (outcome === 'failed') return brokenFailure(line, row);
  if (row === undefined) {
    return when(outcome !== 'pending', `the video of line ${number} does not exist`, ref);
  }
  return brokenVideo(ended, line, row);
}

function brokenFailure({ line, class: kind }: Line, row: Rows['videos'] | undefined): Broken[] {
  const isWrong = row?.fate === 'ready' && /^(?:origin|bad-file|encoding)/.test(kind ?? '');
  const says = `line ${line} is called ${kind ?? 'failed'}, and its video is sound`;
  return when(isWrong, says, row ? about('videos', row.id) : []);
}

function brokenVideo(
  { input, facts, run }: Succeeded<'importVideos'>,
  { line, outcome }: Line,
  row: Rows['videos'],
): Broken[] {
  const ref = about('videos', row.id);
  const isOther = rowOf(facts.evidence.before, 'videos', row.id) !== undefined;
  const isAsCalled = outcome === 'pending' || canBe(row, outcome, run.closedAt ?? 0);
  const origin = textAt(input.videos?.[line - 1], 'origin_url');
  const isOfLine = origin === undefined || row.originUrl === origin;
  return [
    ...when(isOther, `the video of line ${line} is of somebody else`, ref),
    ...when(!isAsCalled, `line ${line} is called ${outcome}, and its video is not`, ref),
    ...when(!isOfLine, `the video of line ${line} is of another source`, ref),
  ];
}

const importVideos: OperationPromise<'importVideos'> = {
  requests: 400,
  minutes: 25 * 60,
  touches: NOTHING,
  broken: (ended) => {
    const { input, result } = ended;
    const lines = [...reportLines(result.report)];
    const ids = lines.flatMap(({ id }) => id ?? []);
    const { asked, succeeded, failed, pending, untried } = result.counts;
    const most = mostFailed(input, asked);
    return [
      ...lines.flatMap((line) => brokenLine(ended, line)),
      ...when(new Set(ids).size < ids.length, 'two lines have one video', []),
      ...when(
        asked !== lines.length || asked !== succeeded + failed + pending + untried,
        'the counts do not add up',
        [],
      ),
      ...when(
        lines.filter(({ outcome }) => outcome === 'failed').length !== failed,
        'the counts and the report differ',
        [],
      ),
      ...when(failed > most, `${failed} of ${asked} failed, and ${most} were tolerated`, []),
    ];
  },
};

export function mostFailed(
  { tolerate }: { tolerate?: { count: number } | { percent: number } | undefined },
  asked: number,
): number {
  if (tolerate === undefined) return 0;
  return 'count' in tolerate ? tolerate.count : Math.floor((asked * tolerate.percent) / 100 + 1e-9);
}

export const VIDEO_PROMISES = { deleteVideo, updateVideo, addSubtitles, listVideos, importVideos };
