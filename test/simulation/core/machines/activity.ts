import proto from '@temporalio/proto';
import type { coresdk, temporal } from '@temporalio/proto';

import type { InternalFlags } from '../workflow/internal-flags.js';
import {
  intoPayloads,
  or,
  orNull,
  type Annotations,
  type Command,
  type Failure,
  type HistoryEvent,
} from '../messages.js';
import { expectSame } from './expect-same.js';
import {
  annotate,
  nondeterminism,
  overrideAnnotations,
  TableMachine,
  type Response,
  type Step,
  type Table,
} from './machine.js';

const { CommandType, EventType, RetryState, TaskQueueKind } = proto.temporal.api.enums.v1;
const { ActivityCancellationType } = proto.coresdk.workflow_commands;

type Ended = temporal.api.history.v1.IActivityTaskTimedOutEventAttributes;
type EventIds = Pick<Ended, 'startedEventId' | 'scheduledEventId'>;

const ACTIVITY: Table = {
  name: 'ActivityMachine',
  refusal: 'Activity machine does not handle this event:',
  transitions: {
    ScheduleCommandCreated: {
      schedule: 'ScheduleCommandCreated',
      scheduled: 'ScheduledEventRecorded',
      cancel: 'Canceled',
      abandon: 'Canceled',
    },
    ScheduledEventRecorded: {
      started: 'Started',
      timedOut: 'TimedOut',
      cancel: 'ScheduledActivityCancelCommandCreated',
      abandon: 'Canceled',
    },
    Started: {
      completed: 'Completed',
      failed: 'Failed',
      timedOut: 'TimedOut',
      cancel: 'StartedActivityCancelCommandCreated',
      abandon: 'Canceled',
    },
    ScheduledActivityCancelCommandCreated: {
      requestCancel: 'ScheduledActivityCancelCommandCreated',
      cancelRequested: 'ScheduledActivityCancelEventRecorded',
    },
    ScheduledActivityCancelEventRecorded: {
      canceled: 'Canceled',
      started: 'StartedActivityCancelEventRecorded',
      timedOut: 'TimedOut',
    },
    StartedActivityCancelCommandCreated: {
      requestCancel: 'StartedActivityCancelCommandCreated',
      cancelRequested: 'StartedActivityCancelEventRecorded',
    },
    StartedActivityCancelEventRecorded: {
      failed: 'Failed',
      completed: 'Completed',
      timedOut: 'TimedOut',
      canceled: 'Canceled',
    },
    Canceled: { started: 'Canceled', completed: 'Canceled' },
  },
  commands: new Map([
    [CommandType.COMMAND_TYPE_SCHEDULE_ACTIVITY_TASK, 'schedule'],
    [CommandType.COMMAND_TYPE_REQUEST_CANCEL_ACTIVITY_TASK, 'requestCancel'],
  ]),
  events: new Map([
    [EventType.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED, 'scheduled'],
    [EventType.EVENT_TYPE_ACTIVITY_TASK_STARTED, 'started'],
    [EventType.EVENT_TYPE_ACTIVITY_TASK_COMPLETED, 'completed'],
    [EventType.EVENT_TYPE_ACTIVITY_TASK_FAILED, 'failed'],
    [EventType.EVENT_TYPE_ACTIVITY_TASK_TIMED_OUT, 'timedOut'],
    [EventType.EVENT_TYPE_ACTIVITY_TASK_CANCEL_REQUESTED, 'cancelRequested'],
    [EventType.EVENT_TYPE_ACTIVITY_TASK_CANCELED, 'canceled'],
  ]),
};

const AFTER_CANCEL = new Set([
  'ScheduledActivityCancelEventRecorded',
  'StartedActivityCancelEventRecorded',
]);
const ENDED = new Set(['Completed', 'Canceled', 'Failed', 'TimedOut']);

export class ActivityMachine extends TableMachine {
  readonly #asked: coresdk.workflow_commands.IScheduleActivity;
  readonly #flags: InternalFlags;
  #annotations: Annotations;
  #scheduledEventId: temporal.api.history.v1.IHistoryEvent['eventId'];
  #wasCancelledBeforeSent = false;

  constructor(
    asked: coresdk.workflow_commands.IScheduleActivity,
    flags: InternalFlags,
    annotations: Annotations,
  ) {
    super(ACTIVITY, 'ScheduleCommandCreated');
    this.#asked = asked;
    this.#flags = flags;
    this.#annotations = annotations;
  }

  cancel(annotations: Annotations): Response[] {
    this.#annotations = overrideAnnotations(this.#annotations, annotations);
    if (ENDED.has(this.state)) return [];
    const from = this.state;
    const isAbandoned = this.#type === ActivityCancellationType.ABANDON;
    this.go(isAbandoned ? 'abandon' : 'cancel');
    if (from === 'ScheduleCommandCreated') this.#wasCancelledBeforeSent = true;
    if (isAbandoned || from === 'ScheduleCommandCreated') return [this.#cancelled({})];
    const command: Command = {
      commandType: CommandType.COMMAND_TYPE_REQUEST_CANCEL_ACTIVITY_TASK,
      requestCancelActivityTaskCommandAttributes: {
        scheduledEventId: this.#scheduledEventId ?? null,
      },
    };
    const asks: Response = { kind: 'command', command: annotate(command, this.#annotations) };
    return this.#waits ? [asks] : [asks, this.#cancelled({})];
  }

  override wasCancelledBeforeSent(): boolean {
    return this.#wasCancelledBeforeSent;
  }

  get #type() {
    return this.#asked.cancellationType ?? ActivityCancellationType.TRY_CANCEL;
  }

  get #waits(): boolean {
    return this.#type === ActivityCancellationType.WAIT_CANCELLATION_COMPLETED;
  }

  protected override onEvent(step: Step): Response[] {
    if (step.from === 'Canceled') return this.#afterCanceled(step);
    if (step.trigger === 'scheduled') return this.#onScheduled(step);
    // Lang has been told of the cancellation when it was asked for.
    if (AFTER_CANCEL.has(step.from) && !this.#waits) return [];
    return this.#ended(step);
  }

  #ended({ trigger, event }: Step): Response[] {
    if (trigger === 'completed') return [this.#completed(event)];
    if (trigger === 'failed') {
      const attributes = or(event.activityTaskFailedEventAttributes, {});
      return [this.#failed('Activity task failed', attributes, attributes.identity)];
    }
    if (trigger === 'timedOut') {
      const attributes = or(event.activityTaskTimedOutEventAttributes, {});
      return [this.#failed('Activity task timed out', attributes)];
    }
    if (trigger !== 'canceled') return [];
    return [this.#cancelled(or(event.activityTaskCanceledEventAttributes, {}))];
  }

  #completed(event: HistoryEvent): Response {
    const result = event.activityTaskCompletedEventAttributes?.result?.payloads?.[0];
    return this.#resolve({ completed: { result: orNull(result) } });
  }

  /** An abandoned activity may go on; any other one may not. */
  #afterCanceled({ trigger }: Step): Response[] {
    if (this.#type === ActivityCancellationType.ABANDON) return [];
    throw nondeterminism(
      `Non-Abandon cancel mode activities cannot be ${trigger} after being cancelled`,
    );
  }

  #onScheduled({ event, isLastTask }: Step): Response[] {
    const attributes = event.activityTaskScheduledEventAttributes;
    if (this.#flags.tryUse('idAndTypeChecks', isLastTask)) {
      expectSame('activity', {
        field: 'Activity id',
        recorded: attributes?.activityId,
        commanded: this.#asked.activityId,
      });
      expectSame('activity', {
        field: 'Activity type',
        recorded: attributes?.activityType?.name,
        commanded: this.#asked.activityType,
      });
    }
    this.#scheduledEventId = event.eventId;
    return [];
  }

  #resolve(result: coresdk.activity_result.IActivityResolution): Response {
    const seq = this.#asked.seq ?? 0;
    return { kind: 'job', job: { resolveActivity: { seq, result, isLocal: false } } };
  }

  #failed(message: string, ended: Ended, identity?: string | null): Response {
    const failure: Failure = {
      message,
      cause: ended.failure ?? null,
      activityFailureInfo: this.#info(ended, ended.retryState ?? 0, identity),
    };
    return this.#resolve({ failed: { failure } });
  }

  #cancelled(canceled: temporal.api.history.v1.IActivityTaskCanceledEventAttributes): Response {
    const failure: Failure = {
      message: 'Activity cancelled',
      cause: { canceledFailureInfo: { details: canceled.details ?? null } },
      activityFailureInfo: this.#info(
        canceled,
        RetryState.RETRY_STATE_CANCEL_REQUESTED,
        canceled.identity,
      ),
    };
    return this.#resolve({ cancelled: { failure } });
  }

  #info(
    ended: EventIds,
    retryState: temporal.api.enums.v1.RetryState,
    identity: string | null | undefined,
  ): temporal.api.failure.v1.IActivityFailureInfo {
    return {
      identity: identity ?? '',
      activityType: { name: this.#asked.activityType ?? '' },
      activityId: this.#asked.activityId ?? '',
      retryState,
      startedEventId: ended.startedEventId ?? null,
      scheduledEventId: ended.scheduledEventId ?? null,
    };
  }
}

export function scheduleActivityCommand(
  asked: coresdk.workflow_commands.IScheduleActivity,
  useWorkflowBuildId: boolean,
): Command {
  return {
    commandType: CommandType.COMMAND_TYPE_SCHEDULE_ACTIVITY_TASK,
    scheduleActivityTaskCommandAttributes: {
      activityId: asked.activityId ?? '',
      activityType: { name: asked.activityType ?? '' },
      taskQueue: { name: asked.taskQueue ?? '', kind: TaskQueueKind.TASK_QUEUE_KIND_NORMAL },
      header: { fields: asked.headers ?? {} },
      input: intoPayloads(asked.arguments),
      scheduleToCloseTimeout: asked.scheduleToCloseTimeout ?? null,
      scheduleToStartTimeout: asked.scheduleToStartTimeout ?? null,
      startToCloseTimeout: asked.startToCloseTimeout ?? null,
      heartbeatTimeout: asked.heartbeatTimeout ?? null,
      retryPolicy: asked.retryPolicy ?? null,
      // Slots are not reserved for activities that the server could give back at once.
      requestEagerExecution: false,
      useWorkflowBuildId,
      priority: asked.priority ?? null,
    },
  };
}
