import proto from '@temporalio/proto';
import type { coresdk, temporal } from '@temporalio/proto';

import type { InternalFlags } from '../workflow/internal-flags.js';
import type { Annotations, Failure } from '../messages.js';
import { expectSame } from './expect-same.js';
import {
  fatal,
  nondeterminism,
  overrideAnnotations,
  TableMachine,
  type Response,
  type Step,
  type Table,
} from './machine.js';

const { CommandType, EventType, RetryState, TimeoutType } = proto.temporal.api.enums.v1;
const { ChildWorkflowCancellationType } = proto.coresdk.child_workflow;

type EventId = temporal.api.history.v1.IHistoryEvent['eventId'];

const CHILD: Table = {
  name: 'ChildWorkflowMachine',
  refusal: 'Child workflow machine does not handle this event:',
  transitions: {
    StartCommandCreated: {
      start: 'StartCommandCreated',
      initiated: 'StartEventRecorded',
      cancel: 'Cancelled',
    },
    StartEventRecorded: {
      started: 'Started',
      startFailed: 'StartFailed',
      cancel: 'StartEventRecorded',
      requestCancel: 'StartEventRecorded',
    },
    Started: {
      completed: 'Completed',
      failed: 'Failed',
      timedOut: 'TimedOut',
      cancelled: 'Cancelled',
      terminated: 'Terminated',
      cancel: 'Started',
      requestCancel: 'Started',
    },
    Cancelled: {
      cancel: 'Cancelled',
      started: 'Cancelled',
      startFailed: 'Cancelled',
      requestCancel: 'Cancelled',
      cancelled: 'Cancelled',
      completed: 'Cancelled',
      failed: 'Cancelled',
      timedOut: 'Cancelled',
      terminated: 'Cancelled',
    },
    Failed: { cancel: 'Failed' },
    StartFailed: { cancel: 'StartFailed' },
    TimedOut: { cancel: 'TimedOut' },
    Completed: { cancel: 'Completed' },
  },
  commands: new Map([
    [CommandType.COMMAND_TYPE_START_CHILD_WORKFLOW_EXECUTION, 'start'],
    [CommandType.COMMAND_TYPE_REQUEST_CANCEL_EXTERNAL_WORKFLOW_EXECUTION, 'requestCancel'],
  ]),
  events: new Map([
    [EventType.EVENT_TYPE_START_CHILD_WORKFLOW_EXECUTION_INITIATED, 'initiated'],
    [EventType.EVENT_TYPE_START_CHILD_WORKFLOW_EXECUTION_FAILED, 'startFailed'],
    [EventType.EVENT_TYPE_CHILD_WORKFLOW_EXECUTION_STARTED, 'started'],
    [EventType.EVENT_TYPE_CHILD_WORKFLOW_EXECUTION_COMPLETED, 'completed'],
    [EventType.EVENT_TYPE_CHILD_WORKFLOW_EXECUTION_FAILED, 'failed'],
    [EventType.EVENT_TYPE_CHILD_WORKFLOW_EXECUTION_TIMED_OUT, 'timedOut'],
    [EventType.EVENT_TYPE_CHILD_WORKFLOW_EXECUTION_CANCELED, 'cancelled'],
    [EventType.EVENT_TYPE_CHILD_WORKFLOW_EXECUTION_TERMINATED, 'terminated'],
  ]),
};

const OPEN = new Set(['StartEventRecorded', 'Started']);

export class ChildWorkflowMachine extends TableMachine {
  readonly #asked: coresdk.workflow_commands.IStartChildWorkflowExecution;
  readonly #flags: InternalFlags;
  #annotations: Annotations;
  #initiatedEventId: EventId;
  #startedEventId: EventId;
  #runId = '';
  #wasCancelledBeforeSent = false;
  #hasSeenCancelled = false;

  constructor(
    asked: coresdk.workflow_commands.IStartChildWorkflowExecution,
    flags: InternalFlags,
    annotations: Annotations,
  ) {
    super(CHILD, 'StartCommandCreated');
    this.#asked = asked;
    this.#flags = flags;
    this.#annotations = annotations;
  }

  cancel(reason: string, annotations: Annotations): Response[] {
    this.#annotations = overrideAnnotations(this.#annotations, annotations);
    const from = this.state;
    this.go('cancel');
    if (from === 'StartCommandCreated') {
      this.#wasCancelledBeforeSent = true;
      return [this.#startCancelled(reason)];
    }
    if (!OPEN.has(from)) return [];
    const responses: Response[] = [];
    if (this.#type !== ChildWorkflowCancellationType.ABANDON) {
      responses.push(this.#requestCancel(reason));
    }
    if (this.#resolvesAtOnce) {
      this.state = 'Cancelled';
      responses.push(this.#cancelled());
    }
    return responses;
  }

  override wasCancelledBeforeSent(): boolean {
    return this.#wasCancelledBeforeSent;
  }

  get #type() {
    return this.#asked.cancellationType ?? ChildWorkflowCancellationType.ABANDON;
  }

  get #seq(): number {
    return this.#asked.seq ?? 0;
  }

  get #resolvesAtOnce(): boolean {
    return (
      this.#type === ChildWorkflowCancellationType.ABANDON ||
      this.#type === ChildWorkflowCancellationType.TRY_CANCEL
    );
  }

  protected override onEvent(step: Step): Response[] {
    if (step.from === 'Cancelled') return this.#afterCancelled(step);
    const { trigger, event } = step;
    if (trigger === 'initiated') return this.#onInitiated(step);
    if (trigger === 'startFailed') return [this.#startFailed(step)];
    if (trigger === 'started') return [this.#onStarted(step)];
    if (trigger === 'completed') {
      const attributes = event.childWorkflowExecutionCompletedEventAttributes;
      return [this.#resolve({ completed: { result: attributes?.result?.payloads?.[0] ?? null } })];
    }
    if (trigger === 'cancelled') {
      this.#hasSeenCancelled = true;
      return [this.#cancelled()];
    }
    return [this.#ended(step)];
  }

  #afterCancelled({ trigger }: Step): Response[] {
    if (trigger === 'cancelled') {
      if (this.#hasSeenCancelled) {
        throw fatal(
          'Child workflow has already seen a ChildWorkflowExecutionCanceledEvent, and now another is being applied! This is a bug, please report.',
        );
      }
      this.#hasSeenCancelled = true;
      return [];
    }
    if (trigger !== 'started' && trigger !== 'startFailed' && !this.#resolvesAtOnce) {
      throw nondeterminism(
        "Child workflows which don't resolve immediately on cancellation cannot complete after being cancelled.",
      );
    }
    return [];
  }

  #onInitiated({ event, isLastTask }: Step): Response[] {
    const attributes = event.startChildWorkflowExecutionInitiatedEventAttributes;
    if (this.#flags.tryUse('idAndTypeChecks', isLastTask)) {
      expectSame('child workflow', {
        field: 'Child workflow id',
        recorded: attributes?.workflowId,
        commanded: this.#asked.workflowId,
      });
      expectSame('child workflow', {
        field: 'Child workflow type',
        recorded: attributes?.workflowType?.name,
        commanded: this.#asked.workflowType,
      });
    }
    this.#initiatedEventId = event.eventId;
    return [];
  }

  #onStarted({ event }: Step): Response {
    const run = event.childWorkflowExecutionStartedEventAttributes?.workflowExecution;
    this.#startedEventId = event.eventId;
    this.#runId = run?.runId ?? '';
    return this.#resolveStart({ succeeded: { runId: this.#runId } });
  }

  #startFailed({ event }: Step): Response {
    return this.#resolveStart({
      failed: {
        workflowId: this.#asked.workflowId ?? '',
        workflowType: this.#asked.workflowType ?? '',
        cause: startFailedCause(event.startChildWorkflowExecutionFailedEventAttributes?.cause),
      },
    });
  }

  #startCancelled(reason: string): Response {
    const failure: Failure = {
      message: `Child Workflow Execution cancelled before scheduled: ${reason}`,
      cause: { canceledFailureInfo: {} },
      childWorkflowExecutionFailureInfo: this.#info(RetryState.RETRY_STATE_NON_RETRYABLE_FAILURE),
    };
    return this.#resolveStart({ cancelled: { failure } });
  }

  #ended({ trigger, event }: Step): Response {
    if (trigger === 'failed') {
      const attributes = event.childWorkflowExecutionFailedEventAttributes;
      return this.#failed('failed', attributes?.failure ?? null, attributes?.retryState ?? 0);
    }
    if (trigger === 'timedOut') {
      const cause: Failure = {
        message: 'Timed out',
        timeoutFailureInfo: { timeoutType: TimeoutType.TIMEOUT_TYPE_START_TO_CLOSE },
      };
      const attributes = event.childWorkflowExecutionTimedOutEventAttributes;
      return this.#failed('timed out', cause, attributes?.retryState ?? 0);
    }
    return this.#failed(
      'terminated',
      { message: 'Terminated', terminatedFailureInfo: {} },
      RetryState.RETRY_STATE_NON_RETRYABLE_FAILURE,
    );
  }

  #failed(
    how: string,
    cause: Failure | null,
    retryState: temporal.api.enums.v1.RetryState,
  ): Response {
    const failure: Failure = {
      message: `Child Workflow execution ${how}`,
      cause,
      childWorkflowExecutionFailureInfo: this.#info(retryState),
    };
    return this.#resolve({ failed: { failure } });
  }

  #cancelled(): Response {
    const failure: Failure = {
      message: 'Child Workflow execution cancelled',
      cause: { canceledFailureInfo: {} },
      childWorkflowExecutionFailureInfo: this.#info(RetryState.RETRY_STATE_NON_RETRYABLE_FAILURE),
    };
    return this.#resolve({ cancelled: { failure } });
  }

  #requestCancel(reason: string): Response {
    return {
      kind: 'coreCommand',
      annotations: this.#annotations,
      command: {
        commandType: CommandType.COMMAND_TYPE_REQUEST_CANCEL_EXTERNAL_WORKFLOW_EXECUTION,
        requestCancelExternalWorkflowExecutionCommandAttributes: {
          namespace: this.#asked.namespace ?? '',
          workflowId: this.#asked.workflowId ?? '',
          runId: this.#runId,
          childWorkflowOnly: true,
          reason,
        },
      },
    };
  }

  #resolve(result: coresdk.child_workflow.IChildWorkflowResult): Response {
    return { kind: 'job', job: { resolveChildWorkflowExecution: { seq: this.#seq, result } } };
  }

  #resolveStart(status: coresdk.workflow_activation.IResolveChildWorkflowExecutionStart): Response {
    const job = { resolveChildWorkflowExecutionStart: { seq: this.#seq, ...status } };
    return { kind: 'job', job };
  }

  #info(
    retryState: temporal.api.enums.v1.RetryState,
  ): temporal.api.failure.v1.IChildWorkflowExecutionFailureInfo {
    return {
      namespace: this.#asked.namespace ?? '',
      workflowType: { name: this.#asked.workflowType ?? '' },
      initiatedEventId: this.#initiatedEventId ?? null,
      startedEventId: this.#startedEventId ?? null,
      retryState,
      workflowExecution: { workflowId: this.#asked.workflowId ?? '', runId: this.#runId },
    };
  }
}

type ApiCause = temporal.api.enums.v1.StartChildWorkflowExecutionFailedCause | null | undefined;
type LangCause = coresdk.child_workflow.StartChildWorkflowExecutionFailedCause;

/** Lang has an enumeration of its own, with the same numbers as far as it goes. */
function startFailedCause(cause: ApiCause): LangCause {
  const api = proto.temporal.api.enums.v1.StartChildWorkflowExecutionFailedCause;
  const causes = proto.coresdk.child_workflow.StartChildWorkflowExecutionFailedCause;
  return cause === api.START_CHILD_WORKFLOW_EXECUTION_FAILED_CAUSE_WORKFLOW_ALREADY_EXISTS
    ? causes.START_CHILD_WORKFLOW_EXECUTION_FAILED_CAUSE_WORKFLOW_ALREADY_EXISTS
    : causes.START_CHILD_WORKFLOW_EXECUTION_FAILED_CAUSE_UNSPECIFIED;
}
