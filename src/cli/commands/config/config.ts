import type { Cli } from '../../cli.js';
import { addCheck } from './check.js';

export function addConfig(cli: Cli): void {
  const config = cli.program
    .command('config')
    .description('look at the settings of a worker: check');
  addCheck(config, cli);
}
