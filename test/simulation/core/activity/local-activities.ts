import proto from '@temporalio/proto';
import type { coresdk } from '@temporalio/proto';

import type { Cancel } from '../../time/clock.js';
import { fromMs, toMs } from '../timestamps.js';
import { tokenKey, type ActivityTask, type Failure } from '../messages.js';
import type { LocalRequest } from '../machines/local-activity-data.js';
import { EMPTY_CANCEL, type LocalResult, type Resolution } from '../machines/local-activity.js';
import type { LocalActivity } from '../machines/asked-local-activity.js';
import type { Permit, Slots } from '../worker/slots.js';
import { cancelTask } from './cancel-task.js';
import { nextRetryMs } from './retry-policy.js';

const { TimeoutType } = proto.temporal.api.enums.v1;
const { ActivityCancelReason } = proto.coresdk.activity_task;

/** How an attempt at a local activity ended, for the machines of its run. */
export interface LocalResolution extends Omit<Resolution, 'completeTime'> {
  readonly seq: number;
  readonly runtimeMs: number;
}

export interface OwnerRun {
  readonly runId: string;
  readonly workflowId: string;
  readonly workflowType: string;
}

export interface LocalHost {
  readonly namespace: string;
  now(): number;
  after(ms: number, act: () => void): Cancel;
  /** A task for lang. */
  dispatch(task: ActivityTask): void;
  resolve(runId: string, resolution: LocalResolution): void;
  onChange(): void;
}

interface Tracked {
  readonly run: OwnerRun;
  readonly activity: LocalActivity;
  readonly scheduledAt: number;
  token: Uint8Array;
  attempt: number;
  isQueued: boolean;
  /** Set while lang runs it. */
  running: { permit: Permit; startedAt: number } | undefined;
  cancelBackoff: Cancel | undefined;
  cancelTimers: Cancel[];
  firstTaskHasEnded: boolean;
  attemptsInTask: number;
}

const TOKEN_PREFIX = 'local_act_';

export function isLocalToken(token: Uint8Array): boolean {
  return Buffer.from(token.subarray(0, TOKEN_PREFIX.length)).toString() === TOKEN_PREFIX;
}

/** Runs the local activities of a worker: in it, one attempt after the other. */
export class LocalActivities {
  readonly #slots: Slots;
  readonly #host: LocalHost;
  readonly #byId = new Map<string, Tracked>();
  readonly #byToken = new Map<string, Tracked>();
  #tokens = 0;

  constructor(slots: Slots, host: LocalHost) {
    this.#slots = slots;
    this.#host = host;
  }

  /** Nothing runs, and nothing waits for a slot. */
  get isIdle(): boolean {
    return this.#byToken.size === 0 && [...this.#byId.values()].every(({ isQueued }) => !isQueued);
  }

  request(run: OwnerRun, requests: readonly LocalRequest[]): LocalResolution[] {
    return requests.flatMap((request) => {
      if (request.kind === 'new') return this.#schedule(run, request.activity);
      if (request.kind === 'cancel') {
        const tracked = this.#byId.get(idOf(run.runId, request.seq));
        return tracked === undefined ? [] : this.#cancel(tracked);
      }
      return this.#ofRun(run.runId).flatMap((tracked) => this.#cancel(tracked));
    });
  }

  /** The run is not cached any more: nobody asks for the ends of its activities. */
  invalidate(runId: string): void {
    for (const tracked of this.#ofRun(runId)) {
      tracked.cancelBackoff?.();
      stopTimers(tracked);
      tracked.running?.permit.release();
      this.#byToken.delete(tokenKey(tracked.token));
      this.#byId.delete(idOf(runId, tracked.activity.seq));
    }
    this.#host.onChange();
  }

  taskCompleted(runId: string): void {
    for (const tracked of this.#ofRun(runId)) {
      tracked.firstTaskHasEnded = true;
      tracked.attemptsInTask = 0;
    }
  }

  /** Attempts in workflow tasks that only prolong the first one. */
  retries(runId: string): number {
    return this.#ofRun(runId)
      .filter(({ firstTaskHasEnded }) => firstTaskHasEnded)
      .reduce((sum, { attemptsInTask }) => sum + attemptsInTask, 0);
  }

  /** Lang has run an attempt. */
  complete(token: Uint8Array, result: coresdk.activity_result.IActivityExecutionResult): void {
    const tracked = this.#byToken.get(tokenKey(token));
    if (tracked !== undefined) this.#complete(tracked, toLocalResult(result));
  }

  #ofRun(runId: string): Tracked[] {
    return [...this.#byId.values()].filter(({ run }) => run.runId === runId);
  }

  #schedule(run: OwnerRun, activity: LocalActivity): LocalResolution[] {
    const tracked: Tracked = {
      run,
      activity,
      scheduledAt: this.#host.now(),
      token: this.#nextToken(),
      attempt: Math.max(1, activity.attempt),
      isQueued: false,
      running: undefined,
      cancelBackoff: undefined,
      cancelTimers: [],
      firstTaskHasEnded: false,
      attemptsInTask: 0,
    };
    const { scheduleToCloseMs, originalScheduleTime } = activity;
    if (scheduleToCloseMs !== undefined) {
      const since = toMs(originalScheduleTime) ?? tracked.scheduledAt;
      const leftMs = scheduleToCloseMs - Math.max(0, this.#host.now() - since);
      if (leftMs <= 0) {
        return [{ ...resolutionOf(tracked, closed()), attempt: activity.attempt, runtimeMs: 0 }];
      }
      tracked.cancelTimers.push(
        this.#host.after(leftMs, () => {
          this.#timeOut(tracked, TimeoutType.TIMEOUT_TYPE_SCHEDULE_TO_CLOSE);
        }),
      );
    }
    this.#byId.set(idOf(run.runId, activity.seq), tracked);
    this.#queue(tracked);
    return [];
  }

  #nextToken(): Uint8Array {
    const number = Buffer.alloc(4);
    number.writeUInt32LE((this.#tokens += 1));
    return Buffer.concat([Buffer.from(TOKEN_PREFIX), number]);
  }

  #queue(tracked: Tracked): void {
    tracked.isQueued = true;
    this.#slots.acquireThen((permit) => {
      this.#start(tracked, permit);
    });
  }

  #isTracked({ run, activity }: Tracked): boolean {
    return this.#byId.has(idOf(run.runId, activity.seq));
  }

  #start(tracked: Tracked, permit: Permit): void {
    if (!this.#isTracked(tracked)) {
      permit.release();
      return;
    }
    const { activity, run } = tracked;
    tracked.isQueued = false;
    const waitedMs = this.#host.now() - tracked.scheduledAt;
    if (activity.scheduleToStartMs !== undefined && waitedMs > activity.scheduleToStartMs) {
      permit.release();
      const result = timedOut(TimeoutType.TIMEOUT_TYPE_SCHEDULE_TO_START);
      this.#host.resolve(run.runId, { ...resolutionOf(tracked, result), runtimeMs: waitedMs });
      this.#host.onChange();
      return;
    }
    tracked.running = { permit, startedAt: this.#host.now() };
    this.#byToken.set(tokenKey(tracked.token), tracked);
    if (activity.startToCloseMs !== undefined) {
      tracked.cancelTimers.push(
        this.#host.after(activity.startToCloseMs, () => {
          this.#timeOut(tracked, TimeoutType.TIMEOUT_TYPE_START_TO_CLOSE);
        }),
      );
    }
    this.#host.dispatch(this.#startTask(tracked));
  }

  #startTask(tracked: Tracked): ActivityTask {
    const { activity, run, attempt, scheduledAt, token } = tracked;
    const { scheduleToCloseMs, startToCloseMs } = activity;
    return {
      taskToken: token,
      start: {
        workflowNamespace: this.#host.namespace,
        workflowType: run.workflowType,
        workflowExecution: { workflowId: run.workflowId, runId: run.runId },
        activityId: activity.activityId,
        activityType: activity.activityType,
        headerFields: activity.headers,
        input: activity.args,
        scheduledTime: fromMs(scheduledAt),
        currentAttemptScheduledTime: fromMs(scheduledAt),
        startedTime: fromMs(this.#host.now()),
        attempt,
        scheduleToCloseTimeout: fromMs(scheduleToCloseMs ?? 0),
        startToCloseTimeout: fromMs(startToCloseMs ?? scheduleToCloseMs ?? 0),
        retryPolicy: activity.retryPolicy.message,
        priority: {},
        isLocal: true,
      },
    };
  }

  #timeOut(tracked: Tracked, type: TimeoutTypes): void {
    // What waits for a slot or for its next attempt is not timed out: its next attempt will be.
    if (tracked.running === undefined || !this.#isTracked(tracked)) return;
    const { token } = tracked;
    this.#complete(tracked, timedOut(type));
    this.#host.dispatch(cancelTask(token, ActivityCancelReason.TIMED_OUT));
  }

  #cancel(tracked: Tracked): LocalResolution[] {
    if (tracked.cancelBackoff !== undefined) {
      tracked.cancelBackoff();
      tracked.cancelBackoff = undefined;
      const { seq } = tracked.activity;
      return [
        {
          seq,
          result: EMPTY_CANCEL,
          runtimeMs: 0,
          attempt: 0,
          backoffMs: undefined,
          originalScheduleTime: undefined,
        },
      ];
    }
    if (this.#byToken.has(tokenKey(tracked.token))) {
      this.#host.dispatch(cancelTask(tracked.token, ActivityCancelReason.CANCELLED));
    }
    return [];
  }

  #complete(tracked: Tracked, result: LocalResult): void {
    const { run, activity, running, token } = tracked;
    this.#byToken.delete(tokenKey(token));
    this.#byId.delete(idOf(run.runId, activity.seq));
    tracked.running = undefined;
    const runtimeMs = running === undefined ? 0 : this.#host.now() - running.startedAt;
    const backoffMs = isRetried(result)
      ? nextRetryMs(activity.retryPolicy, tracked.attempt, result.failure)
      : undefined;
    const isLocal = backoffMs !== undefined && backoffMs <= activity.localRetryThresholdMs;
    if (isLocal) this.#backOff(tracked, backoffMs);
    else stopTimers(tracked);
    running?.permit.release();
    if (!isLocal) {
      this.#host.resolve(run.runId, { ...resolutionOf(tracked, result), runtimeMs, backoffMs });
    }
    this.#host.onChange();
  }

  #backOff(tracked: Tracked, backoffMs: number): void {
    tracked.token = this.#nextToken();
    tracked.attempt += 1;
    tracked.attemptsInTask += 1;
    this.#byId.set(idOf(tracked.run.runId, tracked.activity.seq), tracked);
    tracked.cancelBackoff = this.#host.after(backoffMs, () => {
      tracked.cancelBackoff = undefined;
      this.#queue(tracked);
    });
  }
}

type TimeoutTypes = (typeof TimeoutType)[keyof typeof TimeoutType];

function idOf(runId: string, seq: number): string {
  return `${runId}/${seq}`;
}

function stopTimers(tracked: Tracked): void {
  for (const cancel of tracked.cancelTimers) cancel();
  tracked.cancelTimers = [];
}

function resolutionOf(tracked: Tracked, result: LocalResult): LocalResolution {
  const { seq, originalScheduleTime } = tracked.activity;
  return {
    seq,
    result,
    attempt: tracked.attempt,
    runtimeMs: 0,
    backoffMs: undefined,
    originalScheduleTime,
  };
}

function closed(): LocalResult {
  return timedOut(TimeoutType.TIMEOUT_TYPE_SCHEDULE_TO_CLOSE);
}

function timedOut(timeoutType: TimeoutTypes): LocalResult {
  return {
    kind: 'timedOut',
    failure: { message: 'Activity timed out', timeoutFailureInfo: { timeoutType } },
  };
}

/** Of the ends by time, only that of one attempt may have a next one. */
function isRetried(result: LocalResult): result is Extract<LocalResult, { failure: Failure }> {
  if (result.kind === 'failed') return true;
  return (
    result.kind === 'timedOut' &&
    result.failure.timeoutFailureInfo?.timeoutType === TimeoutType.TIMEOUT_TYPE_START_TO_CLOSE
  );
}

function toLocalResult(result: coresdk.activity_result.IActivityExecutionResult): LocalResult {
  const { completed, failed, cancelled } = result;
  if (completed) return { kind: 'completed', result: completed.result ?? null };
  if (cancelled) return { kind: 'cancelled', failure: cancelled.failure ?? {} };
  if (failed === null || failed === undefined) {
    throw new TypeError('Local activities cannot be completed async');
  }
  const failure = failed.failure ?? {};
  return { kind: hasTimedOut(failure) ? 'timedOut' : 'failed', failure };
}

function hasTimedOut(failure: Failure | null | undefined): boolean {
  if (failure === null || failure === undefined) return false;
  return Boolean(failure.timeoutFailureInfo) || hasTimedOut(failure.cause);
}
