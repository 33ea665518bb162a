import { randomUUID } from 'node:crypto';

import { Argument, type Command } from 'commander';
import { z } from 'zod';

import {
  CHANGES,
  operationSchemas,
  type ChangeOperation,
  type Operations,
} from '../../contract/index.js';
import { OPERATIONS } from '../../contract/operations/index.js';
import { toPlaceholder } from '../../contract/operations/define-change.js';
import { prefixOf } from '../../contract/wire/names.js';
import type { Cli } from '../cli.js';
import { checkInput } from '../input/read-input.js';
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
    }),
  ),
});

/** The command of an operation that is one step: its arguments are the fields that the definition names. */
export function changeCommand(operation: ChangeOperation) {
  const { says, command: stated } = CHANGES[operation];
  return ({ program, session }: Cli): void => {
    const command = program.command(stated.word).description(says);
    addArguments(command, operation);
    takesRunOptions(takesPlace(command), 'name of this request; default: a new one')
      .addHelpText('after', helpOf(operation))
      .action(async () => {
        const properties = propertiesOf(operation);
        const fields = Object.fromEntries(
          stated.arguments.map((field, at) => [
            field,
            toValue(command.args[at], properties[field]?.type),
          ]),
        );
        await change(session(), { operation, fields, options: command.opts() });
      });
  };
}

function helpOf(operation: ChangeOperation): string {
  const { word, arguments: fields } = CHANGES[operation].command;
  const example = new Map<string, unknown>(Object.entries(OPERATIONS[operation].example));
  return `
Example:
  gcore-workflows ${[word, ...fields.map((field) => String(example.get(field)))].join(' ')}

To see first what it would do:
  gcore-workflows plan ${prefixOf(operation)} FILE`;
}

function propertiesOf(operation: ChangeOperation) {
  const schema = z.toJSONSchema(operationSchemas[operation].input, { io: 'input' });
  return fieldsSchema.parse(schema).properties;
}

/** What is no number stays a text: the schema refuses it and names it. */
function toValue(text: string | undefined, type: string | undefined): unknown {
  const isNumber = (type === 'integer' || type === 'number') && /^\d+$/.test(text ?? '');
  return isNumber ? Number(text) : text;
}

function addArguments(command: Command, operation: ChangeOperation): void {
  const properties = propertiesOf(operation);
  for (const field of CHANGES[operation].command.arguments) {
    const { description, enum: choices } = properties[field] ?? {};
    const argument = new Argument(`<${toPlaceholder(field)}>`, description);
    command.addArgument(choices === undefined ? argument : argument.choices(choices));
  }
}

interface Asked {
  operation: ChangeOperation;
  fields: Record<string, unknown>;
  options: RunOptions & PlaceOptions;
}

async function change(session: Session, { operation, fields, options }: Asked): Promise<void> {
  // Each call is a new request unless it is named: a repeat wants the change now.
  const { requestId = randomUUID(), wait, timeout: timeoutMs, join } = options;
  const input = checkInput<Operations[ChangeOperation]['input']>(
    operationSchemas[operation].input,
    { ...fields, ...placeFields(options), ...runFields(options) },
  );
  await withGcore(session, async (gcore) => {
    const start = { operation, requestId, input, join };
    await startAndFollow({ session, gcore }, start, { wait, timeoutMs });
  });
}
