import proto from '@temporalio/proto';
import type { coresdk } from '@temporalio/proto';

import type { InternalFlags } from '../workflow/internal-flags.js';
import { fromMs, plusMs, type Timestamp } from '../timestamps.js';
import type { Command, Failure, HistoryEvent, Payload } from '../messages.js';
import {
  localActivityData,
  localActivityOf,
  type CompletedLocalActivity,
  type LocalActivityMarker,
} from './markers.js';
import {
  annotate,
  fatal,
  nondeterminism,
  TableMachine,
  type Response,
  type Step,
  type Table,
} from './machine.js';
import type { LocalActivity } from './asked-local-activity.js';

const { CommandType, EventType, RetryState } = proto.temporal.api.enums.v1;
const { ActivityCancellationType } = proto.coresdk.workflow_commands;

/** How a local activity ended. */
export type LocalResult =
  | { kind: 'completed'; result: Payload | null }
  | { kind: 'failed' | 'timedOut' | 'cancelled'; failure: Failure };

export const EMPTY_CANCEL: LocalResult = {
  kind: 'cancelled',
  failure: { message: 'Activity cancelled', canceledFailureInfo: {} },
};

/** How an attempt at a local activity ended, as the worker or a marker knows it. */
export interface Resolution {
  result: LocalResult;
  completeTime: Timestamp | undefined;
  attempt: number;
  backoffMs: number | undefined;
  originalScheduleTime: Timestamp | undefined;
}

const RESOLVED = 'ResolvedFromMarkerLookAheadWaitingMarkerEvent';
const WAITING = 'WaitingResolveFromMarkerLookAhead';

const LOCAL_ACTIVITY: Table = {
  name: 'LocalActivityMachine',
  refusal: 'Local activity machine cannot handle this event:',
  transitions: {
    RequestSent: {
      handleResult: 'MarkerCommandCreated',
      cancel: 'RequestSent',
      noWaitCancel: 'MarkerCommandCreated',
    },
    MarkerCommandCreated: {
      recordMarker: 'ResultNotified',
      handleResult: 'MarkerCommandCreated',
    },
    ResultNotified: { markerRecorded: 'MarkerCommandRecorded', handleResult: 'ResultNotified' },
    [WAITING]: {
      handleKnownResult: RESOLVED,
      cancel: WAITING,
      noWaitCancel: WAITING,
      startedNonReplay: 'RequestSent',
    },
    [RESOLVED]: {
      cancel: RESOLVED,
      noWaitCancel: RESOLVED,
      markerRecorded: 'MarkerCommandRecorded',
    },
    MarkerCommandRecorded: {
      cancel: 'MarkerCommandRecorded',
      noWaitCancel: 'MarkerCommandRecorded',
      handleResult: 'MarkerCommandRecorded',
    },
  },
  commands: new Map([[CommandType.COMMAND_TYPE_RECORD_MARKER, 'recordMarker']]),
  events: new Map([[EventType.EVENT_TYPE_MARKER_RECORDED, 'markerRecorded']]),
};

export interface LocalActivityOptions {
  isReplaying: boolean;
  /** The time of the workflow when it asked for the activity. */
  workflowTime: Timestamp | undefined;
  flags: InternalFlags;
}

export class LocalActivityMachine extends TableMachine {
  readonly activity: LocalActivity;
  readonly #workflowTime: Timestamp | undefined;
  readonly #flags: InternalFlags;
  #wasReplaying: boolean;
  #resultKind: LocalResult['kind'] | undefined;

  constructor(activity: LocalActivity, options: LocalActivityOptions) {
    super(LOCAL_ACTIVITY, options.isReplaying ? WAITING : 'RequestSent');
    this.activity = activity;
    this.#wasReplaying = options.isReplaying;
    this.#workflowTime = options.workflowTime;
    this.#flags = options.flags;
  }

  begin(): Response[] {
    return this.#wasReplaying ? [] : [{ kind: 'queueLocalActivity', activity: this.activity }];
  }

  /** Whether its marker in the history ends the wait for it, instead of a command of this task. */
  isMarkerSpecial(): boolean {
    if (this.state === 'ResultNotified') return false;
    if (this.state === RESOLVED) return true;
    throw fatal(`Attempted to check for LA marker handling in invalid state ${this.state}`);
  }

  acceptsMarker(): boolean {
    return this.state === WAITING;
  }

  /** The history has no marker of it any more: it runs now. */
  encounteredNonReplayTask(): Response[] {
    if (this.state !== WAITING) return [];
    this.go('startedNonReplay');
    this.#wasReplaying = false;
    return [{ kind: 'queueLocalActivity', activity: this.activity }];
  }

  /** @param runtimeMs how long it ran, which the time of the workflow moves on by */
  resolve(resolution: Omit<Resolution, 'completeTime'>, runtimeMs: number): Response[] {
    const completeTime =
      this.#workflowTime === undefined ? undefined : plusMs(this.#workflowTime, runtimeMs);
    return this.#resolve('handleResult', { ...resolution, completeTime });
  }

  resolveKnown(resolution: Resolution): Response[] {
    return this.#resolve('handleKnownResult', resolution);
  }

  cancel(): Response[] {
    const type = this.activity.cancellationType;
    const waits = type === ActivityCancellationType.WAIT_CANCELLATION_COMPLETED;
    const from = this.state;
    this.go(waits ? 'cancel' : 'noWaitCancel');
    const ask: Response = { kind: 'cancelLocalActivity', seq: this.activity.seq };
    if (waits || from === WAITING || from === RESOLVED) return [ask];
    const isTried = type === ActivityCancellationType.TRY_CANCEL;
    if (from === 'MarkerCommandRecorded') return isTried ? [ask] : [];
    this.#resultKind = 'cancelled';
    const resolved = this.#resolved({
      result: EMPTY_CANCEL,
      completeTime: undefined,
      attempt: this.activity.attempt,
      backoffMs: undefined,
      originalScheduleTime: this.activity.originalScheduleTime,
    });
    return isTried ? [ask, ...resolved] : resolved;
  }

  protected override triggerOf(event: HistoryEvent): string | undefined {
    return localActivityOf(event) === undefined ? undefined : super.triggerOf(event);
  }

  protected override onEvent({ from, event }: Step): Response[] {
    const marker = localActivityOf(event);
    if (marker === undefined) return [];
    const { seq } = this.activity;
    const hasFailed = marker.failure !== undefined;
    if (from === 'ResultNotified' && this.#resultKind === 'completed' && hasFailed) {
      throw nondeterminism(
        `Local activity (seq ${seq}) completed successfully locally, but history said it failed!`,
      );
    }
    const failedHere = this.#resultKind === 'failed' || this.#resultKind === 'timedOut';
    if (from === 'ResultNotified' && failedHere && !hasFailed) {
      throw nondeterminism(
        `Local activity (seq ${seq}) failed locally, but history said it completed!`,
      );
    }
    this.#verify(marker);
    return [];
  }

  #verify(marker: LocalActivityMarker): void {
    const { seq, activityId, activityType } = this.activity;
    if (seq !== marker.seq) {
      throw nondeterminism(
        `Local activity marker data has sequence number ${marker.seq} but matched against LA command with sequence number ${seq}`,
      );
    }
    if (!this.#flags.tryUse('idAndTypeChecks', !this.#wasReplaying)) return;
    if (marker.activityId !== activityId) {
      throw nondeterminism(
        `Activity id of recorded marker '${marker.activityId}' does not match activity id of local activity command '${activityId}'`,
      );
    }
    if (marker.activityType !== activityType) {
      throw nondeterminism(
        `Activity type of recorded marker '${marker.activityType}' does not match activity type of local activity command '${activityType}'`,
      );
    }
  }

  #resolve(trigger: string, resolution: Resolution): Response[] {
    const from = this.state;
    if (!this.tryGo(trigger)) {
      throw fatal(
        `Invalid transition resolving local activity (seq ${this.activity.seq}, from marker: ${String(trigger === 'handleKnownResult')}) in ${from}`,
      );
    }
    // An end that is reported after it was known changes nothing.
    if (from !== 'RequestSent' && from !== WAITING) return [];
    this.#resultKind = resolution.result.kind;
    return this.#resolved(resolution);
  }

  #resolved(resolution: Resolution): Response[] {
    const { result, completeTime } = resolution;
    const { seq, cancellationType } = this.activity;
    const responses: Response[] = [
      {
        kind: 'job',
        job: { resolveActivity: { seq, result: this.#toLang(resolution), isLocal: true } },
      },
      { kind: 'time', time: completeTime },
    ];
    const runsNoMore = result.kind === 'cancelled' || result.kind === 'timedOut';
    if (runsNoMore && cancellationType === ActivityCancellationType.ABANDON) {
      responses.push({ kind: 'abandonLocalActivity', seq });
    }
    if (!this.#wasReplaying) responses.push({ kind: 'command', command: this.#marker(resolution) });
    return responses;
  }

  #toLang(resolution: Resolution): coresdk.activity_result.IActivityResolution {
    const { result, backoffMs, attempt, originalScheduleTime } = resolution;
    if (backoffMs !== undefined) {
      return {
        backoff: {
          attempt: attempt + 1,
          backoffDuration: fromMs(backoffMs),
          originalScheduleTime: originalScheduleTime ?? null,
        },
      };
    }
    if (result.kind === 'completed') return { completed: { result: result.result } };
    const { failure } = result;
    if (result.kind === 'failed') return { failed: { failure } };
    if (result.kind === 'timedOut') {
      const isBare =
        failure.timeoutFailureInfo !== null && failure.timeoutFailureInfo !== undefined;
      return { failed: { failure: isBare ? this.#wrap('timed out', failure) : failure } };
    }
    const isBare =
      failure.canceledFailureInfo !== null && failure.canceledFailureInfo !== undefined;
    return { cancelled: { failure: isBare ? this.#wrap('cancelled', failure) : failure } };
  }

  #wrap(how: string, cause: Failure): Failure {
    return {
      message: `Local Activity ${how}`,
      cause,
      activityFailureInfo: {
        activityType: { name: this.activity.activityType },
        activityId: this.activity.activityId,
        retryState: RetryState.RETRY_STATE_CANCEL_REQUESTED,
      },
    };
  }

  #marker(resolution: Resolution): Command {
    const { result, backoffMs } = resolution;
    const { seq, activityId, activityType, args, includesArguments, annotations } = this.activity;
    const data = localActivityData(
      { seq, activityId, activityType, ...resolution },
      backoffMs === undefined ? undefined : fromMs(backoffMs),
    );
    const command: Command = {
      commandType: CommandType.COMMAND_TYPE_RECORD_MARKER,
      recordMarkerCommandAttributes: {
        markerName: 'core_local_activity',
        details: {
          data: { payloads: [data] },
          ...(result.kind === 'completed' &&
            result.result !== null && { result: { payloads: [result.result] } }),
          ...(includesArguments && { input: { payloads: args } }),
        },
        failure: result.kind === 'completed' ? null : result.failure,
      },
    };
    return annotate(command, annotations);
  }
}

/** As the machine is told of an end that the history already has. */
export function toResolution(marker: CompletedLocalActivity): Resolution {
  const { failure, completeTime, attempt, backoffMs, originalScheduleTime } = marker;
  const rest = { completeTime, attempt, backoffMs, originalScheduleTime };
  if (failure === undefined) {
    return { result: { kind: 'completed', result: marker.result ?? null }, ...rest };
  }
  const isCancelled = [failure, failure.cause].some(
    (one) => one?.canceledFailureInfo !== null && one?.canceledFailureInfo !== undefined,
  );
  return { result: { kind: isCancelled ? 'cancelled' : 'failed', failure }, ...rest };
}
