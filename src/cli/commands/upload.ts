import { Argument, InvalidArgumentError, type Command } from 'commander';

import { LIST_OPERATIONS } from '../../contract/uploads.js';
import { prefixOf } from '../../contract/wire/names.js';
import { uploadOfUrl, uploadUrl, type UploadName } from '../../contract/wire/uploads.js';
import type { Cli } from '../cli.js';
import { uploadInput } from '../input/listed-input.js';
import { readList } from '../input/read-list.js';
import { renderUploads } from '../output/render-uploads.js';
import type { Session } from '../session.js';
import { withGcore } from '../with-gcore.js';

const EXAMPLES = `
Examples:
  gcore-workflows upload run-batch fleet.jsonl
  gcore-workflows batch provision-instance upload:default/SHA256 --request-id fleet-7
  gcore-workflows upload list
  gcore-workflows upload delete upload:default/SHA256

The commands that take a list upload a long one by themselves. A list that is uploaded
again is the same: nothing is kept twice.`;

const ACCOUNT = ['--account <NAME>', 'of the runs that read it'] as const;

interface AccountOptions {
  account?: string;
}

export function addUpload({ program, session }: Cli): void {
  const upload = program
    .command('upload')
    .description('keep a list for runs, in pieces, on the Temporal server')
    .addArgument(
      new Argument('<OPERATION>', 'what takes the list').choices(LIST_OPERATIONS.map(prefixOf)),
    )
    .argument('<FILE>', 'a list of its items; - is stdin')
    .option(...ACCOUNT)
    .addHelpText('after', EXAMPLES)
    .action(async (word: string, file: string, { account }: AccountOptions) => {
      const current = session();
      const operation = LIST_OPERATIONS.find((name) => prefixOf(name) === word);
      if (operation === undefined) return;
      const list = await readList(file, current.io);
      current.printJson(await uploadInput(current, { operation, account }, list));
    });
  addList(upload, session);
  addDelete(upload, session);
}

function addList(upload: Command, session: () => Session): void {
  upload
    .command('list')
    .description('show the lists that are kept, and how much more may be')
    .option(...ACCOUNT)
    .action(async (_options: AccountOptions, command: Command) => {
      const current = session();
      const { account } = command.optsWithGlobals<AccountOptions>();
      const kept = await withGcore(current, (gcore) => gcore.uploads(account));
      current.print(kept, renderUploads(kept));
    });
}

function addDelete(upload: Command, session: () => Session): void {
  upload
    .command('delete')
    .description('delete a list that no run needs any more')
    .argument('<LIST>', 'as it was uploaded: upload:ACCOUNT/SHA256', parseName)
    .option('--force', 'also while open runs may read it: they block when they read on')
    .action(async (name: UploadName, { force }: { force?: true }) => {
      const current = session();
      await withGcore(current, (gcore) => gcore.deleteUpload(name, { force }));
      current.progress.notice('Deleted. The same list may be uploaded again.');
      current.print({ manifest: { url: uploadUrl(name) } }, [uploadUrl(name)]);
    });
}

function parseName(word: string): UploadName {
  const name = uploadOfUrl(word);
  if (name !== undefined) return name;
  throw new InvalidArgumentError('It must be upload:ACCOUNT/SHA256, as `upload list` shows it.');
}
