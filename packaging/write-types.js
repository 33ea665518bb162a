/**
 * Part of `npm run build:package`: writes the types of `src/contract/operations/types.ts` as interfaces, with the descriptions of
 * the schemas on their fields. An editor shows them, and errors name a type instead of spelling it out.
 */
import { writeFile } from 'node:fs/promises';

import ts, { factory } from 'typescript';
import { printNode, zodToTs } from 'zod-to-ts';

import {
  createInstanceBodySchema,
  ddosProfileBodySchema,
  kvItemSchema,
  manifestSchema,
  Operation,
  ResourceKind,
} from '../dist/contract/index.js';
import { stepStatusSchema } from '../dist/contract/documents.js';
import {
  batchReportSchema,
  importReportSchema,
  OPERATIONS,
  operationSchemas,
} from '../dist/contract/operations/index.js';

const TARGET = 'dist/contract/operations/types.d.ts';

/** Parts that have a name of their own, by what they say of it. */
const PARTS = {
  BatchReport: [batchReportSchema, 'The outcome of every item of a batch.'],
  CreateInstanceBody: [createInstanceBodySchema, 'Body of `POST /cloud/v2/instances`.'],
  DdosProfileBody: [ddosProfileBodySchema, 'Body of `POST` and `PATCH /cloud/v1/ddos/profiles`.'],
  ImportReport: [importReportSchema, 'The outcome of every line of an import.'],
  KvItem: [kvItemSchema, 'One change of a key of a KV store.'],
  Manifest: [manifestSchema, 'A list of items by reference: JSON Lines.'],
  StepStatus: [stepStatusSchema, 'One named part of a run. Times are ISO 8601 in UTC.'],
};
/** Words that a newer worker may add to: types leave them open, as the types of the source do. */
const OPEN_WORDS = [Operation, ResourceKind];
/** `describe` copies a schema, but not its definition. */
const NAMES = new Map(Object.entries(PARTS).map(([name, [schema]]) => [schema._zod.def, name]));

function* declarations() {
  for (const [name, [schema, says]] of Object.entries(PARTS)) yield declare(name, schema, [says]);
  for (const [operation, { input, result }] of Object.entries(operationSchemas)) {
    const { guarantees, example } = OPERATIONS[operation];
    const says = [`Input of \`${operation}\`. ${guarantees}`, '@example'];
    yield declare(inputOf(operation), input, [
      ...says,
      ...JSON.stringify(example, null, 2).split('\n'),
    ]);
    yield declare(resultOf(operation), result, [`Result of \`${operation}\`.`]);
  }
  const rows = Object.keys(operationSchemas).map(
    (name) => `    ${name}: { input: ${inputOf(name)}; result: ${resultOf(name)} };\n`,
  );
  yield `/** Input and result of each operation, by its Workflow Type. */
export interface Operations {\n${rows.join('')}}\n`;
}

function declare(name, schema, lines) {
  const node = typeOf(schema, name);
  const modifiers = [factory.createModifier(ts.SyntaxKind.ExportKeyword)];
  const declaration = ts.isTypeLiteralNode(node)
    ? factory.createInterfaceDeclaration(modifiers, name, undefined, undefined, node.members)
    : factory.createTypeAliasDeclaration(modifiers, name, undefined, node);
  return `/**\n${lines.map((line) => ` * ${line}\n`).join('')} */\n${printNode(declaration)}\n`;
}

/** @param own name of the type that is written just now: it does not refer to itself. */
function typeOf(schema, own) {
  return zodToTs(schema, {
    auxiliaryTypeStore: { nextId: () => own, definitions: new Map() },
    overrideFunction: (part) => {
      const name = NAMES.get(part._zod.def);
      if (name !== undefined && name !== own) return factory.createTypeReferenceNode(name);
      const { type, catchall, entries } = part._zod.def;
      if (OPEN_WORDS.includes(entries)) return factory.createTypeReferenceNode('string');
      // TypeScript itself refuses unknown fields of a literal; `[x: string]: never` would refuse the known ones too.
      return type === 'object' && catchall !== undefined ? typeOf(part.strip(), own) : undefined;
    },
  }).node;
}

function inputOf(operation) {
  return `${operation[0].toUpperCase()}${operation.slice(1)}Input`;
}

function resultOf(operation) {
  return `${operation[0].toUpperCase()}${operation.slice(1)}Result`;
}

await writeFile(TARGET, [...declarations()].join('\n'));
