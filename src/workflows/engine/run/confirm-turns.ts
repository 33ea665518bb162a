import { workflowInfo } from '@temporalio/workflow';

import { runIdOf } from '../../../contract/maker.js';
import type { Run, Turns } from './run-types.js';

/**
 * Names the run that asks for a call in its turn. The first event of a history keeps its Run Id through a reset, so
 * the activity sees that it works for a reset run, and refuses.
 */
export function writerOf({ turns: { writer } }: Pick<Run, 'turns'>): string {
  return writer ?? workflowInfo().originalExecutionRunId;
}

/** An activity says that the run was reset: the run before may have given its turns back since. */
export function doubtTurns(turns: Turns, resetTo: string): void {
  turns.writer = runIdOf(resetTo);
  for (const resource of turns.held.keys()) turns.doubted.add(resource);
}

/** Gets the turns again that are in doubt: what was read in them may be old. */
export async function confirmTurns({ turns: { held, doubted } }: Pick<Run, 'turns'>) {
  for (const resource of [...doubted].sort()) {
    await held.get(resource)?.retake();
    doubted.delete(resource);
  }
}
