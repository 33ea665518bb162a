import { CliError } from './cli-error.js';
import { ExitCode } from './exit-code.js';
import type { AnyResult } from './watch-run.js';

/** A run that was told to stop had already done its work. */
export function tooLate(workflowId: string, result: AnyResult): CliError {
  const message = 'The run had done its work before it could stop';
  const told =
    'instanceId' in result
      ? {
          message: `${message}: instance ${result.instanceId} exists.`,
          advice: 'Delete the instance if it is not wanted.',
        }
      : {
          message: `${message}: it has read ${result.count} keys.`,
          advice: 'Nothing to do: it only reads.',
        };
  return new CliError({ type: 'TooLate', ...told, exitCode: ExitCode.failed, workflowId });
}
