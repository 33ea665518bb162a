import type { Command } from 'commander';

import { plural } from '../../../engine/core/plural.js';
import { hasExpired, Scope, type StoredToken } from '../../../tokens/token-file.js';
import type { Cli } from '../../cli.js';
import { expiryOf, readTokens } from './stored-tokens.js';

const SOON_MS = 14 * 86_400_000;

export function addCheck({ session }: Cli, token: Command): void {
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
