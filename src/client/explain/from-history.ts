import type { RunFacts } from './run-facts.js';
import { listed, when } from './sentences.js';

/** Where a run is that nobody answers for, by its history. */
export function fromHistory({ past, calls, workflowTask, observedAt }: RunFacts): string[] {
  const now = Date.parse(observedAt);
  const { timers, lastCall, pausedAt, cancelRequestedAt, taskIds, resourceIds } = past;
  const known = listed([...taskIds.map((id) => `task ${id}`), ...resourceIds]);
  const began = lastCall === undefined && calls.length === 0 && timers.length === 0;
  return [
    'What follows is read from its history, because no worker answers for it',
    began ? 'It has not sent anything to the API yet' : '',
    lastCall === undefined
      ? ''
      : `Its last call that was answered is ${lastCall.name}, at ${when(lastCall.endedAt, now)}`,
    known === '' ? '' : `The API has named in answer to its calls: ${known}`,
    calls.length === 0
      ? ''
      : `Under way or due: ${listed(calls.map(({ name }) => `the call ${name}`))}`,
    ...timers.map(({ summary = 'a timer', firesAt }) =>
      Date.parse(firesAt) > now
        ? `"${summary}" comes at ${when(firesAt, now)}`
        : `"${summary}" was due at ${when(firesAt, now)}`,
    ),
    workflowTask?.since === undefined
      ? ''
      : `Its next decision has been due since ${when(workflowTask.since, now)}`,
    pausedAt === undefined ? '' : `An operator paused it at ${when(pausedAt, now)}`,
    cancelRequestedAt === undefined
      ? ''
      : `It was asked to cancel at ${when(cancelRequestedAt, now)}, and undoes what it did`,
  ];
}
