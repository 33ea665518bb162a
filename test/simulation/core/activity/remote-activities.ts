import proto from '@temporalio/proto';
import type { coresdk, temporal } from '@temporalio/proto';

import type { Cancel } from '../../time/clock.js';
import { toCallError } from '../client/call-error.js';
import type { Home } from '../client/home.js';
import type { WorkerCalls } from '../client/worker-calls.js';
import { toMs } from '../timestamps.js';
import {
  intoPayloads,
  ofPayload,
  or,
  orNull,
  tokenKey,
  type ActivityTask,
  type Failure,
  type Payload,
} from '../messages.js';
import type { Permit } from '../worker/slots.js';
import { cancelTask, detailsOf, type CancelDetails, type CancelReason } from './cancel-task.js';
import { Heartbeats } from './heartbeats.js';

const { ActivityCancelReason } = proto.coresdk.activity_task;

export type PolledActivity = temporal.api.workflowservice.v1.IPollActivityTaskQueueResponse;

export interface RemoteOptions {
  calls: WorkerCalls;
  home: Home;
  /** After this time a shutdown cancels what still runs. Undefined: never. */
  graceMs: number | undefined;
  maxThrottleMs: number;
  defaultThrottleMs: number;
  /** A task for lang. */
  dispatch: (task: ActivityTask) => void;
  onChange: () => void;
}

interface Running {
  readonly token: Uint8Array;
  readonly heartbeatTimeoutMs: number;
  readonly permit: Permit;
  /** Why lang was told to cancel it. */
  cancelReason: CancelReason | undefined;
  /** The server does not know it any more: its end is not reported. */
  isGone: boolean;
  lastDetails: Payload[] | undefined;
  cancelStartToClose: Cancel;
  resetHeartbeat: () => void;
  stopHeartbeat: Cancel;
}

/** Local timers run out after those of the server, which decides. */
const TIMEOUT_BUFFER_MS = 5_000;
const HEARTBEAT_FRACTION = 0.8;

/** The activities that a worker has polled and that lang runs now. */
export class RemoteActivities {
  readonly #options: RemoteOptions;
  readonly #heartbeats: Heartbeats;
  readonly #running = new Map<string, Running>();
  #cancelsAtOnce = false;
  #completing = 0;

  constructor(options: RemoteOptions) {
    this.#options = options;
    this.#heartbeats = new Heartbeats({
      calls: options.calls,
      home: options.home,
      onCancel: (token, reason, details) => {
        this.#cancel(token, reason, details);
      },
    });
  }

  get isIdle(): boolean {
    return this.#running.size === 0;
  }

  /** Nothing is being reported any more. */
  get isFlushed(): boolean {
    return this.#completing === 0;
  }

  receive(polled: PolledActivity, permit: Permit): void {
    const token = polled.taskToken ?? new Uint8Array();
    const running: Running = {
      token,
      heartbeatTimeoutMs: toMs(polled.heartbeatTimeout) ?? 0,
      permit,
      cancelReason: undefined,
      isGone: false,
      lastDetails: undefined,
      cancelStartToClose: () => undefined,
      resetHeartbeat: () => undefined,
      stopHeartbeat: () => undefined,
    };
    this.#running.set(tokenKey(token), running);
    this.#options.dispatch(startTask(polled));
    if (this.#cancelsAtOnce) this.#cancelForShutdown(token);
    else this.#startTimers(running, toMs(polled.startToCloseTimeout) ?? 0);
  }

  /** The grace begins. */
  shutdown(): void {
    const { graceMs, home } = this.#options;
    if (graceMs === undefined) return;
    home.after(graceMs, () => {
      this.#cancelsAtOnce = true;
      for (const { token } of [...this.#running.values()]) this.#cancelForShutdown(token);
    });
  }

  heartbeat({ taskToken, details }: coresdk.IActivityHeartbeat): void {
    const running = this.#running.get(tokenKey(taskToken));
    if (running === undefined) return;
    running.lastDetails = details ?? [];
    const { maxThrottleMs, defaultThrottleMs } = this.#options;
    const wished =
      running.heartbeatTimeoutMs === 0
        ? defaultThrottleMs
        : running.heartbeatTimeoutMs * HEARTBEAT_FRACTION;
    this.#heartbeats.record({
      token: running.token,
      details: running.lastDetails,
      throttleMs: Math.min(wished, maxThrottleMs),
      onSent: running.resetHeartbeat,
    });
  }

  /** Lang has run it. Ends when the server has heard, or could not be reached for long enough. */
  async complete(
    token: Uint8Array,
    result: coresdk.activity_result.IActivityExecutionResult,
  ): Promise<void> {
    const running = this.#running.get(tokenKey(token));
    if (running === undefined) return;
    this.#running.delete(tokenKey(token));
    running.cancelStartToClose();
    running.stopHeartbeat();
    this.#completing += 1;
    try {
      const isShutdown = running.cancelReason === ActivityCancelReason.WORKER_SHUTDOWN;
      const flushes = !running.isGone && Boolean(result.cancelled) && !isShutdown;
      await this.#heartbeats.evict(token, flushes);
      if (!running.isGone) await this.#report(running, result);
    } catch (error: unknown) {
      // The server will notice by the timeouts of the activity.
      toCallError(error);
    } finally {
      this.#completing -= 1;
      running.permit.release();
      this.#options.onChange();
    }
  }

  async #report(
    running: Running,
    { completed, failed, cancelled }: coresdk.activity_result.IActivityExecutionResult,
  ): Promise<void> {
    const { calls } = this.#options;
    const { token, cancelReason } = running;
    const details = intoPayloads(running.lastDetails);
    if (completed) await calls.completeActivity(token, ofPayload(completed.result));
    else if (failed) await calls.failActivity(token, failed.failure ?? null, details);
    else if (cancelled && cancelReason === ActivityCancelReason.WORKER_SHUTDOWN) {
      // So that the next attempt need not wait for a timeout.
      await calls.failActivity(token, SHUTDOWN_FAILURE, details);
    } else if (cancelled) {
      const said = cancelled.failure?.canceledFailureInfo?.details ?? null;
      await calls.cancelActivity(token, said);
    }
  }

  #startTimers(running: Running, startToCloseMs: number): void {
    const { home } = this.#options;
    const timeOut = (): void => {
      this.#cancel(running.token, ActivityCancelReason.TIMED_OUT, {
        isNotFound: true,
        isTimedOut: true,
      });
    };
    if (startToCloseMs > 0) {
      running.cancelStartToClose = home.after(startToCloseMs + TIMEOUT_BUFFER_MS, timeOut);
    }
    if (running.heartbeatTimeoutMs === 0) return;
    running.resetHeartbeat = () => {
      running.stopHeartbeat();
      if (!this.#running.has(tokenKey(running.token))) return;
      running.stopHeartbeat = home.after(running.heartbeatTimeoutMs + TIMEOUT_BUFFER_MS, timeOut);
    };
    running.resetHeartbeat();
  }

  #cancelForShutdown(token: Uint8Array): void {
    const reason = ActivityCancelReason.WORKER_SHUTDOWN;
    this.#cancel(token, reason, detailsOf(reason));
  }

  /** Tells lang, once. */
  #cancel(token: Uint8Array, reason: CancelReason, details: CancelDetails): void {
    const running = this.#running.get(tokenKey(token));
    if (running === undefined || running.cancelReason !== undefined) return;
    running.cancelReason = reason;
    running.isGone = details.isNotFound === true;
    this.#options.dispatch(cancelTask(token, reason, details));
  }
}

const SHUTDOWN_FAILURE: Failure = {
  message: 'Worker is shutting down and this activity did not complete in time',
  applicationFailureInfo: { type: 'WorkerShutdown', nonRetryable: false },
};

function startTask(polled: PolledActivity): ActivityTask {
  return {
    taskToken: or(polled.taskToken, new Uint8Array()),
    start: {
      ...timesOf(polled),
      workflowNamespace: or(polled.workflowNamespace, ''),
      workflowType: or(polled.workflowType?.name, ''),
      workflowExecution: {
        workflowId: or(polled.workflowExecution?.workflowId, ''),
        runId: or(polled.workflowExecution?.runId, ''),
      },
      activityId: or(polled.activityId, ''),
      activityType: or(polled.activityType?.name, ''),
      headerFields: or(polled.header?.fields, {}),
      input: or(polled.input?.payloads, []),
      heartbeatDetails: or(polled.heartbeatDetails?.payloads, []),
      attempt: or(polled.attempt, 0),
      retryPolicy: orNull(polled.retryPolicy),
      priority: orNull(polled.priority),
      isLocal: false,
      runId: or(polled.activityRunId, ''),
    },
  };
}

function timesOf(polled: PolledActivity) {
  return {
    scheduledTime: orNull(polled.scheduledTime),
    currentAttemptScheduledTime: orNull(polled.currentAttemptScheduledTime),
    startedTime: orNull(polled.startedTime),
    scheduleToCloseTimeout: orNull(polled.scheduleToCloseTimeout),
    startToCloseTimeout: orNull(polled.startToCloseTimeout),
    heartbeatTimeout: orNull(polled.heartbeatTimeout),
  };
}
