import type { Command } from 'commander';

import type { GcoreWorkflows } from '../../../client/index.js';
import { loadDeployment } from '../../../config.js';
import { CliError, ExitCode } from '../../cli-error.js';

export interface DeploymentOption {
  deployment?: string;
}

export function takesDeployment(command: Command): Command {
  return command.option(
    '--deployment <NAME>',
    'default: GCORE_WORKFLOWS_DEPLOYMENT, else the only one that polls',
  );
}

/** The deployment that a command is about. @throws CliError when there is none, or more than one */
export async function findDeployment(
  gcore: GcoreWorkflows,
  { deployment = loadDeployment() }: DeploymentOption,
): Promise<string> {
  if (deployment !== undefined) return deployment;
  const [only, ...others] = await gcore.deployments.names();
  if (only !== undefined && others.length === 0) return only;
  const message =
    only === undefined
      ? 'No versioned worker polls the queue of the workflows.'
      : `Workers of several deployments poll the queue of the workflows: ${[only, ...others].join(', ')}.`;
  const advice =
    only === undefined
      ? 'Without GCORE_WORKFLOWS_DEPLOYMENT for the workers there are no versions, and nothing to do here (docs/upgrade.md). If they have it, start one, or name it with --deployment.'
      : 'Name one with --deployment.';
  throw new CliError({ type: 'NoDeployment', message, advice, exitCode: ExitCode.failed });
}
