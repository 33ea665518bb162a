import { randomUUID } from 'node:crypto';

import { Operation, type ModifyKvStoreInput } from '../../contract/index.js';
import type { Cli } from '../cli.js';
import { parseCount } from '../input/parse-option.js';
import { listedInput } from '../input/listed-input.js';
import { readList } from '../input/read-list.js';
import { runFields, takesRunOptions, type RunOptions } from '../input/run-options.js';
import type { Session } from '../session.js';
import { startAndFollow } from '../start-run.js';
import { withGcore } from '../with-gcore.js';

interface KvPushOptions extends RunOptions {
  store: number;
  manifest?: string;
  verify?: string;
  force?: true;
  allowIrreversible?: true;
}

const EXAMPLES = `
Examples:
  gcore-workflows kv-push items.json --store 17
  cat items.json | gcore-workflows kv-push - --store 17 --verify all
  gcore-workflows kv-push --manifest file:push/2026-05.jsonl --store 17

FILE is a JSON array of items, or one item a line:
  [{"op": "add", "key": "greeting", "datatype": "kv", "payload": {"value": "hello"}}]
A manifest has one item per line; the worker reads it. A FILE above 1 MiB is uploaded,
and is one then: its lines have no order, so each key may come up once. A failed or cancelled push
undoes nothing. The same push again ends with the content of its items.`;

export function addKvPush({ program, session }: Cli): void {
  const command = program
    .command('kv-push')
    .description('write items into a KV store and verify them')
    .argument('[FILE]', 'a list of items; - is stdin')
    .requiredOption('--store <ID>', 'id of the store', parseCount)
    .option('--manifest <URL>', 'a list of items that the worker reads, instead of FILE')
    .option('--verify <HOW>', 'which keys to read back: sample (default) or all')
    .option('--force', 'let keys change their datatype; needs --allow-irreversible')
    .option('--allow-irreversible', 'confirm changes that cannot be undone');
  takesRunOptions(command, 'name of this push; default: a new one')
    .addHelpText('after', EXAMPLES)
    .action(async (file: string | undefined, options: KvPushOptions) => {
      const current = session();
      const input = await listedInput(current, {
        operation: Operation.modifyKvStore,
        list: file === undefined ? undefined : await readList(file, current.io),
        input: toInput(options),
      });
      await push(current, input, options);
    });
}

function toInput(options: KvPushOptions): Record<string, unknown> {
  const { store, manifest, verify, force, allowIrreversible } = options;
  const input = {
    storeId: store,
    manifest: manifest === undefined ? undefined : { url: manifest },
    verify,
    force,
    allowIrreversible,
    ...runFields(options),
  };
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
}

async function push(
  session: Session,
  input: ModifyKvStoreInput,
  { requestId = randomUUID(), wait, timeout: timeoutMs, join }: KvPushOptions,
): Promise<void> {
  await withGcore(session, async (gcore) => {
    // Each push is a new request unless it is named: the same content may be pushed again later.
    const start = { operation: Operation.modifyKvStore, requestId, input, join };
    await startAndFollow({ session, gcore }, start, { wait, timeoutMs });
  });
}
