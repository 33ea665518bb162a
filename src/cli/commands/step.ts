import { randomUUID } from 'node:crypto';

import { Argument, Option, type Command } from 'commander';
import { z } from 'zod';

import {
  STEP_COMMANDS,
  operationSchemas,
  type StepOperation,
  type Operations,
} from '../../contract/index.js';
import { isMake, isPlaced, OPERATIONS } from '../../contract/operations/index.js';
import { toPlaceholder } from '../../contract/operations/describe-step.js';
import { prefixOf, toKebab } from '../../contract/wire/names.js';
import type { Cli } from '../cli.js';
import { checkInput, readInput, readText } from '../input/read-input.js';
import {
  placeFields,
  runFields,
  takesPlace,
  takesRunOptions,
  type PlaceOptions,
  type RunOptions,
} from '../input/run-options.js';
import type { Session } from '../session.js';
import { startAndFollow } from '../start-run.js';
import { withGcore } from '../with-gcore.js';

const fieldsSchema = z.object({
  properties: z.record(
    z.string(),
    z.object({
      type: z.string().optional(),
      description: z.string().optional(),
      enum: z.array(z.string()).optional(),
      items: z.object({ type: z.string().optional() }).optional(),
      properties: z.record(z.string(), z.unknown()).optional(),
    }),
  ),
});

type Field = Partial<z.infer<typeof fieldsSchema>['properties'][string]>;

/** The command of an operation that is one step: its arguments and options are the fields that the definition names. */
export function stepCommand(operation: StepOperation) {
  const { says, command: stated } = STEP_COMMANDS[operation];
  return ({ program, session }: Cli): void => {
    const command = program.command(stated.word).description(says);
    addArguments(command, operation);
    addOptions(command, operation);
    if (isPlaced(operation)) takesPlace(command);
    takesRunOptions(command, 'name of this request; default: a new one')
      .addHelpText('after', helpOf(operation))
      .action(async () => {
        const properties = propertiesOf(operation);
        const fields: Record<string, unknown> = Object.fromEntries(
          stated.arguments.map((field, at) => [
            field,
            toValue(command.args[at], properties[field]),
          ]),
        );
        const given = command.opts<RunOptions & PlaceOptions & Record<string, unknown>>();
        for (const field of stated.options ?? []) {
          const value = given[field];
          if (typeof value === 'string') fields[field] = toValue(value, properties[field]);
        }
        for (const field of stated.files ?? []) {
          const file = fields[field];
          if (typeof file !== 'string') continue;
          const isJson = properties[field]?.type === 'object';
          fields[field] = await (isJson ? readInput : readText)(file, session().io);
        }
        if (given['keep'] === true) fields['onFailure'] = 'keep';
        await start(session(), { operation, fields, options: given });
      });
  };
}

function helpOf(operation: StepOperation): string {
  const { word, arguments: fields, files } = STEP_COMMANDS[operation].command;
  const example = new Map<string, unknown>(Object.entries(OPERATIONS[operation].example));
  const words = fields.map((field) =>
    files?.includes(field) === true ? 'FILE' : String(example.get(field)),
  );
  return `
Example:
  gcore-workflows ${[word, ...words].join(' ')}

To see first what it would do:
  gcore-workflows plan ${prefixOf(operation)} FILE`;
}

function propertiesOf(operation: StepOperation) {
  const schema = z.toJSONSchema(operationSchemas[operation].input, { io: 'input' });
  return fieldsSchema.parse(schema).properties;
}

/** A secret is given by its name, and a list with commas. What is no number stays a text: the schema refuses it and names it. */
function toValue(text: string | undefined, field: Field = {}): unknown {
  const { type, items, properties = {} } = field;
  if (text !== undefined && '$secret' in properties) return { $secret: text };
  if (text !== undefined && items !== undefined) {
    return text.split(',').map((item) => toValue(item, { type: items.type }));
  }
  const isNumber = (type === 'integer' || type === 'number') && /^-?\d+$/.test(text ?? '');
  return isNumber ? Number(text) : text;
}

function addArguments(command: Command, operation: StepOperation): void {
  const properties = propertiesOf(operation);
  for (const field of STEP_COMMANDS[operation].command.arguments) {
    const { description, enum: choices } = properties[field] ?? {};
    const argument = new Argument(`<${toPlaceholder(field)}>`, description);
    command.addArgument(choices === undefined ? argument : argument.choices(choices));
  }
  if (isMake(operation)) command.option('--keep', 'keep what a failed or cancelled run has made');
}

function addOptions(command: Command, operation: StepOperation): void {
  const properties = propertiesOf(operation);
  const { options = [], files = [] } = STEP_COMMANDS[operation].command;
  for (const field of options) {
    const { description, enum: choices } = properties[field] ?? {};
    const named = choices?.join('|') ?? toPlaceholder(field);
    const placeholder = files.includes(field) ? 'FILE' : named;
    const option = new Option(`--${toKebab(field)} <${placeholder}>`, description);
    command.addOption(choices === undefined ? option : option.choices(choices));
  }
}

interface Asked {
  operation: StepOperation;
  fields: Record<string, unknown>;
  options: RunOptions & PlaceOptions;
}

async function start(session: Session, { operation, fields, options }: Asked): Promise<void> {
  // Each call is a new request unless it is named: a repeat wants the change now.
  const { requestId = randomUUID(), wait, timeout: timeoutMs, join } = options;
  const input = checkInput<Operations[StepOperation]['input']>(operationSchemas[operation].input, {
    ...fields,
    ...placeFields(options),
    ...runFields(options),
  });
  await withGcore(session, async (gcore) => {
    const asked = { operation, requestId, input, join };
    await startAndFollow({ session, gcore }, asked, { wait, timeoutMs });
  });
}
