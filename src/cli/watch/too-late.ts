import { completedWorkOf, type CompletedWork } from '../../client/operations.js';
import { CliError } from '../cli-error.js';
import { ExitCode } from '../exit-code.js';
import type { CompletedRun } from './watch-run.js';

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
