import type { Command } from 'commander';

import type { Cli } from '../../cli.js';
import { CliError } from '../../cli-error.js';
import { ExitCode } from '../../exit-code.js';
import { readRing, writeRing } from './ring-file.js';

export function addUse({ session }: Cli, codec: Command): void {
  codec
    .command('use')
    .description('make a key of a ring the current one: it encrypts from now on')
    .argument('<FILE>', 'the key ring')
    .argument('<KEY>', 'id of the key; "none" encrypts nothing, and still decrypts')
    .action((file: string, id: string) => {
      const { print } = session();
      const ring = readRing(file);
      const keys = ring?.keys ?? {};
      if (!Object.hasOwn(keys, id) && id !== 'none') throw unknownKey(file, id, Object.keys(keys));
      const current = Object.hasOwn(keys, id) ? id : null;
      writeRing(file, { ...ring, current, keys });
      const used = current === null ? 'encrypts nothing' : `encrypts with the key "${current}"`;
      print({ file, current }, [`${file} now ${used}.`]);
    });
}

function unknownKey(file: string, id: string, known: readonly string[]): CliError {
  return new CliError({
    type: 'UnknownKey',
    message: `${file} has no key "${id}".`,
    advice: known.length === 0 ? 'Make one with: codec key FILE' : `It has ${known.join(', ')}.`,
    exitCode: ExitCode.badInput,
  });
}
