import { jsonByteLength } from '../../../engine/core/text.js';
import { FailureType } from '../../../engine/core/failures.js';
import type { ImportVideosInput } from '../../../contract/operations/types.js';
import type { PreparedImportVideos } from '../../../contract/wire/prepared.js';
import { countRanges } from '../../../engine/core/number-ranges.js';
import { mostDetailBytes, MOST_DETAILS_IN_RESULT } from '../../../contract/wire/videos.js';
import { failure } from '../../../engine/run/failures.js';
import { toCuts } from './asked-lines.js';
import type { DetailsRoom } from './kept-details.js';
import type { ImportBatch } from './import-batch.js';

/** Temporal takes 2 MiB at a time; the rest is for how it is packed. */
export const MAX_HANDED_BYTES = 2 * 1024 ** 2 - 8 * 1024;

/** An id of ten digits and a blank. */
const ID_BYTES = 11;
/** The place of a line, `12345 ` or its half of `12345-12346 `: each line has one outcome. */
const PLACE_BYTES = 6;
/** The texts of all failures and warnings, and what is said once: see `MAX_TEXTS`. */
const TEXT_BYTES = 170_000;

/** An import before its first call. */
export interface Asked {
  input: ImportVideosInput;
  prepared: PreparedImportVideos;
  batches: readonly ImportBatch[];
}

/** The most bytes that a history of this import may hand over: its input and its state. */
export function mostStateBytes({ input, prepared, batches }: Asked): number {
  const asked = batches.reduce((sum, { lines }) => sum + countRanges(lines), 0);
  const fixed = jsonByteLength({ input, prepared, cuts: toCuts(batches) });
  return fixed + asked * (ID_BYTES + PLACE_BYTES) + TEXT_BYTES;
}

/** The most bytes that its report may have: it names each line as asked, as made, and by its outcome. */
export function mostReportBytes({ batches }: Asked): number {
  const asked = batches.reduce((sum, { lines }) => sum + countRanges(lines), 0);
  const named = batches.reduce((sum, { lines }) => sum + lines.length + 1, 0);
  return named * 2 + Math.max(named, asked * PLACE_BYTES) + asked * ID_BYTES + TEXT_BYTES;
}

/** The SDK warns of payloads of 512 KiB. Most imports stay below, as hardly a video takes as much as it may. */
const MOST_DETAILS_BYTES = 600_000;
/** What a later history may prepare in addition, and the names of the list. */
const MARGIN_BYTES = 4 * 1024;

/** The room beside everything else that may become of the import. */
export function roomForDetails(asked: Asked): DetailsRoom {
  const { fields = [] } = asked.prepared;
  const each = mostDetailBytes(fields);
  if (fields.length === 0) return { first: 0, bytes: 0, each };
  const taken = Math.max(mostStateBytes(asked), mostReportBytes(asked)) + MARGIN_BYTES;
  const free = Math.min(Math.max(0, MAX_HANDED_BYTES - taken), MOST_DETAILS_BYTES);
  const first = Math.min(MOST_DETAILS_IN_RESULT, Math.floor(free / each));
  return { first, bytes: free - first * each, each };
}

export const TOO_SCATTERED = {
  message: 'The lines are too many and too scattered for the report of one run',
  advice: 'Write neighbouring lines as a range ("1-500"), or import the list in two runs.',
} as const;

/** Whether everything that may become of the import fits into one payload. */
export function fitsOneRun(asked: Asked): boolean {
  return Math.max(mostStateBytes(asked), mostReportBytes(asked)) <= MAX_HANDED_BYTES;
}

/** An import that could not go on in its next history is refused before its first call. */
export function refuseTooScattered(asked: Asked): void {
  if (fitsOneRun(asked)) return;
  const { message, advice } = TOO_SCATTERED;
  throw failure(FailureType.invalidInput, `${message}.`, { advice });
}
