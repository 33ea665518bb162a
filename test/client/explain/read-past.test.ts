import { readFileSync } from 'node:fs';

import { describe, expect, it } from '@jest/globals';
import { loadDataConverter } from '@temporalio/common/lib/internal-non-workflow/index.js';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import proto from '@temporalio/proto';

import { toPast } from '../../../src/client/explain/read-past.js';

type Events = Parameters<typeof toPast>[0];

const converter = loadDataConverter();

/** Newest first, as the server gives them to `readPast`. */
function stored(name: string): Events {
  const text = readFileSync(`test/replay/histories/${name}.json`, 'utf8');
  return (historyFromJSON(JSON.parse(text)).events ?? []).reverse();
}

/** The history up to its first event with these attributes. */
function until(events: Events, attributes: keyof Events[number]): Events {
  const index = events.findLastIndex((event) => Boolean(event[attributes]));
  return events.slice(index);
}

const { HistoryEvent } = proto.temporal.api.history.v1;
const { EventType, WorkflowTaskFailedCause } = proto.temporal.api.enums.v1;

/** An accepted update, so many seconds after the epoch, which is its event id too. */
function update(name: string, seconds: number): Events[number] {
  const updateId = `update-${seconds}`;
  const acceptedRequest = { meta: { updateId }, input: { name } };
  return HistoryEvent.fromObject({
    eventId: seconds,
    eventTime: { seconds },
    workflowExecutionUpdateAcceptedEventAttributes: {
      protocolInstanceId: updateId,
      acceptedRequest,
    },
  });
}

describe('the past of a run', () => {
  it('holds the tasks and resources that the API named, and the cancel request', async () => {
    const past = await toPast(stored('cancelled'), converter);

    expect(past.taskIds).toHaveLength(2);
    expect(past.resourceIds.length).toBeGreaterThan(0);
    expect(Date.parse(past.cancelRequestedAt ?? '')).not.toBeNaN();
    expect(past.timers).toEqual([]);
    expect(past.pausedAt).toBeUndefined();
  });

  it('holds a running timer with its summary', async () => {
    const past = await toPast(until(stored('blocked'), 'timerStartedEventAttributes'), converter);

    expect(past.timers).toEqual([
      { summary: 'blocked as QuotaExceeded: next try', firesAt: expect.any(String) },
    ]);
  });

  it('holds no secret of the input', async () => {
    const text = JSON.stringify(await toPast(stored('created'), converter));

    expect(text).not.toContain('image_id');
  });

  it.each([
    ['the last update is a pause', [update('pause', 9), update('resume', 5)], 9_000],
    ['it was resumed', [update('resume', 9), update('pause', 5)], undefined],
    ['it was aborted', [update('abort', 9), update('pause', 5)], undefined],
  ])('knows whether the run is paused when %s', async (_what, events, pausedMs) => {
    const { pausedAt } = await toPast(events, converter);

    expect(pausedAt).toBe(pausedMs === undefined ? undefined : new Date(pausedMs).toISOString());
  });

  it('holds the failure of the last workflow task, unless a later one completed', async () => {
    const failed = HistoryEvent.fromObject({
      eventType: EventType.EVENT_TYPE_WORKFLOW_TASK_FAILED,
      eventTime: { seconds: 5 },
      workflowTaskFailedEventAttributes: { failure: { message: 'no such timer' } },
    });
    const made = HistoryEvent.fromObject({
      eventType: EventType.EVENT_TYPE_WORKFLOW_TASK_COMPLETED,
      eventTime: { seconds: 9 },
    });

    const broken = await toPast([failed], converter);
    const mended = await toPast([made, failed], converter);

    expect(broken.workflowTaskFailure?.message).toBe('no such timer');
    expect(mended.workflowTaskFailure).toBeUndefined();
  });

  it.each([
    [
      'an operator has reset the run',
      WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_RESET_WORKFLOW,
    ],
    [
      'an event came while its end was stored',
      WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_UNHANDLED_COMMAND,
    ],
  ])('holds no failed workflow task where %s', async (_what, cause) => {
    const failure = { message: 'tried another way' };
    const repeated = HistoryEvent.fromObject({
      eventType: EventType.EVENT_TYPE_WORKFLOW_TASK_FAILED,
      eventTime: { seconds: 5 },
      workflowTaskFailedEventAttributes: { failure, cause },
    });

    const past = await toPast([repeated], converter);

    expect(past.workflowTaskFailure).toBeUndefined();
  });

  it('knows what a reset has asked of the run once more, and what it has not taken up of that', async () => {
    const again = (name: string, seconds: number) => {
      const { eventId, workflowExecutionUpdateAcceptedEventAttributes: accepted } = update(
        name,
        seconds,
      );
      const { acceptedRequest: request, ...taken } = accepted ?? {};
      return {
        asked: HistoryEvent.fromObject({
          eventTime: { seconds },
          workflowExecutionUpdateAdmittedEventAttributes: { request },
        }),
        taken: HistoryEvent.fromObject({
          eventId,
          workflowExecutionUpdateAcceptedEventAttributes: taken,
        }),
      };
    };
    const [pause, resume] = [again('pause', 5), again('resume', 6)];

    const past = await toPast([pause.taken, resume.asked, pause.asked], converter);

    expect(past.pausedAt).toBe(new Date(5_000).toISOString());
    expect(past.asked?.map(({ for: what }) => what)).toEqual(['pause']);
  });

  it('knows that a run is still paused after a correction that it has refused', async () => {
    const refused = HistoryEvent.fromObject({
      eventTime: { seconds: 10 },
      workflowExecutionUpdateCompletedEventAttributes: {
        meta: { updateId: 'update-9' },
        outcome: { failure: { message: 'The input has 1 fault.' } },
      },
    });
    const events = [refused, update('resume', 9), update('pause', 5)];

    const past = await toPast(events, converter);

    expect(past.pausedAt).toBe(new Date(5_000).toISOString());
    expect(past.asked?.map((asked) => asked.for)).toEqual(['pause']);
  });
});
