import { workflowInfo } from '@temporalio/workflow';

import { runIdOf } from '../core/identity.js';
import type { PreparedRun } from '../core/prepared-run.js';
import type { Run, Turns } from './run-types.js';

/**
 * The run that asks for a change, as far as its events say: they keep its Run Id through a reset, so the activity
 * sees that it works for a reset run, and refuses.
 *
 * @param prepared as the history has begun: a corrected input is prepared by the reset run
 */
export function writerOf({ writer }: Turns, prepared: PreparedRun): string {
  if (writer !== undefined) return writer;
  return 'maker' in prepared && typeof prepared.maker === 'string'
    ? runIdOf(prepared.maker)
    : workflowInfo().originalExecutionRunId;
}

/**
 * Whether the run was reset and has not made sure of its turns since. Only for the end of a history: a copied event
 * cannot come after that, so the run may ask who it is.
 */
export function mayHaveLostTurns({ turns: { doubted, writer } }: Pick<Run, 'turns'>): boolean {
  const { runId, originalExecutionRunId } = workflowInfo();
  return doubted.size > 0 || (writer ?? originalExecutionRunId) !== runId;
}

/** An activity says that the run was reset: the run before may have given its turns back since. */
export function doubtTurns(turns: Turns, resetTo: string): void {
  turns.writer = resetTo;
  for (const resource of turns.held.keys()) turns.doubted.add(resource);
}

/** Gets the turns again that are in doubt: what was read in them may be old. */
export async function confirmTurns({ turns: { held, doubted } }: Pick<Run, 'turns'>) {
  for (const resource of [...doubted].sort()) {
    await held.get(resource)?.retake();
    doubted.delete(resource);
  }
}

/** Gives back all turns of a run that has ended. */
export async function endTurns({ held }: Turns): Promise<void> {
  await Promise.all([...held.values()].map((turn) => turn.end()));
}
