import { InvalidArgumentError, type Command } from 'commander';

import {
  versionBefore,
  type DeploymentStatus,
  type GcoreWorkflows,
  type Promotion,
} from '../../../client/index.js';
import { plural } from '../../../engine/core/text.js';
import { CliError, ExitCode } from '../../cli-error.js';
import type { Session } from '../../session.js';
import { withGcore } from '../../with-gcore.js';
import { agree } from './agree.js';
import { findDeployment, takesDeployment, type DeploymentOption } from './deployment-option.js';
import { renderDeployment } from './render-deployment.js';

interface ChangeOptions extends DeploymentOption {
  yes?: true;
  force?: true;
}

const UNVERSIONED = 'unversioned';

const EXAMPLES = `
Examples:
  gcore-workflows deploy check && gcore-workflows deploy promote 3f9a1c5d7e02
  gcore-workflows deploy ramp 3f9a1c5d7e02 10
  gcore-workflows deploy promote unversioned

BUILD is what "deploy build" and the log of a worker that has started say.
Open runs stay where they are, and need their workers until they end. Holds,
imports, locks and deliveries move when they continue: see "deploy drain".
A version without workers is refused unless --force is given.`;

export function addPromote(deploy: Command, session: () => Session): void {
  takesChange(deploy.command('promote'))
    .description('let all new runs begin at a version; "unversioned": at workers without one')
    .argument('<BUILD>', 'build id of the version')
    .addHelpText('after', EXAMPLES)
    .action((build: string, options: ChangeOptions) =>
      change(session(), options, () => {
        const isNone = build === UNVERSIONED;
        const words = isNone ? 'workers without a version' : `the version ${build}`;
        return { build: isNone ? undefined : build, says: `All new runs begin at ${words}.` };
      }),
    );
}

export function addRamp(deploy: Command, session: () => Session): void {
  takesChange(deploy.command('ramp'))
    .description('let a share of the new runs begin at a version; 0 ends that')
    .argument('<BUILD>', 'build id of the version')
    .argument('<PERCENT>', 'from 0 to 100', parsePercent)
    .action((build: string, percentage: number, options: ChangeOptions) =>
      change(session(), options, () =>
        percentage === 0
          ? stopRamp(build)
          : { build, percentage, says: `${percentage} % of the new runs begin at ${build}.` },
      ),
    );
}

export function addRollback(deploy: Command, session: () => Session): void {
  takesChange(deploy.command('rollback'))
    .description('end the ramp; without one, go back to the version that was current before')
    .action((options: ChangeOptions) =>
      change(session(), options, (status) => {
        if (status.ramping !== undefined) return stopRamp(status.ramping);
        const before = versionBefore(status);
        if (before === undefined) throw nothingBefore(status);
        const says = `All new runs begin at ${before.build} again, which was current before.`;
        return { build: before.build, says };
      }),
    );
}

function takesChange(command: Command): Command {
  return takesDeployment(command)
    .option('--yes', 'do not ask')
    .option('--force', 'also to a version without workers: new runs wait for them');
}

type Change = Promotion & { says: string };

function stopRamp(build: string): Change {
  return { build, percentage: 0, says: `No new run begins at ${build} any more; the ramp ends.` };
}

/** Says what will change, asks, does it, and shows the deployment afterwards. */
async function change(
  session: Session,
  options: ChangeOptions,
  decide: (status: DeploymentStatus) => Change,
): Promise<void> {
  await withGcore(session, async (gcore: GcoreWorkflows) => {
    const deployment = await findDeployment(gcore, options);
    const status = await gcore.deployments.status(deployment);
    const { says, ...promotion } = decide(status);
    if (isSo(status, promotion))
      session.progress.notice('That is so already. Nothing was changed.');
    else {
      const lines = [`Deployment ${deployment}: ${says}`, ...whatStays(status, promotion)];
      await agree(session, { lines, isAgreed: options.yes === true });
    }
    const force = options.force === true;
    const after = isSo(status, promotion)
      ? status
      : await gcore.deployments.promote(deployment, { ...promotion, force });
    session.print(after, renderDeployment(after, session.io.clock.now()));
  });
}

function isSo({ current, ramping, versions }: DeploymentStatus, change: Promotion): boolean {
  const { build, percentage } = change;
  if (percentage === undefined) return current === build && ramping === undefined;
  const share = versions.find((version) => version.build === build)?.percentage ?? 0;
  return share === percentage;
}

function whatStays({ versions }: DeploymentStatus, { build }: Promotion): string[] {
  return versions
    .filter((version) => version.build !== build && version.openRuns > 0)
    .map(
      ({ build: other, openRuns }) =>
        `${plural(openRuns, 'open run')} of ${other} stay there: keep its workers until deploy status calls it drained.`,
    );
}

function nothingBefore({ deployment }: DeploymentStatus): CliError {
  return new CliError({
    type: 'NothingBefore',
    message: `No other version of ${deployment} has been current. Nothing was changed.`,
    advice:
      'Name a version: deploy promote BUILD. For workers without one: deploy promote unversioned.',
    exitCode: ExitCode.failed,
  });
}

function parsePercent(text: string): number {
  const percent = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && percent <= 100) return percent;
  throw new InvalidArgumentError('It must be a number from 0 to 100.');
}
