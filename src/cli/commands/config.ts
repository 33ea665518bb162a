import { Option, type Command } from 'commander';

import { checkConfig, type ConfigReport } from '../../config/check-config.js';
import type { Check } from '../../contract/check.js';
import { plural } from '../../engine/core/text.js';
import { CliError, ExitCode } from '../cli-error.js';
import type { Cli } from '../cli.js';
import { align } from '../output/align.js';
import type { Paint } from '../output/terminal-text.js';
import type { GlobalOptions } from '../program.js';
import { renderChecks, examine, faulty } from './doctor.js';

export function addConfig(cli: Cli): void {
  const config = cli.program
    .command('config')
    .description('look at the settings of a worker: check');
  addCheck(config, cli);
}

const EXAMPLES = `
Examples:
  gcore-workflows config check
  gcore-workflows config check --file accounts.json
  gcore-workflows config check --output json | jq .config.accounts
  gcore-workflows config check --live

Run it with the environment of a worker, before you start the worker: it says
what the worker would say, and what it would use, without secrets. It contacts
nobody; --live asks the servers too, as doctor does. The exit code is 64 when
the worker would not start.`;

interface CheckOptions {
  file?: string;
  live?: boolean;
}

function addCheck(config: Command, { program, services, session }: Cli): void {
  config
    .command('check')
    .description('say whether a worker would start with these settings')
    .option('--file <FILE>', 'accounts file to check, instead of GCORE_ACCOUNTS_FILE')
    .addOption(
      new Option('--live', 'ask the Temporal server and the API too, as doctor does').conflicts(
        'file',
      ),
    )
    .addHelpText('after', EXAMPLES)
    .action(async ({ file, live = false }: CheckOptions) => {
      const current = session();
      const { address, namespace } = program.opts<GlobalOptions>();
      const found = checkConfig({ accountsFile: file, address, namespace });
      const asked = live && found.ok ? await examine(current, services) : [];
      const ok = found.ok && !asked.some(isFault);
      const report = { ...found, ok, checks: [...found.checks, ...asked] };
      current.print(report, render(report, current.paint));
      if (!found.ok) throw notStarting(found);
      if (!ok) throw faulty(asked);
    });
}

function isFault({ state }: Check): boolean {
  return state === 'fault';
}

function render({ checks, config }: ConfigReport, paint: Paint): string[] {
  const lines = renderChecks(checks, paint);
  if (config === undefined) return lines;
  const rows = flatten(config).map(([name, value]) => [name, value]);
  return [...lines, '', ...align(rows)];
}

/** One row for each value: `accounts[0].baseUrl`. */
function flatten(value: unknown, path = ''): [string, string][] {
  if (value === undefined) return [];
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) {
    return [[path, value.length === 0 ? '-' : value.join(', ')]];
  }
  if (typeof value !== 'object' || value === null) return [[path, JSON.stringify(value)]];
  return Object.entries(value).flatMap(([name, inner]) =>
    flatten(
      inner,
      Array.isArray(value) ? `${path}[${name}]` : `${path}.${name}`.replace(/^\./, ''),
    ),
  );
}

function notStarting({ checks }: ConfigReport): CliError {
  const faults = checks.filter(isFault);
  return new CliError({
    type: 'Configuration',
    message: `The configuration has ${plural(faults.length, 'fault')}: a worker would not start.`,
    advice: 'Correct the settings that the lines above name, then check again.',
    exitCode: ExitCode.badInput,
  });
}
