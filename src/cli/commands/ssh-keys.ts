import { randomUUID } from 'node:crypto';

import { Operation, operationSchemas, type ListSshKeysInput } from '../../contract/index.js';
import type { Cli } from '../cli.js';
import { parseSeconds } from '../input/parse-option.js';
import { checkInput } from '../input/read-input.js';
import { watchDeps, type Session } from '../session.js';
import { watchRun } from '../watch/watch-run.js';
import { withGcore } from '../with-gcore.js';

interface SshKeysOptions {
  name?: string;
  account?: string;
  timeout?: number;
}

const EXAMPLES = `
Examples:
  gcore-workflows ssh-keys
  gcore-workflows ssh-keys --name ingest

These are the keys for SFTP storage. The "ssh_key_name" of an instance is the
name of a key in another registry of the API.`;

export function addSshKeys({ program, session }: Cli): void {
  program
    .command('ssh-keys')
    .description('list the SSH keys for SFTP storage, all pages, as they are now')
    .option('--name <TEXT>', 'only keys whose name has this in it')
    .option('--account <NAME>', 'which API key of the workers to use')
    .option('--timeout <SECONDS>', 'stop watching then; the run goes on', parseSeconds)
    .addHelpText('after', EXAMPLES)
    .action(async ({ timeout, name, account }: SshKeysOptions) => {
      const input = checkInput(operationSchemas[Operation.listSshKeys].input, {
        ...(name === undefined ? {} : { name }),
        ...(account === undefined ? {} : { account }),
      });
      await listSshKeys(session(), input, timeout);
    });
}

async function listSshKeys(
  session: Session,
  input: ListSshKeysInput,
  timeoutMs: number | undefined,
): Promise<void> {
  await withGcore(session, async (gcore) => {
    // Another request each time: a repeat wants the list as it is now, not as it was.
    const requestId = randomUUID();
    const { workflowId } = await gcore.start(Operation.listSshKeys, { requestId, input });
    session.progress.notice(`Run ${workflowId}`);
    const { result } = await watchRun({ workflowId, timeoutMs }, watchDeps(session, gcore));
    session.printJson(result);
  });
}
