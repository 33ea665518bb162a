import { TaskType } from '../../contract/wire/task-type.js';

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

const PROFILE_TASK: TypicalDuration = { firstMs: 3_000, usualMs: 15_000, giveUpMs: 20 * 60_000 };

export const DEFAULT_POLL_POLICY: PollPolicy = {
  minMs: 2_000,
  maxMs: 60_000,
  shareOfElapsed: 0.05,
  typical: {
    // Bare metal has been seen to take more than an hour.
    [TaskType.createVm]: { firstMs: 15_000, usualMs: 30_000, giveUpMs: 3 * 3_600_000 },
    [TaskType.deleteVm]: { firstMs: 15_000, usualMs: 70_000 },
    [TaskType.deleteVolume]: { firstMs: 3_000, usualMs: 10_000 },
    [TaskType.deleteFloatingIp]: { firstMs: 3_000, usualMs: 10_000 },
    // Undocumented; Terraform waits 20 minutes for each.
    [TaskType.createProfile]: PROFILE_TASK,
    [TaskType.updateProfile]: PROFILE_TASK,
    [TaskType.activateProfile]: PROFILE_TASK,
    [TaskType.deactivateProfile]: PROFILE_TASK,
    [TaskType.deleteProfile]: PROFILE_TASK,
    'DDoS profile in effect': { firstMs: 2_000, usualMs: 5_000, giveUpMs: 20 * 60_000 },
    // Transcoding takes minutes to hours. The run gives up a video after a day.
    video: { firstMs: 15_000, usualMs: 300_000, giveUpMs: 24 * 3_600_000 },
    'instance ACTIVE': { firstMs: 2_000, usualMs: 5_000, giveUpMs: 20 * 60_000 },
    // A storage has no task: the run polls its status (the Go SDK does so every 3 s for two hours).
    'SFTP storage active': { firstMs: 2_000, usualMs: 10_000, giveUpMs: 2 * 3_600_000 },
    // Most resources show in the list immediately. For the rest the intervals grow. It paces waits of many
    // kinds, and none of them has a usual duration.
    'list of the API': { firstMs: 2_000, usualMs: 0, shareOfElapsed: 0.5 },
  },
  otherwise: { firstMs: 5_000, usualMs: 30_000 },
};

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
