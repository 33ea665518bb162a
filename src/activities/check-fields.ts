import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';

import type { ProfileFieldBody, ProfileTemplate } from '../contract/api/ddos.js';
import type { Fault } from '../engine/core/failures.js';
import { pathBelow } from '../engine/core/faults.js';

type TemplateField = ProfileTemplate['fields'][number];

/** The schemas come from the API: an odd one must not stop a run or fill the log. */
const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false, logger: false });

/** All faults of the fields of an input, by the schemas of the template. */
export function checkFields(
  template: ProfileTemplate,
  given: readonly ProfileFieldBody[],
): Fault[] {
  const faults = given.flatMap((field, index) => {
    const path = `profile.fields[${index}]`;
    const definition = template.fields.find(({ id }) => id === field.base_field);
    if (definition === undefined) return [unknownFieldFault(template, `${path}.base_field`)];
    const value = field.field_value ?? null;
    // Null removes a value; `required` says whether it may be missing.
    return value === null ? [] : checkValue(definition, value, `${path}.field_value`);
  });
  return [...faults, ...missingFields(template, given)];
}

/** Faults for required fields without a default that the input does not name. */
export function missingFields(
  template: ProfileTemplate,
  given: readonly ProfileFieldBody[],
): Fault[] {
  const hasValue = (id: number): boolean =>
    given.some((field) => field.base_field === id && (field.field_value ?? null) !== null);
  return template.fields
    .filter((field) => field.required === true && field.default === undefined)
    .filter((field) => !hasValue(field.id))
    .map((field) => ({
      path: 'profile.fields',
      message: `lack the field ${nameOf(field)}, which template ${template.id} (${template.name}) requires: add {"base_field": ${field.id}, "field_value": …}`,
    }));
}

function unknownFieldFault({ id, name, fields }: ProfileTemplate, path: string): Fault {
  const known = fields.map(nameOf).join(', ');
  return { path, message: `is not a field of template ${id} (${name}); it has ${known || 'none'}` };
}

function checkValue(field: TemplateField, value: unknown, path: string): Fault[] {
  const validate = compile(field.validation_schema);
  if (validate === undefined || validate(value)) return [];
  return (validate.errors ?? []).map((error) => ({
    path: segmentsOf(error.instancePath).reduce(pathBelow, path),
    message: `${describe(error)} (field ${nameOf(field)})`,
  }));
}

/** `undefined` without a usable schema. */
function compile(schema: unknown): ValidateFunction | undefined {
  if (!isSchema(schema)) return undefined;
  try {
    return ajv.compile(schema);
  } catch {
    return undefined;
  } finally {
    // Each answer brings a new schema object: cached ones would pile up.
    ajv.removeSchema(schema);
  }
}

function isSchema(schema: unknown): schema is object {
  return schema instanceof Object && !Array.isArray(schema);
}

function describe({ message = 'is not allowed', params }: ErrorObject): string {
  const allowed: unknown = params['allowedValues'];
  return Array.isArray(allowed) ? `${message}: ${allowed.map(String).join(', ')}` : message;
}

/** `/0/port` → 0, `port` */
function segmentsOf(pointer: string): PropertyKey[] {
  const names = pointer.split('/').slice(1);
  return names
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((name) => (/^\d+$/.test(name) ? Number(name) : name));
}

function nameOf({ id, name }: TemplateField): string {
  return typeof name === 'string' && name !== '' ? `${id} (${name})` : String(id);
}
