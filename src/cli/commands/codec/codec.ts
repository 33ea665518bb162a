import type { Cli } from '../../cli.js';
import { addKey } from './key.js';
import { addPlain } from './plain.js';
import { addUse } from './use.js';

export function addCodec(cli: Cli): void {
  const codec = cli.program
    .command('codec')
    .description('make and change the key ring that encrypts payloads');
  addKey(cli, codec);
  addUse(cli, codec);
  addPlain(cli, codec);
}
