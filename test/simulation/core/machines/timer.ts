import proto from '@temporalio/proto';
import type { coresdk } from '@temporalio/proto';

import type { Annotations, Command } from '../messages.js';
import {
  annotate,
  nondeterminism,
  overrideAnnotations,
  TableMachine,
  type Response,
  type Step,
  type Table,
} from './machine.js';

const { CommandType, EventType } = proto.temporal.api.enums.v1;

const TIMER: Table = {
  name: 'TimerMachine',
  refusal: 'Timer machine does not handle this event:',
  transitions: {
    StartCommandCreated: {
      startTimer: 'StartCommandCreated',
      timerStarted: 'StartCommandRecorded',
      cancel: 'Canceled',
    },
    StartCommandRecorded: { timerFired: 'Fired', cancel: 'CancelTimerCommandCreated' },
    CancelTimerCommandCreated: {
      cancel: 'CancelTimerCommandCreated',
      cancelTimer: 'CancelTimerCommandSent',
    },
    CancelTimerCommandSent: { timerCanceled: 'Canceled' },
    Canceled: { cancel: 'Canceled' },
    Fired: { cancel: 'Fired' },
  },
  commands: new Map([
    [CommandType.COMMAND_TYPE_START_TIMER, 'startTimer'],
    [CommandType.COMMAND_TYPE_CANCEL_TIMER, 'cancelTimer'],
  ]),
  events: new Map([
    [EventType.EVENT_TYPE_TIMER_STARTED, 'timerStarted'],
    [EventType.EVENT_TYPE_TIMER_FIRED, 'timerFired'],
    [EventType.EVENT_TYPE_TIMER_CANCELED, 'timerCanceled'],
  ]),
};

export class TimerMachine extends TableMachine {
  readonly #seq: number;
  #wasCancelledBeforeSent = false;
  #annotations: Annotations;

  constructor(seq: number, annotations: Annotations) {
    super(TIMER, 'StartCommandCreated');
    this.#seq = seq;
    this.#annotations = annotations;
  }

  cancel(annotations: Annotations): Response[] {
    this.#annotations = overrideAnnotations(this.#annotations, annotations);
    const from = this.state;
    this.go('cancel');
    if (from === 'StartCommandCreated') this.#wasCancelledBeforeSent = true;
    if (from !== 'StartCommandRecorded') return [];
    const command: Command = {
      commandType: CommandType.COMMAND_TYPE_CANCEL_TIMER,
      cancelTimerCommandAttributes: { timerId: String(this.#seq) },
    };
    return [{ kind: 'command', command: annotate(command, this.#annotations) }];
  }

  override wasCancelledBeforeSent(): boolean {
    return this.#wasCancelledBeforeSent;
  }

  protected override onEvent({ trigger, event }: Step): Response[] {
    if (trigger !== 'timerFired') return [];
    const timerId = event.timerFiredEventAttributes?.timerId ?? '';
    if (timerId !== String(this.#seq)) {
      throw nondeterminism(
        `Timer fired event did not have expected timer id ${this.#seq}, it was ${timerId}!`,
      );
    }
    return [{ kind: 'job', job: { fireTimer: { seq: this.#seq } } }];
  }
}

export function startTimerCommand(asked: coresdk.workflow_commands.IStartTimer): Command {
  return {
    commandType: CommandType.COMMAND_TYPE_START_TIMER,
    startTimerCommandAttributes: {
      timerId: String(asked.seq ?? 0),
      startToFireTimeout: asked.startToFireTimeout ?? null,
    },
  };
}
