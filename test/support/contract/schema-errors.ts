import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

import { jsonSchemas } from '../../../src/contract/json-schemas.js';

let schemas: ReturnType<typeof jsonSchemas> | undefined;
const validators = new Map<string, ValidateFunction>();

/** How a value breaks the JSON Schema of this name; `undefined` when it does not. */
export function schemaErrors(name: string, value: unknown): string | undefined {
  const validate = validators.get(name) ?? compileSchema(name);
  validators.set(name, validate);
  if (validate(value)) return undefined;
  return (validate.errors ?? [])
    .map(({ instancePath, message }) => `${instancePath} ${message ?? ''}`)
    .join('; ');
}

/** One for all schemas: it compiles the schema of schemas first, which takes longer than most of them. */
const validator = new Ajv2020({
  strict: true,
  allErrors: true,
  allowUnionTypes: true,
  // Needs a package of its own, and the patterns beside most formats say the same.
  validateFormats: false,
});

/** By an independent validator, which is strict: it knows every keyword. */
export function compileSchema(name: string): ValidateFunction {
  schemas ??= jsonSchemas();
  const schema = schemas[name];
  if (schema === undefined) throw new Error(`There is no schema ${name}`);
  return validator.compile(schema);
}
