import { readdirSync } from 'node:fs';

import type { Row } from '../report.js';
import { runCommand } from '../run-command.js';
import { ACTIONLINT, goTool } from '../tools/go-tools.js';
import { debianPackages } from '../tools/packages.js';

const PART = 'files';

function filesOf(folder: string, ending: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending) && !name.includes('node_modules'))
    .map((name) => `${folder}/${name}`);
}

/** Scripts and workflow files, by their linters. */
export async function checkFiles(): Promise<Row[]> {
  await debianPackages({ shellcheck: 'shellcheck' });
  const scripts = [
    '.ci/run',
    ...['deploy', 'test/production'].flatMap((folder) => filesOf(folder, '.sh')),
  ];
  const workflows = filesOf('.github/workflows', '.yml');
  return [
    await lint(`shellcheck, ${scripts.length} scripts`, [
      'shellcheck',
      '--severity=warning',
      ...scripts,
    ]),
    await lint(`actionlint, ${workflows.length} workflows`, [
      await goTool(ACTIONLINT),
      ...workflows,
    ]),
  ];
}

async function lint(what: string, command: readonly [string, ...string[]]): Promise<Row> {
  const { code, stdout, stderr } = await runCommand(command);
  const result = code === 0 ? 'no finding' : `${stdout}${stderr}`.trim();
  return { part: PART, what, result, isSound: code === 0 };
}
