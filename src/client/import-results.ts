import type { WorkflowExecutionDescription } from '@temporalio/client';
import { z } from 'zod';

import {
  importReportSchema,
  importVideosInputSchema,
} from '../contract/operations/import-videos.js';
import type { ImportReport } from '../contract/operations/types.js';
import { reportLines, type ItemResult } from '../contract/report-lines.js';
import { reportQuery } from '../contract/wire/messages.js';
import {
  CHANGING_FIELDS,
  DEFAULT_VIDEO_FIELDS,
  mostVideosInOneRead,
  type VideoField,
} from '../contract/wire/videos.js';
import { askRun, describeAsked, firstRunIdOf, orRunError, type AskedRun } from './ask-run.js';
import { createDetailsReader, type DetailsById, type DetailsReader } from './details-reader.js';
import { createDetailsRuns, type DetailsWish } from './details-runs.js';
import { lastInput } from './last-input.js';
import type { Calls } from './server-calls.js';
import type { StartDeps } from './start-run.js';

export interface ImportResultsOptions {
  /** Ends the reading of details: the lines that are left come without them. */
  signal?: AbortSignal;
  /** Called before the reading of details, and when some more were read or could not be read. */
  onDetails?: (progress: DetailsProgress) => void;
}

/** How far the reading of details is that the report does not have. */
export interface DetailsProgress {
  /** Number of videos whose details the report does not have. */
  asked: number;
  /** Also of videos that the API has turned out not to list any more. */
  read: number;
  /** Of so many the details were not read. */
  unread: number;
  /** Why, for the last of them. Missing when `signal` has ended the reading. */
  error?: unknown;
}

export interface ResultsDeps extends StartDeps {
  /** Makes a call that may still be open when the caller of the results has gone. */
  call: Calls['call'];
}

/** Reads that are open at the same time: other runs of the account need its request budget too. */
const READS_AT_ONCE = 3;
/** Lines that wait for one read, of which few may be about a video to read. */
const LINES_AT_ONCE = 10_000;

/** See `GcoreWorkflows.importResults`. */
export async function* importResults(
  deps: ResultsDeps,
  asked: AskedRun,
  { signal, onDetails }: ImportResultsOptions = {},
): AsyncGenerator<ItemResult, void> {
  const { client, call } = deps;
  const run = await call(() => describeAsked(client, asked));
  const asking = call(() => askRun(client, run, reportQuery));
  const report = importReportSchema.parse(await orRunError(run.workflowId, asking));
  const { wish, reader } = await readerFor(deps, run, signal);
  const isUnknown = unknownIn(report, wish);
  const told: DetailsProgress = {
    asked: countOf(reportLines(report), isUnknown),
    read: 0,
    unread: 0,
  };
  if (told.asked > 0) onDetails?.({ ...told });
  const fill = async ({ lines, ids }: Part): Promise<ItemResult[]> => {
    const { details, error } = await reader.read(ids);
    told[details === undefined ? 'unread' : 'read'] += ids.length;
    if (error !== undefined) told.error = error;
    if (ids.length > 0) onDetails?.({ ...told });
    return lines.map((line) => withDetails(line, details));
  };
  yield* inOrder(partsOf(reportLines(report), { isUnknown, most: wish.most }), fill, reader);
}

function countOf<T>(items: Iterable<T>, isCounted: (item: T) => boolean): number {
  let count = 0;
  for (const item of items) if (isCounted(item)) count += 1;
  return count;
}

/** The lines of all parts, in order. Some parts are read ahead. */
async function* inOrder(
  parts: Iterable<Part>,
  fill: (part: Part) => Promise<ItemResult[]>,
  reader: DetailsReader,
): AsyncGenerator<ItemResult, void> {
  const reading: Promise<ItemResult[]>[] = [];
  try {
    for (const part of parts) {
      const filled = fill(part);
      // It may fail before its turn comes, when the callback of the caller throws.
      filled.catch(() => undefined);
      reading.push(filled);
      if (reading.length === READS_AT_ONCE) yield* (await reading.shift()) ?? [];
    }
    for (const filled of reading) yield* await filled;
  } finally {
    // Whoever wants no more lines waits for no run.
    reader.stop();
    await Promise.allSettled(reading);
    await reader.settled();
  }
}

interface Wish {
  fields: readonly VideoField[];
  /** Number of videos of one read. */
  most: number;
}

/** A client may have the right to ask a run, and not to read its history: then there is nothing to read by. */
async function readerFor(
  deps: ResultsDeps,
  run: WorkflowExecutionDescription,
  signal: AbortSignal | undefined,
): Promise<{ wish: Wish; reader: DetailsReader }> {
  try {
    const asked = await deps.call(() => askedOf(deps, run));
    const { fields } = asked.input;
    const reader = createDetailsReader(createDetailsRuns(deps, asked), signal);
    return { wish: { fields, most: mostVideosInOneRead(fields) }, reader };
  } catch (error) {
    const reader = {
      read: () => Promise.resolve({ error }),
      stop: () => undefined,
      settled: () => Promise.resolve(),
    };
    return { wish: { fields: DEFAULT_VIDEO_FIELDS, most: LINES_AT_ONCE }, reader };
  }
}

const { account, labels, fields } = importVideosInputSchema.shape;
/** All that matters of an input here: a list in it may be long, and another version may have checked it. */
const askedSchema = z.object({ account, labels, fields });

/** What the import itself was asked for. */
async function askedOf(
  { client }: ResultsDeps,
  run: WorkflowExecutionDescription,
): Promise<DetailsWish> {
  const input = askedSchema.parse(await lastInput(client, run));
  const { fields: wanted = [...DEFAULT_VIDEO_FIELDS] } = input;
  return {
    startedFor: `${run.workflowId}/${firstRunIdOf(run)}`,
    input: { ...input, fields: wanted },
  };
}

/**
 * Whether a line is about a video of which the report should say more. Of a video whose details had room only when it
 * was made, the report has what its outcome does not change, and not its links.
 */
function unknownIn(
  { outcome: awaited }: ImportReport,
  { fields }: Wish,
): (line: ItemResult) => boolean {
  const changing = fields.filter((field) => CHANGING_FIELDS.has(field));
  const isAllSaidWhenMade = awaited === 'created' || changing.length === 0;
  return ({ id, outcome, video }) => {
    if (fields.length === 0 || id === undefined || outcome === 'pending') return false;
    if (video === undefined) return true;
    return !isAllSaidWhenMade && changing.every((field) => video[field] === undefined);
  };
}

/** Lines that follow one another, and the ids of the videos among them that have to be read. */
interface Part {
  lines: ItemResult[];
  ids: number[];
}

function* partsOf(
  lines: Iterable<ItemResult>,
  { isUnknown, most }: { isUnknown: (line: ItemResult) => boolean; most: number },
): Generator<Part> {
  let part: Part = { lines: [], ids: [] };
  for (const line of lines) {
    part.lines.push(line);
    if (line.id !== undefined && isUnknown(line)) part.ids.push(line.id);
    if (part.ids.length === most || part.lines.length === LINES_AT_ONCE) {
      yield part;
      part = { lines: [], ids: [] };
    }
  }
  yield part;
}

/** What was read now is newer; only the answer that makes a video says some of the rest. */
function withDetails(line: ItemResult, details: DetailsById | undefined): ItemResult {
  const read = line.id === undefined ? undefined : details?.get(line.id);
  return read === undefined ? line : { ...line, video: { ...line.video, ...read } };
}
