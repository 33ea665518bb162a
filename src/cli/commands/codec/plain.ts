import { Argument, type Command } from 'commander';

import { Plain } from '../../../codec/key-ring.js';
import { ConfigurationError } from '../../../config.js';
import type { Cli } from '../../cli.js';
import { readRing, writeRing } from './ring-file.js';

const HELP = `
Refuse it when every caller encrypts, and no run of the time before is kept any
more: a run then stays where it is when a payload in clear comes, and says why.`;

const SAYS = {
  [Plain.accept]: 'lets runs take what is not encrypted',
  [Plain.refuse]: 'lets no run take what is not encrypted',
} as const;

export function addPlain({ session }: Cli, codec: Command): void {
  codec
    .command('plain')
    .description('say what runs do with what is not encrypted')
    .argument('<FILE>', 'the key ring')
    .addArgument(new Argument('<HOW>', 'accept or refuse').choices(Object.values(Plain)))
    .addHelpText('after', HELP)
    .action((file: string, plain: Plain) => {
      const ring = readRing(file);
      if (ring === undefined) throw new ConfigurationError([`${file}: there is no such file`]);
      writeRing(file, { ...ring, plain });
      session().print({ file, plain }, [`${file} now ${SAYS[plain]}.`]);
    });
}
