import { CliError } from './cli-error.js';
import { ExitCode } from './exit-code.js';
import { readOwnPackage } from './own-package.js';

const FULL_PACKAGE = 'gcore-workflows';

/** Whether the worker, the simulator and the gateway are installed, and not only the client. */
export function isFullPackage(): boolean {
  return readOwnPackage().name === FULL_PACKAGE;
}

/**
 * Loads a part that gcore-workflows-client leaves out.
 * @throws CliError in that package: it says what to install.
 */
export async function fromFullPackage<Module>(load: () => Promise<Module>): Promise<Module> {
  if (isFullPackage()) return load();
  throw new CliError({
    type: 'NotInstalled',
    message: `This needs the package ${FULL_PACKAGE}. The client package can only start, follow and operate runs.`,
    advice: `Install it (npm install ${FULL_PACKAGE}) and run this command of it: npx ${FULL_PACKAGE}`,
    exitCode: ExitCode.badInput,
  });
}
