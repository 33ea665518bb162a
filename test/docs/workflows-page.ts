import { z } from 'zod';

import { accountInputShape, commonInputShape } from '../../src/contract/operations/common-input.js';
import type { Documented } from '../../src/contract/operations/define-operation.js';
import { OPERATIONS, operationSchemas } from '../../src/contract/operations/index.js';
import { Operation } from '../../src/contract/wire/names.js';
import { withGeneratedParts } from './generated-part.js';

/** docs/workflows.md with a section for each operation, from its definition. */
export function workflowsPage(page: string): string {
  return withGeneratedParts(page, Object.values(Operation).map(sectionOf).join('\n\n'));
}

function sectionOf(operation: Operation): string {
  const { input, result } = operationSchemas[operation];
  const { guarantees, page, messages, failures } = OPERATIONS[operation];
  return [
    `## ${operation}\n`,
    `${guarantees} Details: [${page}](${page}).\n`,
    '- **Input:**',
    ...sorted(fieldsOf(input)).map((field) => lineOf(`${operation}.input`, field)),
    '- **Result:**',
    ...fieldsOf(result).map((field) => lineOf(`${operation}.result`, field)),
    ...(messages === undefined ? [] : [`- **More messages:** ${messages}.`]),
    `- **More failures:** ${describeFailures(failures)}.`,
  ].join('\n');
}

const jsonSchema = z.object({
  properties: z.record(
    z.string(),
    z.object({ description: z.string().optional(), enum: z.array(z.coerce.string()).default([]) }),
  ),
  required: z.array(z.string()).default([]),
});

interface Field {
  name: string;
  isRequired: boolean;
  /** The words that it allows; empty when it allows others. */
  words: readonly string[];
  description: string | undefined;
}

function fieldsOf(schema: z.ZodType): Field[] {
  const { properties, required } = jsonSchema.parse(z.toJSONSchema(schema, { io: 'input' }));
  return Object.entries(properties).map(([name, { description, enum: words }]) => ({
    name,
    isRequired: required.includes(name),
    words,
    description,
  }));
}

/** What is particular comes first. The head of the page has the fields of all inputs. */
function sorted(fields: readonly Field[]): Field[] {
  const own = fields.filter(({ name }) => !(name in commonInputShape));
  const shared = fields.filter(({ name }) => name in commonInputShape);
  return [...own, ...shared.filter(({ name }) => !(name in accountInputShape))];
}

function lineOf(schema: string, { name, isRequired, words, description }: Field): string {
  if (description === undefined) throw new Error(`${schema} does not describe "${name}"`);
  const allowed = words.length > 0 ? ` (${inCode(words)})` : '';
  return `  - \`${name}${isRequired ? '' : '?'}\`${allowed}: ${description}`;
}

function describeFailures({ always = [], blocks = [] }: Documented['failures']): string {
  const blocking = blocks.length > 0 ? [`with \`onBlocked: "fail"\` ${inCode(blocks)}`] : [];
  const others = always.length > 0 ? [inCode(always)] : [];
  return [...others, ...blocking].join('; and ');
}

function inCode(words: readonly string[]): string {
  return words.map((word) => `\`${word}\``).join(', ');
}
