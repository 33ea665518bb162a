import { flushBuffered, isWorkflowTaskStarted } from '../history/record.js';
import type { Execution } from '../model/execution.js';
import type { Server } from '../model/server.js';
import { writeSpeculative } from './schedule.js';

/** Ends one change of a run: writes what need not wait, and tells those who watch the history. */
export function commit(server: Server, execution: Execution): void {
  const task = execution.workflowTask;
  if (task?.kind === 'speculative') {
    // What is kept cannot be speculative any more: its events are written, before those that came after it.
    writeSpeculative(server, execution, { task });
    task.kind = 'normal';
  }
  if (!isWorkflowTaskStarted(execution)) flushBuffered(execution);
  execution.stateTransitions += 1;
  server.hooks.changed(execution);
  if (execution.watchers.size === 0) return;
  const watchers = [...execution.watchers];
  execution.watchers.clear();
  for (const tell of watchers) tell();
}
