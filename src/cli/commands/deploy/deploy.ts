import type { Cli } from '../../cli.js';
import { addBuild } from './build.js';
import { addCheck } from './check.js';
import { addDrain } from './drain.js';
import { addPromote, addRamp, addRollback } from './promote.js';
import { addStatus } from './status.js';

/** The commands for versioned workers: docs/upgrade.md. */
export function addDeploy({ program, services, session }: Cli): void {
  const deploy = program
    .command('deploy')
    .description('versions of the workers: status, check, promote, ramp, …');
  addBuild(deploy, session, services);
  addStatus(deploy, session);
  addCheck(deploy, session, services);
  addPromote(deploy, session);
  addRamp(deploy, session);
  addRollback(deploy, session);
  addDrain(deploy, session);
}
