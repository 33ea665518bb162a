import type { Cli } from '../../cli.js';
import { addBuild } from './build.js';
import { addCheck } from './check.js';

/** What the Temporal CLI cannot know of a new version. It does the rest of a deployment itself: docs/upgrade.md. */
export function addDeploy({ program, services, session }: Cli): void {
  const deploy = program
    .command('deploy')
    .description('before a new version of the workers: check, build');
  addBuild(deploy, session, services);
  addCheck(deploy, session, services);
}
