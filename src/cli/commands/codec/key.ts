import type { Command } from 'commander';

import { withNewKey } from '../../../codec/new-key.js';
import type { Cli } from '../../cli.js';
import { readRing, writeRing } from './ring-file.js';

const EXAMPLES = `
Examples:
  gcore-workflows codec key keys.json       # makes the file, or adds a key to it
  gcore-workflows codec use keys.json 2026-11-24

Rotate in three steps: add a key and give the file to every worker, client and
gateway; make the key current, and give out the file again; remove the old key
when no run of its time is kept any more. Without FILE it prints a new ring.`;

export function addKey({ session }: Cli, codec: Command): void {
  codec
    .command('key')
    .description('make a key ring, or add a key to one, which encrypts only after `codec use`')
    .argument('[FILE]', 'the key ring')
    .addHelpText('after', EXAMPLES)
    .action((file?: string) => {
      const { io, print, printJson, hint } = session();
      const before = file === undefined ? undefined : readRing(file);
      const { ring, id } = withNewKey(before, io.clock.now());
      if (file === undefined) {
        printJson(ring);
        return;
      }
      writeRing(file, ring);
      const isFirst = ring.current === id;
      const next = isFirst
        ? 'Set GCORE_CODEC_KEYS_FILE to this file for every worker, client and gateway (docs/secure.md).'
        : `Give the file to every worker, client and gateway. Then: ${hint('codec', 'use', file, id)}`;
      print({ file, id, current: ring.current }, [`${file} has the new key "${id}".`, next]);
    });
}
