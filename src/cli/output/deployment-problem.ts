import { DeploymentNotFoundError, PromotionRefusedError } from '../../client/index.js';
import { withoutAdvice } from '../../contract/index.js';
import { ExitCode, type Problem } from '../cli-error.js';

export function deploymentProblem(error: unknown): Problem | undefined {
  if (error instanceof DeploymentNotFoundError) {
    const { deployment } = error;
    return {
      type: 'DeploymentNotFound',
      message: `There is no Worker Deployment "${deployment}" in this namespace.`,
      advice: `Start a worker with GCORE_WORKFLOWS_DEPLOYMENT=${deployment}, or name another one with --deployment. Check the namespace.`,
      exitCode: ExitCode.failed,
    };
  }
  if (!(error instanceof PromotionRefusedError)) return undefined;
  const { message, advice } = error;
  return {
    type: 'PromotionRefused',
    message: withoutAdvice(message, advice),
    advice,
    exitCode: ExitCode.failed,
  };
}
