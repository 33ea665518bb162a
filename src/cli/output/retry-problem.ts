import { RetryRefusedError, type RetryRefusal } from '../../client/index.js';
import type { Problem } from '../cli-error.js';
import { ExitCode } from '../exit-code.js';
import type { Hint } from '../hint.js';

export function retryProblem(error: unknown, hint: Hint): Problem | undefined {
  if (!(error instanceof RetryRefusedError)) return undefined;
  const { workflowId, refusal, reason } = error;
  return {
    type: 'RetryRefused',
    message: `The run ${workflowId} ${reason}. Nothing was started.`,
    advice: adviceFor(refusal, workflowId, hint) ?? error.advice,
    exitCode: ExitCode.failed,
    workflowId,
  };
}

function adviceFor(refusal: RetryRefusal, workflowId: string, hint: Hint): string | undefined {
  if (refusal === 'open') {
    return `Follow it: ${hint('watch', workflowId)}; or end it first: ${hint('cancel', workflowId)}`;
  }
  if (refusal === 'succeeded') {
    return `Print its result: ${hint('result', workflowId)}. To do it once more, start another request with an id of its own.`;
  }
  if (refusal !== 'list-may-differ') return undefined;
  return `If lines were only corrected in place, and none was added, removed or moved: ${hint('retry', workflowId, '--same-lines')}. Otherwise import the failed videos from a list of their own.`;
}
