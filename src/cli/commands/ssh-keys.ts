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
  orderBy?: string;
  offset?: number;
  limit?: number;
  account?: string;
  timeout?: number;
}

const EXAMPLES = `
Examples:
  gcore-workflows ssh-keys
  gcore-workflows ssh-keys --name ingest
  gcore-workflows ssh-keys --order-by created_at.desc --limit 10

These keys are for SFTP storages. The "ssh_key_name" of an instance names a key
in another registry of the API.`;

export function addSshKeys({ program, session }: Cli): void {
  program
    .command('ssh-keys')
    .description('list all SSH keys for SFTP storages')
    .option('--name <TEXT>', 'only keys whose name contains this')
    .option('--order-by <ORDER>', 'created_at.asc, created_at.desc, name.asc or name.desc')
    .option('--offset <N>', 'leave out this many at the beginning', Number)
    .option('--limit <N>', 'give at most this many', Number)
    .option('--account <NAME>', 'which API key of the workers to use')
    .option('--timeout <SECONDS>', 'stop watching then; the run continues', parseSeconds)
    .addHelpText('after', EXAMPLES)
    .action(async ({ timeout, ...asked }: SshKeysOptions) => {
      const input = checkInput(operationSchemas[Operation.listSshKeys].input, asked);
      await listSshKeys(session(), input, timeout);
    });
}

async function listSshKeys(
  session: Session,
  input: ListSshKeysInput,
  timeoutMs: number | undefined,
): Promise<void> {
  await withGcore(session, async (gcore) => {
    // Each call is a new request: a repeat wants the current list.
    const requestId = randomUUID();
    const run = await gcore.start(Operation.listSshKeys, { requestId, input });
    session.progress.notice(`Run ${run.workflowId}`);
    const { result } = await watchRun({ ...run, timeoutMs }, watchDeps(session, gcore));
    session.printJson(result);
  });
}
