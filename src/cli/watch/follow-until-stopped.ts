import type { GcoreWorkflows } from '../../client/index.js';
import { completedWorkOf } from '../../client/operations.js';
import type { CompletedWork } from '../../contract/operations/define-operation.js';
import { CliError, ExitCode } from '../cli-error.js';
import { watchDeps, type Session } from '../session.js';
import { watchRun, type CompletedRun } from './watch-run.js';

export interface StoppedRun {
  session: Session;
  gcore: GcoreWorkflows;
  /** Who was asked: a later run of the same Workflow Id is another one. */
  run: { workflowId: string; runId: string };
}

/**
 * Follows a run that was asked to stop. Any end but the requested one is an error. Success is one
 * too: then the request came too late.
 */
export async function followUntilStopped(
  { session, gcore, run }: StoppedRun,
  isRequestedEnd: (error: unknown) => boolean,
): Promise<void> {
  const watching = watchRun(run, watchDeps(session, gcore));
  const completed = await watching.catch((error: unknown) => {
    if (!isRequestedEnd(error)) throw error;
    return undefined;
  });
  if (completed !== undefined) throw tooLate(run.workflowId, completed);
}

const PLANNED: CompletedWork = {
  done: 'it has made a plan',
  advice: 'Nothing to do: it changed nothing.',
};

/** A run that was asked to stop had already done its work. */
export function tooLate(workflowId: string, run: CompletedRun): CliError {
  const { done, advice } = run.isPlan ? PLANNED : completedWorkOf(run);
  const message = `The run finished its work before it could stop: ${done}.`;
  return new CliError({ type: 'TooLate', message, advice, exitCode: ExitCode.failed, workflowId });
}
