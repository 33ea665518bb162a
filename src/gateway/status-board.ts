import { createHash } from 'node:crypto';

import {
  RunEndedError,
  RunNotFoundError,
  type GcoreWorkflows,
  type ListedPhase,
} from '../client/index.js';
import { isOperation } from '../client/operations.js';
import type { Operation } from '../contract/index.js';
import { addTo } from './counts.js';
import { fairShare } from './fair-share.js';
import { within, type Deadlines } from './within.js';

/** What the gateway knows of a run at one moment. */
export interface RunView {
  workflowId: string;
  /** Of its newest history. A view names its run: another one may have the Workflow Id by now. */
  runId: string;
  operation: Operation;
  account: string;
  /** Nobody knows the account yet. */
  isAccountGuessed?: true;
  /** The operation of the items of a batch; missing while nobody knows. */
  batchOf?: string;
  /** Workflow Id of the run whose part this is. */
  partOf?: string;
  /** Temporal's name of the state, such as RUNNING or TERMINATED. */
  state: string;
  /** As far as the server knows it without a worker: a run that waits is `running`. */
  phase: ListedPhase;
  isEnded: boolean;
  /** When this history began; ISO 8601. */
  startedAt: string;
  closedAt?: string;
  /** The status document as JSON, and its tag. Missing when no worker answers. */
  document?: { text: string; tag: string };
}

type Reading = { ok: true; view: RunView } | { ok: false; error: unknown };

/** One reader of each run for all that ask about it. */
export interface StatusBoard {
  /** The view of this moment, at most a second old. @throws RunNotFoundError */
  read: (workflowId: string) => Promise<RunView>;
  /**
   * The next view that differs from the one with this tag, or the end of the run; `undefined` after the
   * signal. @throws RunNotFoundError
   */
  next: (workflowId: string, seen: Seen, signal: AbortSignal) => Promise<RunView | undefined>;
  /** What is known of the run is old: it was just changed. */
  forget: (workflowId: string) => void;
}

export interface Seen {
  tag: string | undefined;
  /** Only the end counts. */
  untilEnded?: boolean;
  /** Who waits: the name of a token. */
  by?: string;
}

/** By a clock that nobody sets: after a step back of the other one a status would stay as it is for as long. */
const LONG_AGO = -Infinity;

interface Entry {
  reading?: Reading;
  readAt: number;
  looking?: Promise<Reading>;
  listeners: Set<(reading: Reading) => void>;
  /** How many of them wait for each reader. */
  readers: Map<string, number>;
  timer?: NodeJS.Timeout;
  /** When the reading is old. */
  stale?: NodeJS.Timeout;
}

interface Board {
  readView: (workflowId: string) => Promise<RunView>;
  freshMs: number;
  entries: Map<string, Entry>;
  /** How many runs each reader follows. */
  followed: Map<string, number>;
}

const FRESH_MS = 1_000;

/** However many readers a run has, its status is asked for once in `freshMs`, and less often where many runs are followed. */
export function createStatusBoard(
  readView: (workflowId: string) => Promise<RunView>,
  freshMs = FRESH_MS,
): StatusBoard {
  const board: Board = { readView, freshMs, entries: new Map(), followed: new Map() };
  return {
    async read(workflowId) {
      const entry = entryOf(board, workflowId);
      const known = isFresh(board, entry) ? entry.reading : undefined;
      const reading = known ?? (await look(board, workflowId, entry));
      if (!reading.ok) throw reading.error;
      return reading.view;
    },
    next: (workflowId, seen, signal) => next(board, { workflowId, seen }, signal),
    forget(workflowId) {
      const entry = board.entries.get(workflowId);
      if (entry === undefined) return;
      // An answer that is on its way may be older than the change.
      delete entry.looking;
      entry.readAt = LONG_AGO;
      schedule(board, workflowId, entry);
    },
  };
}

function entryOf({ entries }: Board, workflowId: string): Entry {
  const known = entries.get(workflowId);
  if (known !== undefined) return known;
  const entry: Entry = { readAt: LONG_AGO, listeners: new Set(), readers: new Map() };
  entries.set(workflowId, entry);
  return entry;
}

function isFresh({ freshMs }: Board, { reading, readAt }: Entry): boolean {
  return reading !== undefined && performance.now() - readAt < freshMs;
}

/** Asks for the status, together with all who ask at this moment. */
function look(board: Board, workflowId: string, entry: Entry): Promise<Reading> {
  if (entry.looking !== undefined) return entry.looking;
  const looking = board
    .readView(workflowId)
    .then(
      (view): Reading => ({ ok: true, view }),
      (error: unknown): Reading => ({ ok: false, error }),
    )
    .then((reading) => {
      if (entry.looking !== looking) return reading;
      delete entry.looking;
      entry.reading = reading;
      entry.readAt = performance.now();
      for (const tell of [...entry.listeners]) tell(reading);
      schedule(board, workflowId, entry);
      letGo(board, entry);
      return reading;
    });
  entry.looking = looking;
  return looking;
}

/** Nobody reads it when it is old. Those of all runs that are followed would be in memory for nothing. */
function letGo({ freshMs }: Board, entry: Entry): void {
  clearTimeout(entry.stale);
  entry.stale = setTimeout(() => {
    delete entry.reading;
  }, freshMs).unref();
}

/** Looks again while there are listeners. Without any the entry is let go. */
function schedule(board: Board, workflowId: string, entry: Entry): void {
  clearTimeout(entry.timer);
  const { entries } = board;
  const delay = Math.max(0, entry.readAt + pauseAfter(board, entry) - performance.now());
  entry.timer = setTimeout(() => {
    if (entry.listeners.size > 0) void look(board, workflowId, entry);
    else if (entry.looking === undefined) entries.delete(workflowId);
  }, delay);
  entry.timer.unref();
}

/** Of all runs together in the time that a status is fresh: 200 looks a second take half a core. */
const LOOKS_OF_ALL = 200;

/** Who follows many runs hears of each less often, and nobody else does. */
function pauseAfter({ followed, freshMs }: Board, { readers }: Entry): number {
  if (readers.size === 0) return freshMs;
  const fewest = Math.min(...[...readers.keys()].map((by) => followed.get(by) ?? 0));
  return freshMs * Math.max(1, fewest / fairShare([...followed.values()], LOOKS_OF_ALL));
}

/** Counts one that begins to wait, or does not wait any more. */
function countReader(
  { followed }: Board,
  { readers }: Entry,
  { by, change }: { by: string; change: 1 | -1 },
): void {
  const before = readers.get(by) ?? 0;
  addTo(readers, by, change);
  const isAnother = before === 0 || before + change === 0;
  if (isAnother) addTo(followed, by, change);
}

function next(
  board: Board,
  { workflowId, seen }: { workflowId: string; seen: Seen },
  signal: AbortSignal,
): Promise<RunView | undefined> {
  if (signal.aborted) return Promise.resolve(undefined);
  const entry = entryOf(board, workflowId);
  const { by = '' } = seen;
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      if (entry.listeners.delete(listener)) countReader(board, entry, { by, change: -1 });
      signal.removeEventListener('abort', stop);
    };
    const stop = (): void => {
      leave();
      resolve(undefined);
    };
    const listener = (reading: Reading): void => {
      if (reading.ok ? !isNews(reading.view, seen) : !isLost(reading.error)) return;
      leave();
      if (reading.ok) resolve(reading.view);
      else reject(new RunNotFoundError(workflowId));
    };
    signal.addEventListener('abort', stop);
    entry.listeners.add(listener);
    countReader(board, entry, { by, change: 1 });
    if (entry.reading !== undefined && isFresh(board, entry)) listener(entry.reading);
    if (entry.looking === undefined) schedule(board, workflowId, entry);
  });
}

function isNews({ isEnded, document }: RunView, { tag, untilEnded = false }: Seen): boolean {
  return isEnded || (!untilEnded && document !== undefined && document.tag !== tag);
}

/** Any other error passes: the server or the worker comes back. */
function isLost(error: unknown): boolean {
  return error instanceof RunNotFoundError;
}

const ANSWER_WITHIN_MS = 5_000;

/** So often another run may have begun between two looks at one. */
const MOST_LOOKS = 3;

/** Reads a run: its end from the server, its status from a worker, if one answers. */
export async function readRunView(
  gcore: Pick<GcoreWorkflows, 'status' | 'summary'> & Deadlines,
  workflowId: string,
  looks = MOST_LOOKS,
): Promise<RunView> {
  const summary = await within(gcore, ANSWER_WITHIN_MS, () => gcore.summary(workflowId));
  const { runId, operation, account, state, phase, startedAt, closedAt } = summary;
  if (!isOperation(operation)) throw new RunNotFoundError(workflowId);
  const view = {
    ...{ workflowId, runId, operation, account, state, phase, isEnded: closedAt !== undefined },
    startedAt: startedAt.toISOString(),
    ...(summary.isAccountGuessed && { isAccountGuessed: true as const }),
    ...(summary.batchOf !== undefined && { batchOf: summary.batchOf }),
    ...(summary.partOf !== undefined && { partOf: summary.partOf }),
    ...(closedAt !== undefined && { closedAt: closedAt.toISOString() }),
  };
  try {
    const status = await within(gcore, ANSWER_WITHIN_MS, () => gcore.status({ workflowId, runId }));
    const text = JSON.stringify({ workflowId, state, ...status });
    return { ...view, document: { text, tag: tagOf(text) } };
  } catch (error) {
    if (error instanceof RunNotFoundError) throw error;
    // Another run has begun since: what is known is of the one before.
    if (error instanceof RunEndedError && looks > 1)
      return readRunView(gcore, workflowId, looks - 1);
    return view;
  }
}

/** The tag of a document: the same text has the same tag at every gateway. Without quotes. */
export function tagOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}
