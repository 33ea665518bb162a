/**
 * One metric of the tables in `metrics.ts` and `workflow-metrics.ts`.
 *
 * No label holds an id, a name that a caller chose, or a text: each has a handful of values.
 */
export interface Metric {
  readonly name: string;
  readonly kind: 'counter' | 'gauge' | 'histogram';
  readonly labels: readonly string[];
  readonly help: string;
  /** Upper bounds of a histogram. */
  readonly buckets?: readonly number[];
}

/** The values for the labels of a metric. */
export type LabelsOf<M extends Metric> = Readonly<Record<M['labels'][number], string>>;

/** As the SDK wants it: its exporter adds `_total` to the name of a counter. */
export function sdkNameOf({ name }: Metric): string {
  return name.replace(/_total$/, '');
}

/** From seconds to the three hours after which a create is given up. */
const TASK = [5, 15, 30, 60, 120, 300, 600, 1_800, 3_600, 10_800];
/** Multiples of the usual duration. */
const RATIO = [0.5, 0.75, 1, 1.5, 2, 3, 5, 10, 30];
/** From a quick run to one that is held for a week. */
const RUN = [10, 30, 60, 180, 600, 1_800, 3_600, 14_400, 86_400, 604_800];

/**
 * Emitted by workflow code. The SDK adds the labels `namespace`, `taskQueue` and `workflowType`. A replay emits
 * nothing; a workflow task that is repeated after a crash may count twice. Plans are not counted.
 *
 * @param prefix begins each name
 */
export function workflowMetrics(prefix: string) {
  return {
    runsEnded: {
      name: `${prefix}_runs_ended_total`,
      kind: 'counter',
      labels: ['operation', 'phase', 'failure_type'],
      help: 'Runs that have ended. phase: succeeded, failed or cancelled. failure_type: the type of the failure, or none',
    },
    runDuration: {
      name: `${prefix}_run_duration_seconds`,
      kind: 'histogram',
      labels: ['operation', 'phase'],
      help: 'Time from the start of a run to its end',
      buckets: RUN,
    },
    runBlocks: {
      name: `${prefix}_run_blocks_total`,
      kind: 'counter',
      labels: ['operation', 'failure_type'],
      help: 'How often a run began to be blocked, because a person must act',
    },
    runBlocked: {
      name: `${prefix}_run_blocked_seconds`,
      kind: 'histogram',
      labels: ['operation', 'failure_type'],
      help: 'How long a run was blocked, told when the block ends',
      buckets: RUN,
    },
    reconciles: {
      name: `${prefix}_reconciles_total`,
      kind: 'counter',
      labels: ['operation', 'result'],
      help: 'Calls with a lost answer for which a run has looked. result: present, task, leftover, absent or contradiction',
    },
    taskWait: {
      name: `${prefix}_task_wait_seconds`,
      kind: 'histogram',
      labels: ['task_type', 'outcome'],
      help: 'How long a run waited for a task of the API. outcome: FINISHED, ERROR, GONE, or given_up',
      buckets: TASK,
    },
    taskWaitRatio: {
      name: `${prefix}_task_wait_ratio`,
      kind: 'histogram',
      labels: ['task_type', 'outcome'],
      help: 'The same wait, divided by the typical duration of the task type',
      buckets: RATIO,
    },
    resourcesRemoved: {
      name: `${prefix}_resources_removed_total`,
      kind: 'counter',
      labels: ['operation', 'kind'],
      help: 'Resources that a run has removed and verified as gone: by a rollback, or because that was its job',
    },
    resourcesLeft: {
      name: `${prefix}_resources_left_total`,
      kind: 'counter',
      labels: ['operation', 'kind'],
      help: 'Resources that a failed or cancelled run has left, or may have left',
    },
    webhooksGivenUp: {
      name: `${prefix}_webhook_events_given_up_total`,
      kind: 'counter',
      labels: [],
      help: 'Events that a receiver will never get',
    },
  } as const satisfies Record<string, Metric>;
}

export type WorkflowMetrics = ReturnType<typeof workflowMetrics>;
