import { randomUUID } from 'node:crypto';

import { Operation, operationSchemas, type GrantSftpAccessInput } from '../../contract/index.js';
import type { Cli } from '../cli.js';
import { parseCount } from '../input/parse-option.js';
import { checkInput } from '../input/read-input.js';
import { runFields, takesRunOptions, type RunOptions } from '../input/run-options.js';
import type { Session } from '../session.js';
import { startAndFollow } from '../start-run.js';
import { withGcore } from '../with-gcore.js';

interface GrantOptions extends RunOptions {
  key: string[];
  project?: number;
  keep?: true;
}

const EXAMPLES = `
Examples:
  gcore-workflows grant-sftp 7 --key ingest
  gcore-workflows grant-sftp 7 --key ingest --key audit

"ssh-keys" lists the names. Linked keys stay linked.`;

export function addGrantSftp({ program, session }: Cli): void {
  const command = program
    .command('grant-sftp')
    .description('link SSH keys to an SFTP storage; removes no other key')
    .argument('<STORAGE>', 'id of the SFTP storage', parseCount)
    .requiredOption('-k, --key <NAME...>', 'name of a key; at most 5')
    .option('--project <ID>', 'also look for a missing name in this project', parseCount)
    .option('--keep', 'keep the linked keys when the run fails or is cancelled');
  takesRunOptions(command, 'name of this request; default: a new one')
    .addHelpText('after', EXAMPLES)
    .action(async (storageId: number, options: GrantOptions) => {
      const { key, project, keep } = options;
      const input = checkInput(operationSchemas[Operation.grantSftpAccess].input, {
        storageId,
        keyNames: key,
        ...(project === undefined ? {} : { projectId: project }),
        ...runFields(options),
        ...(keep === true ? { onFailure: 'keep' } : {}),
      });
      await grantAccess(session(), input, options);
    });
}

async function grantAccess(
  session: Session,
  input: GrantSftpAccessInput,
  { requestId = randomUUID(), wait, timeout: timeoutMs, join }: GrantOptions,
): Promise<void> {
  await withGcore(session, async (gcore) => {
    // Each call is a new request unless it is named: a repeat wants the keys linked now.
    const start = { operation: Operation.grantSftpAccess, requestId, input, join };
    await startAndFollow({ session, gcore }, start, { wait, timeoutMs });
  });
}
