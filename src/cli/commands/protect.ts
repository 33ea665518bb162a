import { InvalidArgumentError, Option } from 'commander';

import {
  Operation,
  operationSchemas,
  StepState,
  type ProtectIpInput,
  type StatusDocument,
} from '../../contract/index.js';
import { withDefaults } from '../../contract/batch-items.js';
import type { Cli } from '../cli.js';
import { parseCount } from '../input/parse-option.js';
import { checkInput } from '../input/read-input.js';
import { readWordsOrList, unplaced, type ItemList } from '../input/read-list.js';
import {
  placeFields,
  takesPlace,
  takesRunOptions,
  withRunFields,
  type PlaceOptions,
  type RunOptions,
} from '../input/run-options.js';
import { watchDeps, type Session } from '../session.js';
import {
  asksForBatch,
  batchInput,
  startBatch,
  takesBatchOptions,
  type BatchOptions,
} from '../start-batch.js';
import { announceRun, onConflict, printStarted } from '../start-run.js';
import { watchRunUntil } from '../watch/watch-run.js';
import { withGcore } from '../with-gcore.js';

interface ProtectOptions extends RunOptions, PlaceOptions, BatchOptions {
  file?: string;
  template?: number;
  field: Field[];
  holdFor?: string;
}

interface Field {
  base_field: number;
  field_value: unknown;
}

const EXAMPLES = `
Examples:
  gcore-workflows protect 203.0.113.7 --template 12 --field 3='[8080, 8443]'
  gcore-workflows protect 203.0.113.7 --template 12 --hold-for '2 hours'
  gcore-workflows protect --file protect.json
  gcore-workflows protect 203.0.113.7 203.0.113.8 --template 12 --request-id incident-42
  gcore-workflows protect --file addresses.txt --template 12 --request-id incident-42

A repeat for the same address and profile joins the open run. With --hold-for the command
returns once the protection is verified. The run continues and later restores
the earlier state. To hold it longer, and to restore now:
  gcore-workflows extend ID --for '2 hours'
  gcore-workflows restore ID`;

export function addProtect({ program, session }: Cli): void {
  const command = program
    .command('protect')
    .description('protect IP addresses with a DDoS profile and verify it')
    .argument('[ADDRESS...]', 'IPv4 or IPv6 addresses; several become one batch')
    .option('--template <ID>', 'template of the profile', parseCount)
    .addOption(
      new Option('--field <ID=VALUE>', 'field of the template, JSON or text; repeatable')
        .argParser(addField)
        .default([], 'none'),
    )
    .option('--hold-for <TIME>', 'restore the earlier state after this time')
    .option('-f, --file <FILE>', 'inputs of protectIp, or addresses, one a line; - is stdin');
  takesBatchOptions(
    takesRunOptions(takesPlace(command), 'name of this request; default: the address'),
  )
    .addHelpText('after', EXAMPLES)
    .action(async (addresses: string[], options: ProtectOptions) => {
      const current = session();
      const list = await readAsked(current, addresses, options);
      if (list.items.length === 1 && list.faults.length === 0 && !asksForBatch(options)) {
        const [json] = list.items;
        const given = withRunFields(withDefaults(defaultsOf(options), json), options);
        const input = checkInput(operationSchemas[Operation.protectIp].input, given);
        await protect(current, input, options);
        return;
      }
      const input = { operation: Operation.protectIp, defaults: defaultsOf(options) };
      await startBatch(current, await batchInput(current, list, { input, options }), options);
    });
}

/** The addresses of the command line, or those or the whole inputs of a file. */
async function readAsked(
  { io }: Session,
  addresses: readonly string[],
  { file }: ProtectOptions,
): Promise<ItemList> {
  if (file === undefined) {
    return unplaced(addresses.length === 0 ? [{ profile: {} }] : addresses.map(toItem));
  }
  return readWordsOrList(file, io, toItem);
}

function toItem(address: string): object {
  return { profile: { ip_address: address } };
}

/** What the options say of every address. */
function defaultsOf(options: ProtectOptions): Record<string, unknown> {
  const { template, field, holdFor } = options;
  const profile = {
    ...(template !== undefined && { profile_template: template }),
    ...(field.length > 0 && { fields: field }),
  };
  return {
    ...(Object.keys(profile).length > 0 && { profile }),
    ...(holdFor !== undefined && { holdFor }),
    ...placeFields(options),
  };
}

/** `3=[8080]`, `4=100`, `5=text` */
function addField(text: string, before: Field[]): Field[] {
  const [, id, value = ''] = /^(\d+)=(.*)$/s.exec(text) ?? [];
  if (id === undefined) throw new InvalidArgumentError('It must be of the form 3=VALUE.');
  return [...before, { base_field: Number(id), field_value: parseValue(value) }];
}

function parseValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

async function protect(
  session: Session,
  input: ProtectIpInput,
  { requestId, urgency, wait, timeout, join }: ProtectOptions,
): Promise<void> {
  await withGcore(session, async (gcore) => {
    const run = await gcore.start(Operation.protectIp, {
      input,
      ...(urgency && { urgency }),
      onConflict: onConflict(join),
      ...(requestId === undefined ? {} : { requestId }),
    });
    announceRun(session, run);
    if (!wait) {
      printStarted(session, run);
      return;
    }
    const { workflowId } = run;
    const watched = { ...run, timeoutMs: timeout };
    const end = await watchRunUntil(watched, isHeld, watchDeps(session, gcore));
    if (end.isCompleted) {
      session.printJson(end.run.result);
      return;
    }
    session.progress.notice(
      `The address is protected for a time. To extend it: ${session.hint('extend', workflowId, '--for', '2 hours')}; to restore the earlier state now: ${session.hint('restore', workflowId)}`,
    );
    session.printJson(end.status);
  });
}

/** The run is protected and only waits now. */
function isHeld({ steps }: StatusDocument): boolean {
  return steps.some(({ name, state }) => name === 'hold protection' && state === StepState.waiting);
}
