import { existsSync, readFileSync } from 'node:fs';

import { Argument, type Command } from 'commander';

import { Plain, parseKeyRing, toJson, type KeyRingJson } from '../../codec/key-ring.js';
import { withNewKey } from '../../codec/new-key.js';
import { ConfigurationError } from '../../config.js';
import { decodeText } from '../../engine/core/decode-text.js';
import { replaceFile } from '../../files/replace-file.js';
import { CliError, ExitCode } from '../cli-error.js';
import type { Cli } from '../cli.js';

export function addCodec(cli: Cli): void {
  const codec = cli.program
    .command('codec')
    .description('make and change the key ring that encrypts payloads');
  addKey(cli, codec);
  addUse(cli, codec);
  addPlain(cli, codec);
}

const EXAMPLES = `
Examples:
  gcore-workflows codec key keys.json       # makes the file, or adds a key to it
  gcore-workflows codec use keys.json 2026-11-24

Rotate in three steps: add a key and give the file to every worker, client and
gateway; make the key current, and give out the file again; remove the old key
when no run of its time is kept any more. Without FILE it prints a new ring.`;

function addKey({ session }: Cli, codec: Command): void {
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

function addUse({ session }: Cli, codec: Command): void {
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

const HELP = `
Refuse it when every caller encrypts, and no run of the time before is kept any
more: a run then stays where it is when a payload in clear comes, and says why.`;

const SAYS = {
  [Plain.accept]: 'lets runs take what is not encrypted',
  [Plain.refuse]: 'lets no run take what is not encrypted',
} as const;

function addPlain({ session }: Cli, codec: Command): void {
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

/** The ring in a file; `undefined` when there is no such file. */
function readRing(file: string): KeyRingJson | undefined {
  if (!existsSync(file)) return undefined;
  const decoded = decodeText(readFileSync(file));
  if (!decoded.ok) throw new ConfigurationError([`${file}: ${decoded.fault}`]);
  return parseRing(file, decoded.text);
}

/** Writes no ring that a program would refuse. */
function writeRing(file: string, ring: KeyRingJson): void {
  const text = JSON.stringify(ring, null, 2);
  parseRing(file, text);
  replaceFile(file, `${text}\n`);
}

function parseRing(file: string, text: string): KeyRingJson {
  const parsed = parseKeyRing(text);
  if (!parsed.ok) throw new ConfigurationError(parsed.faults.map((fault) => `${file}: ${fault}`));
  return toJson(parsed.value);
}
