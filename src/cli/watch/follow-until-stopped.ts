import type { GcoreWorkflows } from '../../client/index.js';
import { watchDeps, type Session } from '../session.js';
import { tooLate } from './too-late.js';
import { watchRun } from './watch-run.js';

export interface StoppedRun {
  session: Session;
  gcore: GcoreWorkflows;
  workflowId: string;
}

/**
 * Follows a run that was asked to stop. Any end but the requested one is an error. Success is one
 * too: then the request came too late.
 */
export async function followUntilStopped(
  { session, gcore, workflowId }: StoppedRun,
  isRequestedEnd: (error: unknown) => boolean,
): Promise<void> {
  const watching = watchRun({ workflowId }, watchDeps(session, gcore));
  const completed = await watching.catch((error: unknown) => {
    if (!isRequestedEnd(error)) throw error;
    return undefined;
  });
  if (completed !== undefined) throw tooLate(workflowId, completed);
}
