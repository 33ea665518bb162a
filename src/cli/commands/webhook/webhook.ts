import type { Cli } from '../../cli.js';
import { addListen } from './listen.js';

export function addWebhook({ program, session }: Cli): void {
  const webhook = program.command('webhook').description('try out the webhooks of runs: listen');
  addListen(webhook, session);
}
