import type { Command } from 'commander';

import type { Session } from '../../session.js';
import { withGcore } from '../../with-gcore.js';
import { findDeployment, takesDeployment, type DeploymentOption } from './deployment-option.js';
import { renderDeployment } from './render-deployment.js';

const EXAMPLES = `
Examples:
  gcore-workflows deploy status
  gcore-workflows deploy status -o json | jq '.versions[] | {build, state, openRuns}'

It changes nothing. RUNS are open runs with their locks and deliveries. A version
may be shut down when it is drained, or inactive. The server notices the last end
a few minutes late. Afterwards no worker answers "status" and "report" for runs
that ended there; "explain" and "result" do without.`;

export function addStatus(deploy: Command, session: () => Session): void {
  takesDeployment(deploy.command('status'))
    .description('the versions, where new runs go, and who still has open runs')
    .addHelpText('after', EXAMPLES)
    .action(async (options: DeploymentOption) => {
      const current = session();
      await withGcore(current, async (gcore) => {
        const status = await gcore.deployments.status(await findDeployment(gcore, options));
        current.print(status, renderDeployment(status, current.io.clock.now()));
      });
    });
}
