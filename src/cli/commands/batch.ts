import { Argument } from 'commander';

import type { RunBatchInput } from '../../contract/index.js';
import { BATCHED_OPERATIONS } from '../../contract/operations/run-batch.js';
import { prefixOf } from '../../contract/wire/names.js';
import type { Cli } from '../cli.js';
import { parseDocument, readInput } from '../input/read-input.js';
import { readList, toManifest } from '../input/read-list.js';
import { takesRunOptions, type RunOptions } from '../input/run-options.js';
import type { Session } from '../session.js';
import { batchInput, startBatch, takesBatchOptions, type BatchOptions } from '../start-batch.js';

interface Options extends RunOptions, BatchOptions {
  sha256?: string;
  lines?: string;
  defaults?: string;
}

const EXAMPLES = `
Examples:
  gcore-workflows batch provision-instance fleet.jsonl --request-id fleet-7 \\
    --defaults common.json --canary 3
  gcore-workflows batch set-instance-power ids.jsonl --defaults '{"action":"stop"}'
  gcore-workflows batch delete-instance file:old.jsonl --request-id clean-up --at-once 50

A line is an input of the operation, with a "requestId" beside its fields where you
name it; --key names the field that does it. Other lines are told apart by what they
say: they may move, and a corrected line that has failed starts. What makes something
needs one of these names or a --request-id; of anything else each call is a new
request, which lets everything be so now.
The runs have the label group=REQUEST_ID, so they are found together:
  gcore-workflows list --group fleet-7
  gcore-workflows cancel --group fleet-7`;

export function addBatch({ program, session }: Cli): void {
  const command = program
    .command('batch')
    .description('run an operation for each line of a list, a few at the same time')
    .addArgument(
      new Argument('<OPERATION>', 'what to run for each line').choices(
        BATCHED_OPERATIONS.map(prefixOf),
      ),
    )
    .argument(
      '<FILE>',
      'a list of inputs: a path, - for stdin, or what a worker reads: file:PATH, https://…, upload:SHA256',
    )
    .option('--sha256 <HEX>', 'hash of the whole file, for file: and https:')
    .option('--lines <RANGES>', 'only these lines, such as "1-500 502"')
    .option('--defaults <FILE|JSON>', 'fields of every line that does not have them itself');
  takesBatchOptions(command);
  takesRunOptions(
    command,
    'name of this batch; default: a new one, or from the content of what makes something',
  )
    .addHelpText('after', EXAMPLES)
    .action(async (word: string, file: string, options: Options) => {
      const current = session();
      const input = await toInput(current, { word, file, options });
      await startBatch(current, input, options);
    });
}

interface Given {
  word: string;
  file: string;
  options: Options;
}

async function toInput(session: Session, { word, file, options }: Given): Promise<RunBatchInput> {
  const { io } = session;
  const { sha256, lines, defaults } = options;
  const operation = BATCHED_OPERATIONS.find((name) => prefixOf(name) === word);
  const manifest = toManifest(file, sha256);
  const input = {
    operation,
    ...(manifest && { manifest }),
    ...(lines !== undefined && { lines }),
    ...(defaults !== undefined && { defaults: await readDefaults(defaults, io) }),
  };
  const list = manifest === undefined ? await readList(file, io) : undefined;
  return batchInput(session, list, { input, options });
}

async function readDefaults(given: string, io: Session['io']): Promise<unknown> {
  const isJson = given.trimStart().startsWith('{');
  return isJson ? parseDocument('--defaults', given) : await readInput(given, io);
}
