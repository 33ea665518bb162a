import type { Command } from 'commander';

import type { Drained } from '../../../client/index.js';
import { plural } from '../../../engine/core/text.js';
import { align } from '../../output/align.js';
import type { Session } from '../../session.js';
import { withGcore } from '../../with-gcore.js';
import { agree } from './agree.js';
import { findDeployment, takesDeployment, type DeploymentOption } from './deployment-option.js';

interface DrainOptions extends DeploymentOption {
  yes?: true;
}

const EXAMPLES = `
Examples:
  gcore-workflows deploy drain 3f9a1c5d7e02

Holds of protectIp, locks and deliveries of webhooks may wait for weeks. Each is
asked to continue in a new history, which begins at the current version. It loses
nothing. The workers of the old version must still run. Imports move by themselves,
other runs end by themselves. A paused run moves when it is resumed.`;

export function addDrain(deploy: Command, session: () => Session): void {
  takesDeployment(deploy.command('drain'))
    .description('ask what waits for long at an old version to go on at the current one')
    .argument('<BUILD>', 'build id of the old version')
    .option('--yes', 'do not ask')
    .addHelpText('after', EXAMPLES)
    .action(async (build: string, options: DrainOptions) => {
      const current = session();
      await withGcore(current, async (gcore) => {
        const deployment = await findDeployment(gcore, options);
        const lines = [
          `Deployment ${deployment}: holds, locks and deliveries of ${build} continue at the current version.`,
        ];
        await agree(current, { lines, isAgreed: options.yes === true });
        const drained = await gcore.deployments.drain(deployment, build);
        current.progress.notice(
          `See what is left in a moment: ${current.hint('deploy', 'status')}`,
        );
        current.print(drained, render(drained));
      });
    });
}

function render({ asked, staying }: Drained): string[] {
  return [
    `${plural(asked.length, 'run')} asked to move`,
    ...align(Object.entries(staying).map(([type, count]) => [type, `${count} end by themselves`])),
  ];
}
