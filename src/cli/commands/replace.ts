import { Operation, operationSchemas } from '../../contract/index.js';
import type { Cli } from '../cli.js';
import { checkInput, readInput } from '../input/read-input.js';
import { requestIdFromInput } from '../input/request-id.js';
import { takesRunOptions, withRunFields, type RunOptions } from '../input/run-options.js';
import { startAndFollow } from '../start-run.js';
import { withGcore } from '../with-gcore.js';

const EXAMPLES = `
Examples:
  gcore-workflows replace --file replace.json --request-id web-1-july

To see first what it would do:
  gcore-workflows plan replace-instance replace.json`;

export function addReplace({ program, session }: Cli): void {
  const command = program
    .command('replace')
    .description('replace an instance: a new one gets its floating IP; verified')
    .requiredOption('-f, --file <FILE>', 'input of replaceInstance as JSON; - is stdin');
  takesRunOptions(command, 'name of this request; default: from the input')
    .addHelpText('after', EXAMPLES)
    .action(async ({ file, ...options }: RunOptions & { file: string }) => {
      const { replaceInstance: operation } = Operation;
      const current = session();
      const { wait, timeout: timeoutMs, join } = options;
      const json = withRunFields(await readInput(file, current.io), options);
      const input = checkInput(operationSchemas[operation].input, json);
      const requestId = options.requestId ?? requestIdFromInput(current, operation, json);
      await withGcore(current, async (gcore) => {
        const start = { operation, requestId, input, join };
        await startAndFollow({ session: current, gcore }, start, { wait, timeoutMs });
      });
    });
}
