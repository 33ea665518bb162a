import type { Cli } from '../../cli.js';
import { addCheck } from './check.js';
import { addList } from './list.js';
import { addNew } from './new.js';

export function addToken(cli: Cli): void {
  const token = cli.program
    .command('token')
    .description('make and check the tokens of callers of the gateway and the codec server');
  addNew(cli, token);
  addList(cli, token);
  addCheck(cli, token);
}
