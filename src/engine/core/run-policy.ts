/**
 * How a run waits. The worker gives its policy to each run at the start, and the history records it.
 * So a later change of the worker's settings cannot break a replay.
 */
export interface RunPolicy {
  /** How long a run looks for what a lost call created. Must exceed the list lag of the API. */
  reconcileGraceMs: number;
  poll: PollPolicy;
  /** Look for a lost call in the list of tasks too. It may show there before it shows in lists of resources. */
  traceTasks?: boolean;
  /** One watcher per account looks at the tasks of all runs. Without it each run looks by its own timers. */
  watcher?: boolean;
  /** Longest pause between two tries of a call that the API does not answer. Default: a minute. */
  longestRetryMs?: number;
  /** How long a look counts for a change that rests on it. Default: half a minute. */
  freshMs?: number;
  /** First pause after which a blocked run tries again by itself; the pauses grow. Default: a minute. */
  probeMs?: number;
  /** Number of events after which a run continues in a new history, if it can. Default: 5,000. */
  mostEvents?: number;
  /** Number of updates after which a hold continues in a new history. Default: 500. */
  mostUpdates?: number;
  /** False when the namespace lacks the search attributes: an upsert would fail the workflow task for ever. */
  searchAttributes: boolean;
}

/** When to look at a task, or at a resource that is being created, again. */
export interface PollPolicy {
  minMs: number;
  maxMs: number;
  /** The next look comes after this share of the time waited so far. */
  shareOfElapsed: number;
  /**
   * Number of looks by timer. After them Temporal retries one read until the wait ends, so the history
   * stops growing. Default: 40.
   */
  looksByTimer?: number;
  /** By task type. Source: the API's guide on asynchronous operations. */
  typical: Record<string, TypicalDuration>;
  /** For task types that `typical` does not list. */
  otherwise: TypicalDuration;
}

export interface TypicalDuration {
  /** Time of the first look. Earlier looks would only cost requests. */
  firstMs: number;
  /** The usual duration that a person is shown; 0 where none is usual. */
  usualMs: number;
  /** Overrides the share of the policy. */
  shareOfElapsed?: number;
  /** The run gives up the wait after this time; never when left out. */
  giveUpMs?: number;
}

/** A call ends at most this long after its run has ended: see `http/send-in-turn`. */
export const MAX_CALL_MS = 20_000;

export const DEFAULT_RECONCILE_GRACE_MS = 120_000;

/** Scales the policy: a demo runs faster, tests run much faster. */
export function scalePollPolicy(policy: PollPolicy, scale: number): PollPolicy {
  const scaled = ({ firstMs, usualMs, ...rest }: TypicalDuration): TypicalDuration => ({
    ...rest,
    firstMs: firstMs * scale,
    usualMs: usualMs * scale,
  });
  return {
    ...policy,
    minMs: policy.minMs * scale,
    maxMs: policy.maxMs * scale,
    typical: Object.fromEntries(
      Object.entries(policy.typical).map(([type, duration]) => [type, scaled(duration)]),
    ),
    otherwise: scaled(policy.otherwise),
  };
}

export interface PollState {
  /** A task type, or the name of another wait of the policy's table. */
  type: string;
  /** Time waited so far; 0 before the first look. */
  elapsedMs: number;
  /** In [0, 1). `Math.random` of a workflow is seeded, so a replay gets the same value. */
  random: number;
}

/** A look comes up to a fifth earlier or later, so that runs started together do not look together. */
const JITTER_SHARE = 0.2;

export function typicalDuration(type: string, policy: PollPolicy): TypicalDuration {
  return policy.typical[type] ?? policy.otherwise;
}

/**
 * Milliseconds until the next look. The first look comes near the typical duration of the type, later
 * looks after a share of the time waited so far, always between `minMs` and `maxMs`. So a long task
 * is polled less and less often, and its end is noticed late by about that share of its duration.
 */
export function pollDelay({ type, elapsedMs, random }: PollState, policy: PollPolicy): number {
  const { firstMs, shareOfElapsed = policy.shareOfElapsed } = typicalDuration(type, policy);
  const base = elapsedMs === 0 ? firstMs : elapsedMs * shareOfElapsed;
  const jittered = base * (1 + (random * 2 - 1) * JITTER_SHARE);
  return Math.round(Math.min(Math.max(jittered, policy.minMs), policy.maxMs));
}
