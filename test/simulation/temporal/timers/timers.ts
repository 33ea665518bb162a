import { EventType } from '../base/proto.js';
import { toLong } from '../base/values.js';
import { record } from '../history/record.js';
import { commit } from '../workflow-tasks/commit.js';
import { setWake } from '../history/wakes.js';
import type { Execution, Timer } from '../model/execution.js';
import type { Server } from '../model/server.js';
import { isRunning } from '../workflow-tasks/schedule.js';
import { scheduleWorkflowTask } from '../workflow-tasks/start.js';

/** Keeps the wake of a run at the soonest of its timers. */
export function watchTimers(server: Server, execution: Execution): void {
  let at: number | undefined;
  for (const { firesAt } of execution.timers.values()) {
    if (at === undefined || firesAt < at) at = firesAt;
  }
  setWake(server, execution, {
    name: 'timers',
    at,
    act: () => {
      fireTimers(server, execution);
    },
  });
}

/** All timers that are due fire in one go: the run sees them in one workflow task. */
function fireTimers(server: Server, execution: Execution): void {
  if (!isRunning(execution)) return;
  const now = server.clock.now();
  const due = [...execution.timers.values()].filter(({ firesAt }) => firesAt <= now).sort(isSooner);
  for (const timer of due) {
    execution.timers.delete(timer.timerId);
    record(server, execution, {
      eventType: EventType.EVENT_TYPE_TIMER_FIRED,
      timerFiredEventAttributes: {
        timerId: timer.timerId,
        startedEventId: toLong(timer.startedEventId),
      },
    });
  }
  scheduleWorkflowTask(server, execution);
  commit(server, execution);
}

function isSooner(a: Timer, b: Timer): number {
  return a.firesAt - b.firesAt || a.startedEventId - b.startedEventId;
}
