import type { Command } from 'commander';

import { readOwnPackage } from '../../own-package.js';
import type { Services } from '../../services.js';
import type { Session } from '../../session.js';

const EXAMPLES = `
Examples:
  temporal worker deployment set-current-version --deployment-name gcore-workflows \\
    --build-id "$(gcore-workflows deploy build)"

Two releases with the same workflow code have the same build id. A worker logs it
when it starts.`;

export function addBuild(deploy: Command, session: () => Session, services: Services): void {
  deploy
    .command('build')
    .description('print the build id of workers with the code of this command')
    .addHelpText('after', EXAMPLES)
    .action(async () => {
      const build = await services.buildId();
      session().print({ version: readOwnPackage().version, build }, [build]);
    });
}
