import proto from '@temporalio/proto';
import type { native } from '@temporalio/core-bridge';
import type { coresdk } from '@temporalio/proto';

import { isLocalToken, LocalActivities } from '../activity/local-activities.js';
import { RemoteActivities } from '../activity/remote-activities.js';
import { toCallError } from '../client/call-error.js';
import type { Connection } from '../client/connection.js';
import type { Home } from '../client/home.js';
import { WorkerCalls } from '../client/worker-calls.js';
import { fromMs } from '../timestamps.js';
import type { ActivityTask } from '../messages.js';
import { bridgeErrors } from '../sdk-internals.js';
import { readCompletion } from '../workflow/run-completion.js';
import { isEmptyTask } from '../workflow/tasks.js';
import { Workflows } from '../workflow/workflows.js';
import type { ReplayHistories } from './replay-histories.js';
import { PollBalance } from './poll-balance.js';
import { createPace, runPoller } from './poller.js';
import { slotLimit, Slots } from './slots.js';
import { TaskQueue } from './task-queue.js';
import {
  defaultBehavior,
  deploymentVersionOf,
  failsOnNondeterminism,
  identityOf,
  pollCount,
  stickyQueueOf,
  workflowPollCounts,
} from './worker-settings.js';

const { TaskQueueType } = proto.temporal.api.enums.v1;
const { WorkflowActivation } = proto.coresdk.workflow_activation;
const { ActivityTask: ActivityTaskMessage } = proto.coresdk.activity_task;

export interface Nondeterminism {
  process: string | undefined;
  workflowId: string;
  runId: string;
  workflowType: string;
  message: string;
}

export interface WorkerSettings {
  options: native.WorkerOptions;
  /** Polls of one queue that are open at a time, at most. */
  maxPolls: number;
  onNondeterminism: (found: Nondeterminism) => void;
  /** What is replayed, in a worker that does nothing else. */
  replays?: ReplayHistories;
}

/** The core of one worker. */
export class CoreWorker {
  readonly type = 'worker';
  readonly home: Home;
  readonly #settings: WorkerSettings;
  readonly #calls: WorkerCalls;
  readonly #shutdown = new AbortController();
  readonly #activations = new TaskQueue();
  readonly #activities = new TaskQueue();
  readonly #nexus = new TaskQueue();
  readonly #workflowSlots: Slots;
  readonly #local: LocalActivities;
  readonly #remote: RemoteActivities;
  readonly #workflows: Workflows;
  readonly #sticky;
  #isGraceful = false;
  #pollsWorkflows = false;
  #pollsActivities = false;
  #workflowsAreOver = false;
  #remotePollsAreOver = false;
  #shutdownCall: Promise<void> | undefined;

  constructor(connection: Connection, settings: WorkerSettings) {
    const { options } = settings;
    const { home, draw } = connection;
    this.home = home;
    this.#settings = settings;
    this.#calls = new WorkerCalls(connection, identityOf(options, draw));
    this.#sticky = stickyQueueOf(options, draw);
    const { tuner, maxCachedWorkflows } = options;
    const limit = slotLimit(tuner.workflowTaskSlotSupplier);
    this.#workflowSlots = new Slots(
      maxCachedWorkflows > 0 ? Math.min(limit, Math.max(2, maxCachedWorkflows)) : limit,
    );
    this.#local = this.#createLocal();
    this.#remote = this.#createRemote();
    this.#workflows = this.#createWorkflows(connection);
  }

  /** @throws TransportError where the namespace cannot be described */
  async validate(): Promise<Buffer> {
    const { namespace } = this.#settings.options;
    try {
      const { namespaceInfo } = await this.#calls.describeNamespace();
      this.#isGraceful = namespaceInfo?.capabilities?.workerPollCompleteOnShutdown ?? false;
      const { blobSizeLimitError, memoSizeLimitError } = namespaceInfo?.limits ?? {};
      const limits = namespaceInfo?.limits
        ? {
            blobSizeLimitError: blobSizeLimitError ?? null,
            memoSizeLimitError: memoSizeLimitError ?? null,
          }
        : null;
      return Buffer.from(proto.coresdk.NamespaceInfo.encode({ limits }).finish());
    } catch (error: unknown) {
      const { details } = toCallError(error);
      throw new bridgeErrors.TransportError(
        `Namespace ${namespace} was not found or otherwise could not be described: ${details}`,
      );
    }
  }

  replaceConnection(connection: Connection): void {
    this.#calls.connection = connection;
  }

  pollActivation(): Promise<Buffer> {
    if (!this.#pollsWorkflows) {
      this.#pollsWorkflows = true;
      this.home.run(() => {
        this.#pollWorkflows();
      });
    }
    return this.#activations.poll();
  }

  async completeActivation(
    message: coresdk.workflow_completion.IWorkflowActivationCompletion,
  ): Promise<void> {
    await this.#workflows.complete(readCompletion(message));
  }

  pollActivity(): Promise<Buffer> {
    if (!this.#pollsActivities) {
      this.#pollsActivities = true;
      this.home.run(() => {
        this.#pollActivities();
      });
    }
    return this.#activities.poll();
  }

  async completeActivity({ taskToken, result }: coresdk.IActivityTaskCompletion): Promise<void> {
    const token = taskToken ?? new Uint8Array();
    if (isLocalToken(token)) this.#local.complete(token, result ?? {});
    else await this.#remote.complete(token, result ?? {});
  }

  heartbeat(heartbeat: coresdk.IActivityHeartbeat): void {
    this.#remote.heartbeat(heartbeat);
  }

  /** Nothing ever comes: the simulation has no Nexus. */
  pollNexus(): Promise<Buffer> {
    return this.#nexus.poll();
  }

  evict(runId?: string): void {
    this.#workflows.evict(runId);
  }

  initiateShutdown(): void {
    if (this.#shutdown.signal.aborted) return;
    this.#shutdown.abort();
    this.#remote.shutdown();
    if (!this.#pollsWorkflows) this.#workflowsAreOver = true;
    if (!this.#pollsActivities) this.#remotePollsAreOver = true;
    this.#nexus.end(shutdownError());
    this.#shutdownCall = this.#tellShutdown();
    this.#checkOver();
  }

  async finalizeShutdown(): Promise<void> {
    this.initiateShutdown();
    await this.#shutdownCall;
  }

  async #tellShutdown(): Promise<void> {
    const { enableWorkflows, enableRemoteActivities, enableNexus } =
      this.#settings.options.taskTypes;
    const types = [
      ...(enableWorkflows ? [TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW] : []),
      ...(enableRemoteActivities ? [TaskQueueType.TASK_QUEUE_TYPE_ACTIVITY] : []),
      ...(enableNexus ? [TaskQueueType.TASK_QUEUE_TYPE_NEXUS] : []),
    ];
    try {
      await this.#calls.shutdown(this.#sticky?.name ?? '', types);
    } catch (error: unknown) {
      // The server notices by itself, later.
      toCallError(error);
    }
  }

  #createLocal(): LocalActivities {
    const { options } = this.#settings;
    const slots = new Slots(slotLimit(options.tuner.localActivityTaskSlotSupplier));
    return new LocalActivities(slots, {
      namespace: options.namespace,
      now: this.home.now,
      after: this.home.after,
      dispatch: this.#dispatch,
      resolve: (runId, resolution) => {
        this.#workflows.localResolution(runId, resolution);
      },
      onChange: this.#checkOver,
    });
  }

  #createRemote(): RemoteActivities {
    const { options } = this.#settings;
    return new RemoteActivities({
      calls: this.#calls,
      home: this.home,
      graceMs: options.shutdownGraceTime,
      maxThrottleMs: options.maxHeartbeatThrottleInterval,
      defaultThrottleMs: options.defaultHeartbeatThrottleInterval,
      dispatch: this.#dispatch,
      onChange: this.#checkOver,
    });
  }

  #createWorkflows({ sdk, capabilities }: Connection): Workflows {
    const { options, onNondeterminism, replays } = this.#settings;
    const { home } = this;
    return new Workflows({
      calls: this.#calls,
      sticky: this.#sticky,
      defaultBehavior: defaultBehavior(options),
      ...(replays && {
        onCaughtUp: (runId: string) => {
          this.#workflows.evict(runId, 'Always evict workflows after replay');
          replays.allowNext();
        },
      }),
      localRetries: (runId) => this.#local.retries(runId),
      onActivation: (activation) => {
        this.#activations.push(WorkflowActivation.encode(activation).finish());
      },
      onChange: this.#checkOver,
      host: {
        basics: {
          namespace: options.namespace,
          taskQueue: options.taskQueue,
          deploymentVersion: deploymentVersionOf(options),
          sdk,
          canWriteMetadata: capabilities.sdkMetadata,
          now: () => fromMs(home.now()),
        },
        maxCached: options.maxCachedWorkflows,
        now: home.now,
        after: home.after,
        requestLocal: (run, requests) => this.#local.request(run, requests),
        invalidateLocal: (runId) => {
          this.#local.invalidate(runId);
        },
        localTaskCompleted: (runId) => {
          this.#local.taskCompleted(runId);
        },
        failsWorkflow: (workflowType) => failsOnNondeterminism(options, workflowType),
        onNondeterminism: ({ workflowId, runId, workflowType, isLate }, message) => {
          if (isLate) return;
          const process = home.process?.name;
          onNondeterminism({ process, workflowId, runId, workflowType, message });
        },
      },
    });
  }

  #pollWorkflows(): void {
    const { options, maxPolls } = this.#settings;
    if (!options.taskTypes.enableWorkflows) {
      this.#activations.end(shutdownError());
      return;
    }
    const counts = workflowPollCounts(options, maxPolls);
    const balance = this.#sticky && new PollBalance(this.#workflowSlots.limit);
    void this.#pollWorkflowQueue('normal', counts.normal, balance);
    if (this.#sticky) void this.#pollWorkflowQueue('sticky', counts.sticky, balance);
  }

  #pollWorkflowQueue(
    kind: 'normal' | 'sticky',
    count: number,
    balance: PollBalance | undefined,
  ): Promise<void> {
    const shutdown = this.#shutdown.signal;
    const sticky = kind === 'sticky' ? this.#sticky : undefined;
    return runPoller({
      count,
      slots: this.#workflowSlots,
      shutdown,
      isGraceful: this.#isGraceful,
      before: () => balance?.begin(kind, shutdown) ?? Promise.resolve(),
      after: () => balance?.end(kind),
      poll: async (signal) => {
        const task = await this.#calls.pollWorkflowTask(sticky, { signal });
        if (sticky !== undefined) balance?.sawBacklog(Number(task.backlogCountHint ?? 0));
        return task;
      },
      isEmpty: isEmptyTask,
      onTask: (task, permit) => {
        if (this.#workflowsAreOver) permit.release();
        else void this.#workflows.receive(task, permit);
      },
      onFatal: ({ details }) => {
        this.#activations.end(new bridgeErrors.TransportError(details));
        this.initiateShutdown();
      },
    });
  }

  #pollActivities(): void {
    const { options } = this.#settings;
    if (!options.taskTypes.enableRemoteActivities) {
      this.#remotePollsAreOver = true;
      this.#checkOver();
      return;
    }
    void this.#pollActivityQueue().then(() => {
      this.#remotePollsAreOver = true;
      this.#checkOver();
    });
  }

  #pollActivityQueue(): Promise<void> {
    const { options, maxPolls } = this.#settings;
    const perSecond = options.maxActivitiesPerSecond;
    return runPoller({
      count: pollCount(options.activityTaskPollerBehavior, maxPolls),
      slots: new Slots(slotLimit(options.tuner.activityTaskSlotSupplier)),
      shutdown: this.#shutdown.signal,
      isGraceful: this.#isGraceful,
      ...(perSecond !== null && { before: createPace(perSecond, this.home) }),
      poll: (signal) =>
        this.#calls.pollActivityTask(options.maxTaskQueueActivitiesPerSecond, { signal }),
      isEmpty: ({ taskToken }) => (taskToken ?? []).length === 0,
      onTask: (task, permit) => {
        this.#remote.receive(task, permit);
      },
      onFatal: ({ details }) => {
        this.#activities.end(new bridgeErrors.TransportError(details));
        this.initiateShutdown();
      },
    });
  }

  readonly #dispatch = (task: ActivityTask): void => {
    this.#activities.push(ActivityTaskMessage.encode(task).finish());
  };

  /** Ends what lang polls, as soon as all that was begun is done. */
  readonly #checkOver = (): void => {
    if (!this.#shutdown.signal.aborted) return;
    if (!this.#workflowsAreOver && this.#workflows.isIdle) this.#workflowsAreOver = true;
    if (!this.#workflowsAreOver) return;
    this.#activations.end(shutdownError());
    if (this.#local.isIdle && this.#remotePollsAreOver && this.#remote.isIdle) {
      this.#activities.end(shutdownError());
    }
  };
}

function shutdownError(): Error {
  return new bridgeErrors.ShutdownError('Worker has been shut down');
}
