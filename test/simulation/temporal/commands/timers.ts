import { EventType } from '../base/proto.js';
import type { Command, HistoryEvent } from '../base/proto.js';
import { toLong, toMs, toNumber } from '../base/values.js';
import { record } from '../history/record.js';
import type { Execution } from '../model/execution.js';
import type { CommandContext } from './context.js';

export function startTimer(
  { server, execution, completedEventId }: CommandContext,
  { startTimerCommandAttributes: attributes }: Command,
): HistoryEvent | undefined {
  if (!attributes) return undefined;
  const timerId = attributes.timerId ?? '';
  const event = record(server, execution, {
    eventType: EventType.EVENT_TYPE_TIMER_STARTED,
    timerStartedEventAttributes: {
      timerId,
      startToFireTimeout: attributes.startToFireTimeout ?? null,
      workflowTaskCompletedEventId: toLong(completedEventId),
    },
  });
  execution.timers.set(timerId, {
    timerId,
    startedEventId: toNumber(event.eventId),
    firesAt: server.clock.now() + toMs(attributes.startToFireTimeout),
  });
  return event;
}

/** A timer that has fired while the worker was at it: its event has not been shown to anyone. */
export function firedTimer(execution: Execution, timerId: string): HistoryEvent | undefined {
  return execution.buffered.find(
    ({ timerFiredEventAttributes: fired }) => fired?.timerId === timerId,
  );
}

export function cancelTimer(
  { server, execution, completedEventId, identity }: CommandContext,
  { cancelTimerCommandAttributes: attributes }: Command,
): HistoryEvent | undefined {
  const timerId = attributes?.timerId ?? '';
  const timer = execution.timers.get(timerId);
  const fired = firedTimer(execution, timerId);
  const startedEventId =
    timer?.startedEventId ?? toNumber(fired?.timerFiredEventAttributes?.startedEventId);
  execution.timers.delete(timerId);
  execution.buffered = execution.buffered.filter((event) => event !== fired);
  return record(server, execution, {
    eventType: EventType.EVENT_TYPE_TIMER_CANCELED,
    timerCanceledEventAttributes: {
      timerId,
      startedEventId: toLong(startedEventId),
      workflowTaskCompletedEventId: toLong(completedEventId),
      identity,
    },
  });
}
