import type { ProvisionInstanceResult } from '../contract/index.js';
import { CliError } from './cli-error.js';
import { ExitCode } from './exit-code.js';

/** A run that was told to stop had already done its work. */
export function tooLate(workflowId: string, { instanceId }: ProvisionInstanceResult): CliError {
  return new CliError({
    type: 'TooLate',
    message: `The run had done its work before it could stop: instance ${instanceId} exists.`,
    advice: 'Delete the instance if it is not wanted.',
    exitCode: ExitCode.failed,
    workflowId,
  });
}
