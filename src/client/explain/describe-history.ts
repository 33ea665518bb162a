import type { RunFacts } from './run-facts.js';
import { joinWithAnd, when } from './sentences.js';

/** Where a run is, read from its history, when no worker answers. */
export function describeHistory({ past, calls, workflowTask, observedAt }: RunFacts): string[] {
  const now = Date.parse(observedAt);
  const { timers, lastCall, pausedAt, cancelRequestedAt, taskIds, resourceIds } = past;
  const known = joinWithAnd([...taskIds.map((id) => `task ${id}`), ...resourceIds]);
  const began = lastCall === undefined && calls.length === 0 && timers.length === 0;
  return [
    'No worker answered for it, so the rest is read from its history',
    began ? 'It has not sent anything to the API yet' : '',
    lastCall === undefined
      ? ''
      : `Its last answered call is ${lastCall.name}, at ${when(lastCall.endedAt, now)}`,
    known === '' ? '' : `The answers of the API named ${known}`,
    calls.length === 0
      ? ''
      : `These calls are running or scheduled: ${joinWithAnd(calls.map(({ name }) => name))}`,
    ...timers.map(({ summary = 'without a name', firesAt }) =>
      Date.parse(firesAt) > now
        ? `The timer "${summary}" fires at ${when(firesAt, now)}`
        : `The timer "${summary}" was due at ${when(firesAt, now)}`,
    ),
    workflowTask?.since === undefined
      ? ''
      : `Its next workflow task has been due since ${when(workflowTask.since, now)}`,
    pausedAt === undefined ? '' : `An operator paused it at ${when(pausedAt, now)}`,
    cancelRequestedAt === undefined
      ? ''
      : `It was asked to cancel at ${when(cancelRequestedAt, now)}, and undoes its work`,
  ];
}
