import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';

import { InvalidArgumentError, type Command } from 'commander';

import { parseDuration } from '../../../engine/core/parse-duration.js';
import { replaceFile } from '../../../files/replace-file.js';
import { digestOf, Scope } from '../../../tokens/token-file.js';
import type { Cli } from '../../cli.js';
import { expiryOf, readTokens, toEntry, tokensIn } from './stored-tokens.js';

const EXAMPLES = `
Examples:
  gcore-workflows token new billing --tokens tokens.json --scopes read,run --operations provisionInstance
  gcore-workflows token new streaming --tokens tokens.json --scopes hint --accounts default
  gcore-workflows token new prometheus --tokens tokens.json --scopes metrics --expires never

Prints the token, once: the file holds only its SHA-256. A gateway that runs takes it within a second.`;

const BYTES = 32;
const USUAL = '90 days';

interface NewOptions {
  tokens: string;
  scopes: string[];
  operations?: string[];
  accounts?: string[];
  /** Milliseconds from now. */
  expires?: number;
}

export function addNew({ session }: Cli, token: Command): void {
  token
    .command('new')
    .description('make a token, and add it to the file of the gateway')
    .argument('<NAME>', 'who will call: it is shown in the log and in the status of runs')
    .requiredOption('--tokens <FILE>', 'the token file; made if there is none')
    .requiredOption(
      '--scopes <LIST>',
      `what it may do: ${Object.values(Scope).join(', ')}`,
      parseList,
    )
    .option('--operations <LIST>', 'only runs of these operations', parseList)
    .option('--accounts <LIST>', 'only runs of these accounts', parseList)
    .option('--expires <WHEN>', `a duration from now, or "never" (default: ${USUAL})`, parseExpiry)
    .addHelpText('after', EXAMPLES)
    .action((name: string, options: NewOptions) => {
      const { io, print, progress } = session();
      const { expires = parseExpiry(USUAL), tokens: file, ...limits } = options;
      const text = randomBytes(BYTES).toString('hex');
      const expiresAt = expires === Infinity ? expires : io.clock.now() + expires;
      add(file, {
        name,
        ...limits,
        sha256: digestOf(text).toString('hex'),
        expires: expiryOf(expiresAt),
      });
      const made = { name, token: text, expires: expiryOf(expiresAt) };
      print(made, [text]);
      progress.notice(
        `${file} has the token of ${name}, until ${made.expires}. It is shown only now.`,
      );
    });
}

function add(file: string, entry: object): void {
  const before = existsSync(file) ? readTokens(file).map(toEntry) : [];
  const text = JSON.stringify({ tokens: [...before, entry] }, null, 2);
  // It is checked as the gateway will check it.
  tokensIn(file, text);
  replaceFile(file, `${text}\n`);
}

function parseList(text: string): string[] {
  return text.split(',').map((word) => word.trim());
}

/** Milliseconds from now. */
function parseExpiry(text: string): number {
  if (text === 'never') return Infinity;
  const parsed = parseDuration(text);
  if (parsed.ok) return parsed.ms;
  throw new InvalidArgumentError(`It ${parsed.message}, or "never".`);
}
