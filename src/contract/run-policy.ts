/**
 * How a run waits. The worker hands its policy to each run when the run starts, so that it is
 * recorded in history: a later change of the worker's settings cannot make a replay differ.
 */
export interface RunPolicy {
  /** After a lost answer: how long the API may take to list what it created. Must exceed its list lag. */
  reconcileGraceMs: number;
  poll: PollPolicy;
  /** Whether a lost call is looked for in the list of tasks too, where it may show before lists of resources do. */
  traceTasks?: boolean;
  /** Whether workers watch tasks for all runs of an account together; timers alone suffice too. */
  watcher?: boolean;
  /** Longest pause between two tries of a call that the API does not answer; a minute. */
  longestRetryMs?: number;
  /** A blocked run tries again by itself after this time, later after ever longer ones; a minute. */
  probeMs?: number;
  /** A run with so many events goes on in a new history, if it can; 5,000. */
  mostEvents?: number;
  /** False where the namespace lacks the search attributes: an upsert would fail the task for ever. */
  searchAttributes: boolean;
}

/** When to look at a task (or at a resource that is coming up) again. */
export interface PollPolicy {
  minMs: number;
  maxMs: number;
  /** The next look comes after this share of the time waited so far. */
  shareOfElapsed: number;
  /** After so many looks by timer Temporal repeats one read, and the history grows no more; 40. */
  looksByTimer?: number;
  /** By task type, from the API's guide on asynchronous operations. */
  typical: Record<string, TypicalDuration>;
  /** For a task type that the table does not name. */
  otherwise: TypicalDuration;
}

export interface TypicalDuration {
  /** The first look comes then: earlier ones would only cost requests. */
  firstMs: number;
  /** What a person is told is usual. */
  usualMs: number;
  /** Instead of the policy's own share. */
  shareOfElapsed?: number;
  /** A run gives up a wait that has lasted so long; never when left out. */
  giveUpMs?: number;
}

const PROFILE_TASK: TypicalDuration = { firstMs: 3_000, usualMs: 15_000, giveUpMs: 20 * 60_000 };

export const DEFAULT_POLL_POLICY: PollPolicy = {
  minMs: 2_000,
  maxMs: 60_000,
  shareOfElapsed: 0.05,
  typical: {
    // Bare metal has been seen to take more than an hour.
    create_vm: { firstMs: 15_000, usualMs: 30_000, giveUpMs: 3 * 3_600_000 },
    delete_vm: { firstMs: 15_000, usualMs: 70_000 },
    delete_volume: { firstMs: 3_000, usualMs: 10_000 },
    delete_floating_ip: { firstMs: 3_000, usualMs: 10_000 },
    // Not documented; Terraform gives each of them 20 minutes.
    create_ddos_profile: PROFILE_TASK,
    update_ddos_profile: PROFILE_TASK,
    activate_ddos_profile: PROFILE_TASK,
    deactivate_ddos_profile: PROFILE_TASK,
    delete_ddos_profile: PROFILE_TASK,
    'DDoS profile in effect': { firstMs: 2_000, usualMs: 5_000, giveUpMs: 20 * 60_000 },
    // Transcoding takes minutes to hours; a video that is not done after a day is given up.
    video: { firstMs: 15_000, usualMs: 300_000, giveUpMs: 24 * 3_600_000 },
    'instance ACTIVE': { firstMs: 2_000, usualMs: 5_000, giveUpMs: 20 * 60_000 },
    // A storage is no task: its own status is looked at (the Go SDK does, every 3 s for two hours).
    'SFTP storage active': { firstMs: 2_000, usualMs: 10_000, giveUpMs: 2 * 3_600_000 },
    // Most of what shows at all shows at once; the rest is waited for at ever longer intervals.
    'list of the API': { firstMs: 2_000, usualMs: 5_000, shareOfElapsed: 0.5 },
  },
  otherwise: { firstMs: 5_000, usualMs: 30_000 },
};

export const DEFAULT_RECONCILE_GRACE_MS = 120_000;

/** The same policy at another speed: a demo runs faster, tests much faster. */
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
