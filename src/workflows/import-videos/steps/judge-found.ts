import type { FoundVideos } from '../../../activities/videos/find-videos.js';
import type { PreparedImportVideos } from '../../../contract/wire/prepared.js';
import { countRanges, fromRanges } from '../../../engine/core/number-ranges.js';
import { firstOf, plural } from '../../../engine/core/text.js';
import type { Verdict } from '../../../engine/send/verdict.js';

interface Looked {
  lines: string;
  /** Set: what is found has to prove that it is of this list. */
  doubt: Doubt | undefined;
}

/** Why the videos under the marker of a batch may be of another list. */
export type Doubt = 'unlisted' | 'forgotten';

/** The digests of the earlier lists say whose the videos are, where the Temporal server still knows these runs. */
export function doubtOf({
  earlier: { since, digests },
  cutShortAt,
}: Pick<PreparedImportVideos, 'earlier' | 'cutShortAt'>): Doubt | undefined {
  if (digests === 'unknown') return 'unlisted';
  const isKnown = since !== undefined || cutShortAt !== undefined || digests.length > 0;
  return isKnown ? undefined : 'forgotten';
}

/**
 * What a look at a batch says about its lines. A line without a video is sent only when every video under the marker
 * of the batch is known to be of another line: else it may be the one of this line, in a form that nobody expects.
 */
export function judgeFound(found: FoundVideos, { lines, doubt }: Looked): Verdict<FoundVideos> {
  if (doubt !== undefined && found.unproven !== undefined)
    return { kind: 'contradiction', ...unproven(lines, doubt) };
  if (found.missing === '') return { kind: 'present', resource: found, taskIds: [] };
  if (found.unclear === '') return { kind: 'absent' };
  return { kind: 'contradiction', note: describeUnclear(lines, found), isPartial: true };
}

/** The note and the advice of a block. */
function unproven(lines: string, doubt: Doubt): { note: string; advice: string } {
  const { why, advice } = DOUBTS[doubt];
  return {
    note: `Videos exist under the marker of lines ${describeLines(lines)}, and the Temporal server ${why}.`,
    advice,
  };
}

const DOUBTS = {
  unlisted: {
    why: 'cannot say now whether an earlier run of this request imported another list',
    advice:
      'When the server lists runs again, `abort` this run and start the same request again: it then compares the lists. Or remove the videos and `resume`.',
  },
  forgotten: {
    why: 'knows no earlier run of this request any more: names or origins differ, so they may be of another list',
    advice:
      '`abort` this run, and give another list another request id. If they are of this list, remove them and `resume`, or leave these lines out.',
  },
} as const satisfies Record<Doubt, { why: string; advice: string }>;

/** Names as many as a person can look at. */
const MAX_UNCLEAR = 20;

function describeUnclear(
  lines: string,
  { missing, unclear }: Pick<FoundVideos, 'missing' | 'unclear'>,
): string {
  const ids = [...fromRanges(unclear)].map(String);
  return `Videos ${firstOf(ids, MAX_UNCLEAR)} may be of lines ${describeLines(lines)}, and nothing shows of which: ${plural(countRanges(missing), 'line has', 'lines have')} no other video.`;
}

/** `1-500` of `1-20 25 30-500` */
export function describeLines(lines: string): string {
  const [first = ''] = lines.split(/[ -]/);
  const last = lines.split(/[ -]/).at(-1) ?? first;
  return first === last ? first : `${first}-${last}`;
}
