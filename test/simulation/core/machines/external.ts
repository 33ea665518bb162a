import proto from '@temporalio/proto';
import type { coresdk } from '@temporalio/proto';

import { intoPayloads, or, type Command, type Failure } from '../messages.js';
import { camel, fatal, TableMachine, type Response, type Step, type Table } from './machine.js';

const {
  CancelExternalWorkflowExecutionFailedCause,
  CommandType,
  EventType,
  SignalExternalWorkflowExecutionFailedCause,
} = proto.temporal.api.enums.v1;

const SIGNAL: Table = {
  name: 'SignalExternalMachine',
  refusal: 'Signal external WF machine does not handle this event:',
  transitions: {
    SignalExternalCommandCreated: {
      signal: 'SignalExternalCommandCreated',
      cancel: 'Cancelled',
      initiated: 'SignalExternalCommandRecorded',
    },
    SignalExternalCommandRecorded: {
      cancel: 'SignalExternalCommandRecorded',
      signaled: 'Signaled',
      failed: 'Failed',
    },
    Cancelled: { cancel: 'Cancelled' },
    Signaled: { cancel: 'Signaled' },
  },
  commands: new Map([[CommandType.COMMAND_TYPE_SIGNAL_EXTERNAL_WORKFLOW_EXECUTION, 'signal']]),
  events: new Map([
    [EventType.EVENT_TYPE_SIGNAL_EXTERNAL_WORKFLOW_EXECUTION_INITIATED, 'initiated'],
    [EventType.EVENT_TYPE_EXTERNAL_WORKFLOW_EXECUTION_SIGNALED, 'signaled'],
    [EventType.EVENT_TYPE_SIGNAL_EXTERNAL_WORKFLOW_EXECUTION_FAILED, 'failed'],
  ]),
};

const SIGNAL_REASONS = [
  'unknown',
  'it was not found',
  'it was not found',
  'The per-workflow signal limit was exceeded',
];

/** A signal to another run. */
export class SignalExternalMachine extends TableMachine {
  readonly #seq: number;

  constructor(seq: number) {
    super(SIGNAL, 'SignalExternalCommandCreated');
    this.#seq = seq;
  }

  cancel(): Response[] {
    const from = this.state;
    this.go('cancel');
    if (from !== 'SignalExternalCommandCreated') return [];
    const message = 'Signal was cancelled before being sent';
    return [this.#resolve({ message, canceledFailureInfo: {} })];
  }

  override wasCancelledBeforeSent(): boolean {
    return this.state === 'Cancelled';
  }

  protected override onEvent({ trigger, event }: Step): Response[] {
    if (trigger === 'signaled') return [this.#resolve(null)];
    if (trigger !== 'failed') return [];
    const cause = event.signalExternalWorkflowExecutionFailedEventAttributes?.cause ?? 0;
    return [
      this.#resolve({
        message: `Unable to signal external workflow because ${SIGNAL_REASONS[cause] ?? 'unknown'}`,
        applicationFailureInfo: {
          type: camel(
            SignalExternalWorkflowExecutionFailedCause[cause],
            'SIGNAL_EXTERNAL_WORKFLOW_EXECUTION_FAILED_CAUSE_',
          ),
        },
      }),
    ];
  }

  #resolve(failure: Failure | null): Response {
    return { kind: 'job', job: { resolveSignalExternalWorkflow: { seq: this.#seq, failure } } };
  }
}

export function signalExternalCommand(
  asked: coresdk.workflow_commands.ISignalExternalWorkflowExecution,
  namespace: string,
): Command {
  const childId = or(asked.childWorkflowId, '');
  const target = childId === '' ? asked.workflowExecution : { namespace, workflowId: childId };
  if (!target) throw fatal('Signal external workflow command had empty target field');
  const headers = or(asked.headers, {});
  return {
    commandType: CommandType.COMMAND_TYPE_SIGNAL_EXTERNAL_WORKFLOW_EXECUTION,
    signalExternalWorkflowExecutionCommandAttributes: {
      namespace: or(target.namespace, ''),
      execution: { workflowId: or(target.workflowId, ''), runId: or(target.runId, '') },
      header: Object.keys(headers).length === 0 ? null : { fields: headers },
      signalName: or(asked.signalName, ''),
      input: intoPayloads(asked.args),
      childWorkflowOnly: childId !== '',
    },
  };
}

const CANCEL: Table = {
  name: 'CancelExternalMachine',
  refusal: 'Cancel external WF machine does not handle this event:',
  transitions: {
    RequestCancelExternalCommandCreated: {
      requestCancel: 'RequestCancelExternalCommandCreated',
      initiated: 'RequestCancelExternalCommandRecorded',
    },
    RequestCancelExternalCommandRecorded: {
      requested: 'CancelRequested',
      failed: 'RequestCancelFailed',
    },
  },
  commands: new Map([
    [CommandType.COMMAND_TYPE_REQUEST_CANCEL_EXTERNAL_WORKFLOW_EXECUTION, 'requestCancel'],
  ]),
  events: new Map([
    [EventType.EVENT_TYPE_REQUEST_CANCEL_EXTERNAL_WORKFLOW_EXECUTION_INITIATED, 'initiated'],
    [EventType.EVENT_TYPE_EXTERNAL_WORKFLOW_EXECUTION_CANCEL_REQUESTED, 'requested'],
    [EventType.EVENT_TYPE_REQUEST_CANCEL_EXTERNAL_WORKFLOW_EXECUTION_FAILED, 'failed'],
  ]),
};

/** The request to cancel another run. */
export class CancelExternalMachine extends TableMachine {
  readonly #seq: number;

  constructor(seq: number) {
    super(CANCEL, 'RequestCancelExternalCommandCreated');
    this.#seq = seq;
  }

  protected override onEvent({ trigger, event }: Step): Response[] {
    if (trigger === 'initiated') return [];
    if (trigger === 'requested') return [this.#resolve(null)];
    const cause = event.requestCancelExternalWorkflowExecutionFailedEventAttributes?.cause ?? 0;
    return [
      this.#resolve({
        message: `Unable to cancel external workflow because ${cause === 0 ? 'unknown' : 'not found'}`,
        applicationFailureInfo: {
          type: camel(
            CancelExternalWorkflowExecutionFailedCause[cause],
            'CANCEL_EXTERNAL_WORKFLOW_EXECUTION_FAILED_CAUSE_',
          ),
        },
      }),
    ];
  }

  #resolve(failure: Failure | null): Response {
    const job = { resolveRequestCancelExternalWorkflow: { seq: this.#seq, failure } };
    return { kind: 'job', job };
  }
}
