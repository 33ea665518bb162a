import { Context, cancellationSignal } from '@temporalio/activity';
import type { ApplicationFailure } from '@temporalio/common';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import pMap from 'p-map';

import { changedLines, isNamedByContent } from '../../contract/batch-names.js';
import {
  createTwinFinder,
  itemSchema,
  parseItem,
  type BatchItem,
} from '../../contract/batch-items.js';
import type { Manifest } from '../../contract/manifest.js';
import { MAX_BATCH_ITEMS } from '../../contract/operations/run-batch.js';
import {
  ItemState,
  itemWorkflowId,
  type BatchTerms,
  type SeenItem,
} from '../../contract/wire/batch.js';
import { withHeartbeat } from '../../engine/activities/attempt.js';
import { invalidInput, runOfActivity, wasReset } from '../../engine/activities/run-of-activity.js';
import type { Fault } from '../../engine/core/failures.js';
import { fromRanges } from '../../engine/core/number-ranges.js';
import { cutText, firstOf } from '../../engine/core/text.js';
import type { ParsedInput } from '../../engine/schema/parse-input.js';
import type { ManifestReader } from '../manifest/create-manifest-reader.js';
import type { ManifestRange } from '../manifest/scan-manifest.js';
import type { BatchRuns, EarlierTry, OfBatch, OpenItem } from './batch-runs.js';

/** A part of the list is read again for each start from it. */
const PAGE_LIMITS = { maxItems: 50, maxBytes: 256 * 1024 } as const;
/** Calls to the Temporal server at the same time, for one batch. */
const MAX_CALLS = 10;

/** The tries before this one, as far as the run knows them. */
export interface TriesBefore {
  last?: EarlierTry;
  /** Run Id in the first event of the batch: another one reads the list for it after a reset. */
  eventRunId?: string;
}

export interface ScanItemsInput extends TriesBefore {
  terms: BatchTerms;
  manifest: Manifest;
  /** Only these lines. */
  lines?: string;
}

export interface CheckNamesInput extends TriesBefore {
  terms: BatchTerms;
  /** All items of the input. */
  items: readonly unknown[];
  /** Only these are started. */
  lines?: string;
}

export interface StartItemsInput extends OfBatch {
  terms: BatchTerms;
  /** The lines to start. */
  lines: string;
  /** Items of the input, in the order of `lines`. */
  items?: readonly unknown[];
  /** Where the lines are, for items by reference. */
  page?: { manifest: Manifest; range: ManifestRange };
}

export interface FollowItemsInput {
  terms: Pick<BatchTerms, 'operation' | 'account'>;
  open: readonly OpenItem[];
  /** Pause between two looks. */
  everyMs: number;
  /** The longest answer to nothing. */
  mostMs: number;
}

export interface AskItemsInput {
  terms: FollowItemsInput['terms'];
  open: readonly OpenItem[];
  what: 'resume' | 'cancel';
  by: string;
}

export interface BatchDeps {
  manifests: ManifestReader;
  runs: BatchRuns;
  /** Whether the worker is to end: then another one follows the items. */
  isLeaving?: () => boolean;
}

/** These run on the queue of the workflows: they send nothing to the API. */
export function createBatchActivities({ manifests, runs, isLeaving = () => false }: BatchDeps) {
  return {
    /** Reads a manifest of items once, checks every line and cuts it into pages. Fails as `InvalidInput`. Heartbeats. */
    scanItems: (input: ScanItemsInput): Promise<ManifestRange[]> =>
      withHeartbeat(() => scan(manifests, runs, input)),

    /** The same of items that are in the input: those that earlier tries have named are known to the Temporal server. */
    checkNames: ({ terms, items, ...only }: CheckNamesInput): Promise<void> =>
      withHeartbeat(async () => {
        const ids = items.flatMap((item) => {
          const parsed = parseItem(terms, item);
          return parsed.ok ? [parsed.value.id] : [];
        });
        const toPath = (line: number): string => `items[${line - 1}]`;
        await refuseChanged(runs, terms, { ids, ...only, toPath });
      }),

    /**
     * Starts the runs of some items, or joins those that they have. A repeat finds what it has started. Leaves out what it
     * has not started because its batch does not want it any more.
     */
    startItems: (input: StartItemsInput): Promise<SeenItem[]> =>
      withHeartbeat(async () => {
        const { terms } = input;
        const items = await readItems(manifests, input);
        return each(items, (item) => startItem(runs, terms, { item, of: input }));
      }),

    /** Finds what of some items a start has begun whose answer is lost. Starts nothing. */
    findItems: (input: StartItemsInput): Promise<SeenItem[]> =>
      withHeartbeat(async () => {
        const { terms } = input;
        const items = await readItems(manifests, input);
        return each(items, async ({ line, ...item }) =>
          item.ok ? runs.find(terms, { line, ...item.value }, input) : undefined,
        );
      }),

    /** Waits until an item has changed, and answers what has changed by then. Heartbeats. */
    followItems: (input: FollowItemsInput): Promise<SeenItem[]> =>
      withHeartbeat(() => follow(runs, input, isLeaving)),

    /** Asks the runs of items to try again, or to cancel. Answers the lines whose runs did not take it. */
    askItems: (input: AskItemsInput): Promise<number[]> => withHeartbeat(() => askAll(runs, input)),
  };
}
export type BatchActivities = ReturnType<typeof createBatchActivities>;

async function scan(
  manifests: ManifestReader,
  runs: BatchRuns,
  { terms, manifest, lines, ...tries }: ScanItemsInput,
): Promise<ManifestRange[]> {
  const twins = createTwinFinder(terms);
  const faults: Fault[] = [];
  const ids: string[] = [];
  const { ranges } = await manifests.scan(manifest, {
    schema: itemSchema(terms).transform((item) => {
      const line = ids.push(item.id);
      const found = twins(line, item);
      faults.push(...found.map(({ message }) => ({ path: `line ${line}`, message })));
      return item;
    }),
    signal: cancellationSignal(),
    limits: {
      ...PAGE_LIMITS,
      maxLines: MAX_BATCH_ITEMS,
      only: lines === undefined ? undefined : new Set(fromRanges(lines)),
    },
  });
  if (faults.length > 0) throw invalidInput(faults);
  await refuseChanged(runs, terms, { ids, lines, ...tries, toPath: (line) => `line ${line}` });
  await refuseLost(runs, terms, { ids, ...tries });
  return ranges;
}

/** A few at the same time. */
async function each<T, R>(
  items: readonly T[],
  act: (item: T) => Promise<R | undefined>,
): Promise<R[]> {
  const seen = await pMap(items, act, { concurrency: MAX_CALLS });
  return seen.flatMap((one) => one ?? []);
}

/** The run whose events these are, when somebody has reset it. */
function resetRun(eventRunId: string | undefined): EarlierTry | undefined {
  const { workflowId } = runOfActivity();
  return wasReset(eventRunId) ? { workflowId, runId: eventRunId } : undefined;
}

/** A try that cannot be asked any more holds up no batch for ever. */
function askable<T>(asked: T): T | undefined {
  return Context.current().info.attempt < MOST_TRIES ? asked : undefined;
}

const MOST_LOST = 10;

/** What goes on for a line that the list has lost, nobody would follow: a reset run knows only what the list has now. */
async function refuseLost(
  runs: BatchRuns,
  terms: BatchTerms,
  { ids, eventRunId }: TriesBefore & Pick<NamedLines, 'ids'>,
): Promise<void> {
  const before = askable(resetRun(eventRunId));
  if (before === undefined) return;
  const lost = await runs.lost(terms, before, new Set(ids));
  if (lost.length === 0) return;
  const some = firstOf(
    lost.map((id) => itemWorkflowId(terms, { id })),
    MOST_LOST,
  );
  const message = `lacks lines whose runs this batch had started before it was reset, and which go on: ${some}. Put the lines back, or end these runs`;
  throw invalidInput([{ path: 'manifest', message }]);
}

interface NamedLines extends TriesBefore {
  /** Of all lines, in their order. */
  ids: readonly string[];
  lines?: string | undefined;
  toPath: (line: number) => string;
}

async function refuseChanged(
  runs: BatchRuns,
  terms: BatchTerms,
  { ids, lines, last, eventRunId, toPath }: NamedLines,
): Promise<void> {
  if (terms.makes !== true || !ids.some((id) => isNamedByContent(terms, id))) return;
  const only = lines === undefined ? undefined : new Set(fromRanges(lines));
  const asked = askable(resetRun(eventRunId) ?? last);
  const faults = changedLines(terms, ids, await runs.named(terms, asked, new Set(ids)))
    .filter(({ line }) => only?.has(line) ?? true)
    .map(({ line, message }) => ({ path: toPath(line), message }));
  if (faults.length > 0) throw invalidInput(faults);
}

type Given = { line: number } & ParsedInput<BatchItem>;

async function readItems(
  manifests: ManifestReader,
  { terms, lines, items = [], page }: StartItemsInput,
): Promise<Given[]> {
  const wanted = [...fromRanges(lines)];
  if (page === undefined) {
    return wanted.map((line, at) => ({ line, ...parseItem(terms, items[at]) }));
  }
  const { manifest, range } = page;
  const schema = itemSchema(terms);
  const signal = cancellationSignal();
  const read = await manifests.read(manifest, { schema, range, signal });
  const asked = new Set(wanted);
  return read.flatMap(({ line, value }) => (asked.has(line) ? [{ line, ok: true, value }] : []));
}

/** A start that fails again and again must not keep the other items of its call from starting. */
const MOST_TRIES = 5;

async function startItem(
  runs: BatchRuns,
  terms: BatchTerms,
  { item, of }: { item: Given; of: OfBatch },
): Promise<SeenItem | undefined> {
  const { line } = item;
  if (!item.ok) return { line, ...failedAs(invalidInput(item.faults)) };
  try {
    return await runs.start(terms, { line, ...item.value }, of);
  } catch (error) {
    if (Context.current().info.attempt < MOST_TRIES) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    return { line, state: ItemState.later, class: 'NotStarted', text: cutText(reason) };
  }
}

function failedAs({ type, message }: ApplicationFailure): Omit<SeenItem, 'line'> {
  return { state: ItemState.failed, class: type ?? 'Unknown', text: cutText(message) };
}

/** A run that does not answer, or that the server cannot ask, keeps no other one from being asked. */
async function askAll(
  runs: BatchRuns,
  { terms, open, what, by }: AskItemsInput,
): Promise<number[]> {
  const unasked = await each(open, async (item) => {
    try {
      await runs.ask(terms, item, { what, by });
      return undefined;
    } catch (error) {
      return { line: item.line, error };
    }
  });
  const [first] = unasked;
  if (first !== undefined && Context.current().info.attempt < MOST_TRIES) throw first.error;
  return unasked.map(({ line }) => line);
}

/** Each open item is looked at by itself within so many pauses, whatever the list shows. */
const LOOKS_PER_ROUND = 30;

const NONE: ReadonlySet<number> = new Set();

async function follow(
  runs: BatchRuns,
  { terms, open, everyMs, mostMs }: FollowItemsInput,
  isLeaving: () => boolean,
): Promise<SeenItem[]> {
  const signal = cancellationSignal();
  const share = Math.ceil(open.length / LOOKS_PER_ROUND);
  const endsAt = performance.now() + mostMs;
  for (let look = 0; ; look++) {
    // Only a hint: without the list, the looks at each item find every end, but later.
    const suspects = await runs.suspects(terms, open).catch(() => NONE);
    const isTurn = (at: number): boolean => Math.floor(at / share) === look % LOOKS_PER_ROUND;
    const wanted = open.filter(({ line }, at) => suspects.has(line) || isTurn(at));
    const news = await each(wanted, (item) => lookAt(runs, terms, item));
    if (news.length > 0 || performance.now() >= endsAt || isLeaving()) return news;
    await delay(everyMs, undefined, { signal });
  }
}

/** What has changed; `undefined` when nothing has. */
async function lookAt(
  runs: BatchRuns,
  terms: FollowItemsInput['terms'],
  item: OpenItem,
): Promise<SeenItem | undefined> {
  const seen = await runs.look(terms, item);
  return seen.state === item.state && seen.class === item.class ? undefined : seen;
}
