/** An import that waits for videos. */
export interface OpenImport {
  workflowId: string;
  startedAt: Date;
}

/** What one import should hear now. */
export interface DueHint {
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
/** More are dropped: each import looks by its own timer too. */
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

interface Waiting {
  videoIds: Set<number>;
  sentAt: number;
}

/** Keeps what each open import has not been told yet. Nobody knows which import a video belongs to. */
export function createDueHints() {
  const waiting = new Map<string, Waiting>();

  return {
    /** @param now milliseconds since the epoch */
    next(imports: readonly OpenImport[], fresh: ReadonlySet<number>, now: number): DueHints {
      forgetClosed(waiting, imports);
      const hints: DueHint[] = [];
      let nextAt = Infinity;
      for (const run of imports) {
        const own = waiting.get(run.workflowId) ?? { videoIds: new Set(), sentAt: NEVER };
        waiting.set(run.workflowId, own);
        addAll(own.videoIds, fresh);
        if (own.videoIds.size > 0 && dueAt(run, own, now) <= now) {
          hints.push({ workflowId: run.workflowId, videoIds: takeSome(own.videoIds) });
          own.sentAt = now;
        }
        if (own.videoIds.size > 0) nextAt = Math.min(nextAt, dueAt(run, own, now));
      }
      return { hints, nextInMs: nextAt === Infinity ? undefined : nextAt - now };
    },
  };
}

const NEVER = -Infinity;

function dueAt({ startedAt }: OpenImport, { sentAt }: Waiting, now: number): number {
  return Math.max(now, sentAt + leastPauseMs(now - startedAt.getTime()));
}

function forgetClosed(waiting: Map<string, Waiting>, imports: readonly OpenImport[]): void {
  const open = new Set(imports.map(({ workflowId }) => workflowId));
  for (const workflowId of waiting.keys()) if (!open.has(workflowId)) waiting.delete(workflowId);
}

function addAll(ids: Set<number>, fresh: ReadonlySet<number>): void {
  for (const id of fresh) if (ids.size < MAX_WAITING_IDS) ids.add(id);
}

function takeSome(ids: Set<number>): number[] {
  const taken = [...ids].slice(0, MAX_IDS);
  for (const id of taken) ids.delete(id);
  return taken;
}
