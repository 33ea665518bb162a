import { InvalidArgumentError, Option } from 'commander';

import {
  Operation,
  operationSchemas,
  StepState,
  type ProtectIpInput,
  type StatusDocument,
  type Urgency,
} from '../../contract/index.js';
import type { Cli } from '../cli.js';
import { parseCount } from '../input/parse-option.js';
import { checkInput, readInput } from '../input/read-input.js';
import {
  placeFields,
  runFields,
  takesPlace,
  takesRunOptions,
  withRunFields,
  type PlaceOptions,
  type RunOptions,
} from '../input/run-options.js';
import { watchDeps, type Session } from '../session.js';
import { announceRun, onConflict, printStarted, urgencyOption } from '../start-run.js';
import { watchRunUntil } from '../watch/watch-run.js';
import { withGcore } from '../with-gcore.js';

interface ProtectOptions extends RunOptions, PlaceOptions {
  file?: string;
  template?: number;
  field: Field[];
  holdFor?: string;
  urgency: Urgency;
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

A repeat for the same address and profile joins the open run. With --hold-for the command
returns once the protection is verified. The run continues and later restores
the earlier state. To hold it longer, and to restore now:
  gcore-workflows extend ID --for '2 hours'
  gcore-workflows restore ID`;

export function addProtect({ program, session }: Cli): void {
  const command = program
    .command('protect')
    .description('protect an IP address with a DDoS profile and verify it')
    .argument('[ADDRESS]', 'IPv4 or IPv6 address')
    .option('--template <ID>', 'template of the profile', parseCount)
    .addOption(
      new Option('--field <ID=VALUE>', 'field of the template, JSON or text; repeatable')
        .argParser(addField)
        .default([], 'none'),
    )
    .option('--hold-for <TIME>', 'restore the earlier state after this time')
    .option('-f, --file <FILE>', 'the whole input of protectIp as JSON; - is stdin');
  takesRunOptions(takesPlace(command), 'name of this request; default: the address')
    .addOption(urgencyOption(Operation.protectIp))
    .addHelpText('after', EXAMPLES)
    .action(async (address: string | undefined, options: ProtectOptions) => {
      const current = session();
      const json =
        options.file === undefined
          ? toJson(address, options)
          : withRunFields(await readInput(options.file, current.io), options);
      const input = checkInput(operationSchemas[Operation.protectIp].input, json);
      await protect(current, input, options);
    });
}

function toJson(address: string | undefined, options: ProtectOptions): unknown {
  const { template, field, holdFor } = options;
  return {
    profile: {
      ...optionalField('ip_address', address),
      ...optionalField('profile_template', template),
      ...(field.length === 0 ? {} : { fields: field }),
    },
    ...optionalField('holdFor', holdFor),
    ...placeFields(options),
    ...runFields(options),
  };
}

function optionalField(key: string, value: unknown): Record<string, unknown> {
  return value === undefined ? {} : { [key]: value };
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
      urgency,
      onConflict: onConflict(join),
      ...(requestId === undefined ? {} : { requestId }),
    });
    announceRun(session, run);
    if (!wait) {
      printStarted(session, run);
      return;
    }
    const { workflowId } = run;
    const watched = { workflowId, timeoutMs: timeout };
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
