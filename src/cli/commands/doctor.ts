import { currentEnvironment, loadAccountNames } from '../../config.js';
import { warningsOfProxies } from '../../config/proxies.js';
import type { Check } from '../../contract/check.js';
import { oneLine } from '../../engine/core/text.js';
import { CliError, ExitCode } from '../cli-error.js';
import type { Cli } from '../cli.js';
import { align } from '../output/align.js';
import type { Paint, Style } from '../output/terminal-text.js';
import { toProblem } from '../output/to-problem.js';
import type { Services } from '../services.js';
import type { Session } from '../session.js';
import { withGcore } from '../with-gcore.js';

const EXAMPLES = `
Examples:
  gcore-workflows doctor
  gcore-workflows doctor --account blue --json

Run it where a worker runs, with its environment: then the key, the project, the
region and the clock are checked too, by two reads of the API. It changes
nothing and prints no secret. The exit code is 0 when nothing is wrong; a check
that cannot be made is no fault.`;

export function addDoctor({ program, services, session }: Cli): void {
  program
    .command('doctor')
    .description('check the server, the workers, the key and more; says what to do')
    .option('--account <NAME>', 'one account; default: all that a worker here serves')
    .option('--json', 'the same as --output json')
    .addHelpText('after', EXAMPLES)
    .action(async ({ account, json = false }: DoctorOptions) => {
      const current = session();
      const checks = await examine(current, services, account);
      const isFaulty = checks.some(({ state }) => state === 'fault');
      if (json) current.printJson({ ok: !isFaulty, checks });
      else current.print({ ok: !isFaulty, checks }, renderChecks(checks, current.paint));
      if (isFaulty) throw faulty(checks);
    });
}

interface DoctorOptions {
  account?: string;
  json?: boolean;
}

/** @param account all that a worker with this environment serves when left out */
export async function examine(
  session: Session,
  services: Services,
  account?: string,
): Promise<Check[]> {
  const accounts = account === undefined ? loadAccountNames() : [account];
  const build = await services.ownBuilds();
  const [temporal, api] = await Promise.all([
    checkTemporal(session, { accounts, build }),
    services.checkApi(account),
  ]);
  return [...temporal, ...api, ...proxyChecks()];
}

function proxyChecks(): Check[] {
  return warningsOfProxies(currentEnvironment()).map((text) => {
    return { name: 'proxy', state: 'unknown', text };
  });
}

const NEEDS_TEMPORAL = ['namespace', 'search attributes', 'workers', 'version'] as const;

/** Without a Temporal server the other checks are still made. */
async function checkTemporal(
  session: Session,
  { accounts, build }: { accounts: readonly string[]; build: readonly string[] },
): Promise<Check[]> {
  try {
    return await withGcore(session, (gcore) => gcore.check({ accounts, build }));
  } catch (error) {
    const { message, advice } = toProblem(error, session.hint);
    return [
      { name: 'Temporal', state: 'fault', text: oneLine(message), advice },
      ...NEEDS_TEMPORAL.map((name): Check => {
        return { name, state: 'unknown', text: 'cannot be checked without the Temporal server' };
      }),
    ];
  }
}

export function faulty(checks: readonly Check[]): CliError {
  const names = checks.filter(({ state }) => state === 'fault').map(({ name }) => name);
  return new CliError({
    type: 'Faulty',
    message: `Not in order: ${names.join(', ')}.`,
    advice: 'Do what the lines above say, then check again.',
    exitCode: ExitCode.failed,
  });
}

const WORDS: Record<Check['state'], { word: string; style: Style }> = {
  ok: { word: 'ok', style: 'good' },
  fault: { word: 'fault', style: 'bad' },
  unknown: { word: '?', style: 'dim' },
};

/** One line for each check, and one more with what to do. */
export function renderChecks(checks: readonly Check[], paint: Paint): string[] {
  const lines = align(checks.map(({ state, name, text }) => [WORDS[state].word, name, text]));
  return checks.flatMap(({ state, advice }, at) => {
    const { word, style } = WORDS[state];
    const line = (lines[at] ?? '').replace(word, paint(style, word));
    return advice === undefined ? [line] : [line, `       what to do: ${advice}`];
  });
}
