import type { GcoreWorkflows } from '../../client/index.js';
import { watchDeps, type Session } from '../session.js';
import { tooLate } from './too-late.js';
import { watchRun } from './watch-run.js';

interface Told {
  session: Session;
  gcore: GcoreWorkflows;
  workflowId: string;
}

/**
 * Follows a run that was told to end. Any other end than the one asked for is an error, success
 * included: then the word came too late.
 */
export async function untilEnded(
  { session, gcore, workflowId }: Told,
  isAsTold: (error: unknown) => boolean,
): Promise<void> {
  const watching = watchRun({ workflowId }, watchDeps(session, gcore));
  const result = await watching.catch((error: unknown) => {
    if (!isAsTold(error)) throw error;
    return undefined;
  });
  if (result !== undefined) throw tooLate(workflowId, result);
}
