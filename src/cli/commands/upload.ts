import { Argument } from 'commander';

import { LIST_OPERATIONS } from '../../contract/uploads.js';
import { prefixOf } from '../../contract/wire/names.js';
import type { Cli } from '../cli.js';
import { uploadInput } from '../input/listed-input.js';
import { readList } from '../input/read-list.js';

const EXAMPLES = `
Examples:
  gcore-workflows upload run-batch fleet.jsonl
  gcore-workflows batch provision-instance upload:SHA256 --request-id fleet-7

The commands that take a list upload a long one by themselves. A list that is uploaded
again is the same, and is kept for 30 days again.`;

export function addUpload({ program, session }: Cli): void {
  program
    .command('upload')
    .description('keep a list for runs, in pieces, on the Temporal server')
    .addArgument(
      new Argument('<OPERATION>', 'what takes the list').choices(LIST_OPERATIONS.map(prefixOf)),
    )
    .argument('<FILE>', 'a list of its items; - is stdin')
    .addHelpText('after', EXAMPLES)
    .action(async (word: string, file: string) => {
      const current = session();
      const operation = LIST_OPERATIONS.find((name) => prefixOf(name) === word);
      if (operation === undefined) return;
      const list = await readList(file, current.io);
      current.printJson(await uploadInput(current, operation, list));
    });
}
