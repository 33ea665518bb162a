import type { Command } from 'commander';

import type { StoredToken } from '../../../tokens/token-file.js';
import type { Cli } from '../../cli.js';
import { expiryOf, readTokens, shownToken } from './stored-tokens.js';

export function addList({ session }: Cli, token: Command): void {
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
