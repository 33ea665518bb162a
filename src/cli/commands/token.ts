import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';

import { InvalidArgumentError, type Command } from 'commander';

import { ConfigurationError } from '../../config.js';
import { decodeText } from '../../engine/core/decode-text.js';
import { parseDuration } from '../../engine/core/times.js';
import { plural } from '../../engine/core/text.js';
import { replaceFile } from '../../files/replace-file.js';
import {
  digestOf,
  Scope,
  hasExpired,
  parseTokenFile,
  type StoredToken,
} from '../../tokens/token-file.js';
import type { Cli } from '../cli.js';

export function addToken(cli: Cli): void {
  const token = cli.program
    .command('token')
    .description('make and check the tokens of callers of the gateway and the codec server');
  addNew(cli, token);
  addList(cli, token);
  addCheck(cli, token);
}

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

function addNew({ session }: Cli, token: Command): void {
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

function addList({ session }: Cli, token: Command): void {
  token
    .command('list')
    .description('show who may call, what and until when')
    .requiredOption('--tokens <FILE>', 'the token file')
    .action(({ tokens: file }: { tokens: string }) => {
      const { print } = session();
      const tokens = readTokens(file);
      print(tokens.map(shownToken), tokens.map(describe));
    });
}

function describe({ name, scopes, operations, accounts, expiresAt }: StoredToken): string {
  const limits = [
    ...(operations === undefined ? [] : [`operations ${operations.join(', ')}`]),
    ...(accounts === undefined ? [] : [`accounts ${accounts.join(', ')}`]),
  ];
  return [name, scopes.join(', '), ...limits, `until ${expiryOf(expiresAt)}`].join(' · ');
}

const SOON_MS = 14 * 86_400_000;

function addCheck({ session }: Cli, token: Command): void {
  token
    .command('check')
    .description('check a token file, and say which tokens to renew, limit or remove')
    .requiredOption('--tokens <FILE>', 'the token file')
    .action(({ tokens: file }: { tokens: string }) => {
      const { io, print } = session();
      const tokens = readTokens(file);
      const remarks = tokens.flatMap((stored) => remarksOn(stored, io.clock.now()));
      print({ tokens: tokens.length, remarks }, [
        `${file}: ${plural(tokens.length, 'token')}, no fault.`,
        ...remarks.map(({ name, remark }) => `${name}: ${remark}`),
      ]);
    });
}

function remarksOn(token: StoredToken, now: number): { name: string; remark: string }[] {
  const { name, scopes, expiresAt } = token;
  const mixed = scopes.includes(Scope.hint) && scopes.length > 1;
  const remarks = [
    hasExpired(token) ? `has expired at ${expiryOf(expiresAt)}: remove it` : undefined,
    !hasExpired(token) && expiresAt - now < SOON_MS
      ? `expires at ${expiryOf(expiresAt)}: make another one, and remove this one then`
      : undefined,
    expiresAt === Infinity && scopes.includes(Scope.operate)
      ? 'never expires and may stop runs: give it an end'
      : undefined,
    mixed ? 'stands in URLs, because of "hint", and may do more: make two tokens of it' : undefined,
  ];
  return remarks.flatMap((remark) => (remark === undefined ? [] : [{ name, remark }]));
}

/** The tokens in a file. @throws ConfigurationError with every fault */
function readTokens(file: string): StoredToken[] {
  if (!existsSync(file)) {
    throw new ConfigurationError([`${file}: does not exist; make it with: token new`]);
  }
  const decoded = decodeText(readFileSync(file));
  if (!decoded.ok) throw new ConfigurationError([`${file}: ${decoded.fault}`]);
  return tokensIn(file, decoded.text);
}

/** @throws ConfigurationError */
function tokensIn(file: string, text: string): StoredToken[] {
  const parsed = parseTokenFile(text);
  if (!parsed.ok) throw new ConfigurationError(parsed.faults.map((fault) => `${file}: ${fault}`));
  return parsed.tokens;
}

/** What a person may see of a token. */
function shownToken({ name, scopes, operations, accounts, expiresAt }: StoredToken) {
  const limits = { ...(operations && { operations }), ...(accounts && { accounts }) };
  return { name, scopes, ...limits, expires: expiryOf(expiresAt) };
}

/** A token as the file has it. */
function toEntry(token: StoredToken) {
  return { ...shownToken(token), sha256: token.digest.toString('hex') };
}

function expiryOf(expiresAt: number): string {
  return Number.isFinite(expiresAt) ? new Date(expiresAt).toISOString() : 'never';
}
