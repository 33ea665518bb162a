import { readFileSync } from 'node:fs';

import { describe, expect, it } from '@jest/globals';

import { jsonSchemas, type JsonSchema } from '../../src/contract/json-schemas.js';
import { parseInput } from '../../src/engine/schema/parse-input.js';
import { operationSchemas } from '../../src/contract/operations/index.js';
import * as documents from '../support/cli/status-documents.js';
import { compileSchema, schemaErrors } from '../support/contract/schema-errors.js';
import { provisionInput } from '../support/inputs/provision-input.js';
import { OPERATION_CASES } from '../support/operations/index.js';

const NAMES = Object.keys(jsonSchemas());

/** Paths of the fields without a description, at any depth. */
function undescribed(schema: JsonSchema, path: string): string[] {
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    if (typeof field === 'boolean') return [];
    const at = `${path}.${name}`;
    return [...(field.description === undefined ? [at] : []), ...undescribed(field, at)];
  });
  const parts = [schema.items, schema.anyOf, schema.oneOf].flat();
  return [
    ...fields,
    ...parts.flatMap((part) => (part instanceof Object ? undescribed(part, path) : [])),
  ];
}

describe('The JSON Schemas', () => {
  it('are valid for a strict validator, and each has its own id', () => {
    for (const name of NAMES) compileSchema(name);

    const ids = Object.values(jsonSchemas()).map(({ $id }) => $id);
    expect(new Set(ids).size).toBe(NAMES.length);
  });

  it('have the input and the result of every operation', () => {
    const wanted = Object.keys(operationSchemas).flatMap((name) => [
      `${name}.input`,
      `${name}.result`,
    ]);

    expect(NAMES).toEqual(expect.arrayContaining(wanted));
  });

  it('say of every field of an input and a result what it is', () => {
    const named = Object.entries(jsonSchemas()).filter(([name]) => /\.(input|result)$/.test(name));

    expect(named.flatMap(([name, schema]) => undescribed(schema, name))).toEqual([]);
  });

  it.each(OPERATION_CASES)('accept the input of $operation', ({ operation, input }) => {
    const sent = input('schemas-1');

    expect(operationSchemas[operation].input.safeParse(sent)).toMatchObject({ success: true });
    expect(schemaErrors(`${operation}.input`, sent)).toBeUndefined();
  });

  it.each([
    ['a field that does not exist', { ...provisionInput(), flavour: 'x' }],
    ['a missing one', { projectId: 1, regionId: 1 }],
    ['another type', { ...provisionInput(), projectId: 'one' }],
    ['an unknown word', { ...provisionInput(), onFailure: 'explode' }],
  ])('refuse %s', (_name, input) => {
    const errors = schemaErrors('provisionInstance.input', input);

    expect(errors).toMatch(/\S/);
    expect(parseInput(operationSchemas.provisionInstance.input, input).ok).toBe(false);
  });

  it.each(Object.values(documents).filter((value) => value instanceof Object && 'steps' in value))(
    'accept the status document of a run that is $phase, also with a field of a later version',
    (document) => {
      const later = { ...document, mood: 'good' };

      expect(schemaErrors('status', document)).toBeUndefined();
      expect(schemaErrors('status', later)).toBeUndefined();
    },
  );

  it('accept each line of the manifest in the examples', () => {
    const lines = readFileSync('examples/videos.jsonl', 'utf8').trim().split('\n');

    const errors = lines.map((line) => schemaErrors('videoItem', JSON.parse(line)));

    expect(errors).toEqual(lines.map(() => undefined));
  });
});
