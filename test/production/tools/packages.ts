import { existsSync, symlinkSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';

import { resolveTemporalExecutable } from '../../../src/dev/temporal-executable.js';
import { inCache } from '../cache.js';
import { say } from '../report.js';
import { mustRun, runCommand } from '../run-command.js';

/** Installs packages of Debian for commands that are missing. */
export async function debianPackages(needed: Readonly<Record<string, string>>): Promise<void> {
  const missing: string[] = [];
  for (const [command, name] of Object.entries(needed)) {
    if (!(await hasCommand(command))) missing.push(name);
  }
  if (missing.length === 0) return;
  const isRoot = process.getuid?.() === 0;
  if (!isRoot || !(await hasCommand('apt-get'))) {
    throw new Error(
      `Not installed: ${missing.join(', ')}. Install them, or run this as root on Debian.`,
    );
  }
  say(`installing ${missing.join(', ')}`);
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  await mustRun(['apt-get', 'update', '-qq'], { env, timeoutMs: 300_000 });
  const install = ['install', '-y', '-qq', '--no-install-recommends', ...missing];
  await mustRun(['apt-get', ...install], { env, timeoutMs: 600_000 });
}

async function hasCommand(command: string): Promise<boolean> {
  const { code } = await runCommand(['sh', '-c', `command -v '${command}'`]);
  return code === 0;
}

/** With its version and digest. */
const REQUIREMENTS = resolve('test/production/tools/requirements.txt');
/** The newest Kubernetes of that package. */
export const KUBERNETES = '1.37.0';

/** Folder with the JSON schemas of Kubernetes, of a package of PyPI. They refuse unknown fields. */
export async function kubernetesSchemas(): Promise<string> {
  const folder = inCache(`kubernetes-validate==${KUBERNETES}`);
  const schemas = `${folder}/kubernetes_validate/kubernetes-json-schema/v${KUBERNETES}-local-strict`;
  if (!existsSync(schemas)) {
    say(`getting the schemas of Kubernetes ${KUBERNETES}`);
    const options = ['--quiet', '--no-deps', '--disable-pip-version-check', '--target', folder];
    const checked = ['--require-hashes', '--requirement', REQUIREMENTS];
    await mustRun(['python3', '-m', 'pip', 'install', ...options, ...checked]);
  }
  return schemas;
}

/** The command line of Temporal under its own name, for scripts. */
export async function temporalCli(): Promise<string> {
  const { path } = await resolveTemporalExecutable({
    cliPath: process.env['TEMPORAL_CLI_PATH'],
    path: process.env['PATH'],
    onProgress: say,
  });
  const link = inCache('bin', 'temporal');
  rmSync(link, { force: true });
  symlinkSync(path, link);
  return link;
}
