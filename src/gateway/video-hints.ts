import { setTimeout as delay } from 'node:timers/promises';

import { RunNotFoundError, type GcoreWorkflows } from '../client/index.js';
import { Operation } from '../contract/index.js';
import { within, type Deadlines } from './within.js';

interface VideoHints {
  /** Takes note of a video that has changed. Returns at once, whatever the Temporal server does. */
  add: (videoId: number) => void;
}

/** The hints for the imports of each account: two accounts may have videos with the same id. */
export interface AccountHints {
  add: (account: string, videoId: number) => void;
}

export interface VideoHintsDeps {
  gcore: Pick<GcoreWorkflows, 'list' | 'hintVideos'> & Deadlines;
  closing: AbortSignal;
  /** Hooks come in bursts, so the first one of a burst waits this long for others; 1 second by default. */
  gatherMs?: number;
  /** Pause between two lists of imports, of all accounts together; 1 second by default. */
  listEveryMs?: number;
}

const GATHER_MS = 1_000;
const ANSWER_WITHIN_MS = 10_000;
const RETRY_MS = 30_000;
/** More are dropped: each import looks by its own timer too. */
const MAX_FRESH = 10_000;
/** More imports of an account at once are not told. */
const MAX_IMPORTS = 200;
/** Between two lists, of all accounts together: each account that has hooks costs one. */
const LIST_EVERY_MS = 1_000;

export function createAccountHints(deps: VideoHintsDeps): AccountHints {
  const hints = new Map<string, VideoHints>();
  const pace = createPace(deps.listEveryMs ?? LIST_EVERY_MS);
  return {
    add(account, videoId) {
      const forget = (): void => void hints.delete(account);
      const own = hints.get(account) ?? createVideoHints(deps, { account, pace, forget });
      hints.set(account, own);
      own.add(videoId);
    },
  };
}

/** Turns that come one after the other, with a pause between two. */
function createPace(everyMs: number): () => Promise<void> {
  let next = -Infinity;
  return async () => {
    const now = performance.now();
    next = Math.max(now, next + everyMs);
    if (next > now) await delay(next - now, undefined, { ref: false });
  };
}

interface OfAccount {
  account: string;
  /** Waits for the turn of a list. */
  pace: () => Promise<void>;
  /** The account has no open import, so that nothing needs to be known of it. */
  forget: () => void;
}

/** Tells the open imports which videos have changed. Keeps what it could not tell, within bounds. */
function createVideoHints(deps: VideoHintsDeps, { account, pace, forget }: OfAccount): VideoHints {
  const { gcore, closing, gatherMs = GATHER_MS } = deps;
  const due = createDueHints();
  let fresh = new Set<number>();

  const tellAll = async (): Promise<number | undefined> => {
    await pace();
    const imports = await within(gcore, ANSWER_WITHIN_MS, () => listImports(gcore, account));
    if (imports.length === 0) forget();
    const told = fresh;
    fresh = new Set();
    const { hints, nextInMs } = due.next(imports, told, Date.now());
    await within(gcore, ANSWER_WITHIN_MS, () =>
      Promise.all(hints.map((hint) => send(gcore, hint))),
    );
    return nextInMs;
  };
  const round = createRounds(closing, async () => {
    try {
      const nextInMs = await tellAll();
      return fresh.size > 0 ? gatherMs : nextInMs;
    } catch {
      // The Temporal server is away, as /readyz says. Nobody but the run itself relies on a hint.
      return RETRY_MS;
    }
  });
  return {
    add(videoId) {
      if (fresh.size < MAX_FRESH) fresh.add(videoId);
      round(gatherMs);
    },
  };
}

/**
 * Makes one round at a time. The function that it gives plans the next one, unless an earlier one is planned.
 * @param act gives the milliseconds until the next round, if there is to be one
 */
function createRounds(
  closing: AbortSignal,
  act: () => Promise<number | undefined>,
): (ms: number) => void {
  let planned: { at: number; timer: NodeJS.Timeout } | undefined;
  let last: Promise<void> = Promise.resolve();
  const plan = (ms: number): void => {
    const at = performance.now() + ms;
    if (closing.aborted || (planned !== undefined && planned.at <= at)) return;
    clearTimeout(planned?.timer);
    const timer = setTimeout(() => {
      planned = undefined;
      last = last.then(make);
    }, ms);
    planned = { at, timer: timer.unref() };
  };
  const make = async (): Promise<void> => {
    const next = await act();
    if (next !== undefined) plan(next);
  };
  return plan;
}

/** A paused or blocked import does not wait for videos. */
function listImports(gcore: Pick<GcoreWorkflows, 'list'>, account: string): Promise<OpenImport[]> {
  const operation = Operation.importVideos;
  return gcore.list({ operation, account, phase: 'running', open: true, limit: MAX_IMPORTS });
}

async function send(
  gcore: Pick<GcoreWorkflows, 'hintVideos'>,
  { workflowId, videoIds }: DueHint,
): Promise<void> {
  try {
    await gcore.hintVideos(workflowId, videoIds);
  } catch (error) {
    // It has ended meanwhile.
    if (!(error instanceof RunNotFoundError)) throw error;
  }
}

/** An import that waits for videos. */
interface OpenImport {
  workflowId: string;
  startedAt: Date;
}

/** What one import should hear now. */
interface DueHint {
  workflowId: string;
  videoIds: number[];
}

export interface DueHints {
  /** What to send now, and after how many milliseconds something else is due. */
  hints: DueHint[];
  nextInMs: number | undefined;
}

/** So many ids go with one signal. */
const MAX_IDS = 1_000;
/** Of more the oldest are dropped: each import looks by its own timer too. */
const MAX_WAITING_IDS = 10_000;
const LEAST_PAUSE_MS = 5_000;
const PAUSE_SHARE = 0.02;

/**
 * How often an import may be told at most. Each signal and the look after it add some ten events to its history, and
 * Temporal ends a run that has too many. With a share of its age, 90 days take fewer than 700 signals.
 */
export function leastPauseMs(ageMs: number): number {
  return Math.max(LEAST_PAUSE_MS, ageMs * PAUSE_SHARE);
}

interface Told {
  /** All that was noted up to here. */
  upTo: number;
  sentAt: number;
}

/**
 * Keeps what each open import has not been told yet. Nobody knows which import a video belongs to, so all hear of the same
 * ones, which are kept once.
 */
export function createDueHints() {
  const told = new Map<string, Told>();
  /** Each video with the number of its newest hint, in the order of these. */
  const noted = new Map<number, number>();
  let newest = 0;
  const note = (videoId: number): void => {
    newest += 1;
    noted.delete(videoId);
    noted.set(videoId, newest);
    const [oldest] = noted.size > MAX_WAITING_IDS ? noted.keys() : [];
    if (oldest !== undefined) noted.delete(oldest);
  };

  return {
    /** @param now milliseconds since the epoch */
    next(imports: readonly OpenImport[], fresh: ReadonlySet<number>, now: number): DueHints {
      forgetClosed(told, imports);
      const before = newest;
      fresh.forEach(note);
      const hints: DueHint[] = [];
      let nextAt = Infinity;
      for (const run of imports) {
        const own = told.get(run.workflowId) ?? { upTo: before, sentAt: NEVER };
        told.set(run.workflowId, own);
        if (own.upTo < newest && dueAt(run, own, now) <= now) {
          hints.push({ workflowId: run.workflowId, videoIds: takeSome(noted, own, newest) });
          own.sentAt = now;
        }
        if (own.upTo < newest) nextAt = Math.min(nextAt, dueAt(run, own, now));
      }
      forgetTold(noted, told);
      return { hints, nextInMs: nextAt === Infinity ? undefined : nextAt - now };
    },
  };
}

const NEVER = -Infinity;

function dueAt({ startedAt }: OpenImport, { sentAt }: Told, now: number): number {
  return Math.max(now, sentAt + leastPauseMs(now - startedAt.getTime()));
}

function forgetClosed(told: Map<string, Told>, imports: readonly OpenImport[]): void {
  const open = new Set(imports.map(({ workflowId }) => workflowId));
  for (const workflowId of told.keys()) if (!open.has(workflowId)) told.delete(workflowId);
}

/** What no import waits for. */
function forgetTold(noted: Map<number, number>, told: ReadonlyMap<string, Told>): void {
  const upTo = Math.min(...[...told.values()].map((each) => each.upTo));
  for (const [videoId, at] of noted) {
    if (at > upTo) return;
    noted.delete(videoId);
  }
}

/** The oldest that this one has not been told. */
function takeSome(noted: ReadonlyMap<number, number>, own: Told, newest: number): number[] {
  const taken: number[] = [];
  for (const [videoId, at] of noted) {
    if (at <= own.upTo) continue;
    if (taken.length === MAX_IDS) return taken;
    taken.push(videoId);
    own.upTo = at;
  }
  own.upTo = newest;
  return taken;
}
