import { CliError } from '../cli-error.js';
import { ExitCode } from '../exit-code.js';
import type { AnyResult } from './watch-run.js';

/** A run that was told to stop had already done its work. */
export function tooLate(workflowId: string, result: AnyResult): CliError {
  const { done, advice } = whatWasDone(result);
  const message = `The run had done its work before it could stop: ${done}.`;
  return new CliError({ type: 'TooLate', message, advice, exitCode: ExitCode.failed, workflowId });
}

function whatWasDone(result: AnyResult): { done: string; advice: string } {
  if ('instanceId' in result) {
    const done = `instance ${result.instanceId} exists`;
    return { done, advice: 'Delete the instance if it is not wanted.' };
  }
  if ('plan' in result) {
    return { done: 'it has made a plan', advice: 'Nothing to do: it changed nothing.' };
  }
  if ('storageId' in result) {
    const names = result.keys.filter(({ linked }) => linked).map(({ name }) => name);
    return names.length === 0
      ? { done: 'it has found all keys linked', advice: 'Nothing to do: it changed nothing.' }
      : {
          done: `it has linked ${names.join(', ')} to SFTP storage ${result.storageId}`,
          advice: 'Unlink the keys if they are not wanted.',
        };
  }
  if ('profileId' in result) {
    const { after, profileId, restored } = result;
    return restored
      ? { done: 'the state before is back', advice: 'Nothing to do.' }
      : {
          done: `profile ${profileId} protects ${after.profile.ip_address}`,
          advice: 'Switch the profile off in the portal if it is not wanted.',
        };
  }
  if ('storeId' in result) {
    const done = `${result.items} items are written`;
    return { done, advice: 'Write what the keys are to hold instead.' };
  }
  if ('counts' in result) {
    const advice = 'Delete the videos that are not wanted; its result names them.';
    return { done: `it has imported ${result.counts.succeeded} videos`, advice };
  }
  return { done: `it has read ${result.count} keys`, advice: 'Nothing to do: it only reads.' };
}
