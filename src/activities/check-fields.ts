import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';

import type { ProfileFieldBody } from '../contract/api/ddos-profile-body.js';
import type { ProfileTemplate } from '../contract/api/ddos-profile.js';
import type { Fault } from '../contract/failures.js';

type TemplateField = ProfileTemplate['fields'][number];

/** The schemas come from the API: an odd one must not stop anybody, and nothing is written about it. */
const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false, logger: false });

/** Every fault of the fields of an input, by what the template says of each. */
export function checkFields(
  template: ProfileTemplate,
  given: readonly ProfileFieldBody[],
): Fault[] {
  const faults = given.flatMap((field, index) => {
    const path = `profile.fields[${index}]`;
    const definition = template.fields.find(({ id }) => id === field.base_field);
    if (definition === undefined) return [foreignField(template, `${path}.base_field`)];
    const value = field.field_value ?? null;
    // Null takes a value away; whether it may be missing is said by `required`.
    return value === null ? [] : checkValue(definition, value, `${path}.field_value`);
  });
  return [...faults, ...missingFields(template, given)];
}

/** The required fields without a default that are not named. */
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

function foreignField({ id, name, fields }: ProfileTemplate, path: string): Fault {
  const known = fields.map(nameOf).join(', ');
  return { path, message: `is no field of template ${id} (${name}); it has ${known || 'none'}` };
}

function checkValue(field: TemplateField, value: unknown, path: string): Fault[] {
  const validate = compile(field.validation_schema);
  if (validate === undefined || validate(value)) return [];
  return (validate.errors ?? []).map((error) => ({
    path: `${path}${toPath(error.instancePath)}`,
    message: `${describe(error)} (field ${nameOf(field)})`,
  }));
}

/** `undefined` where there is no schema, or none that can be used. */
function compile(schema: unknown): ValidateFunction | undefined {
  if (!isSchema(schema)) return undefined;
  try {
    return ajv.compile(schema);
  } catch {
    return undefined;
  } finally {
    // It is another object with each answer: remembered ones would pile up.
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

/** `/0/port` → `[0].port` */
function toPath(pointer: string): string {
  const segments = pointer.split('/').slice(1);
  return segments.map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`)).join('');
}

function nameOf({ id, name }: TemplateField): string {
  return typeof name === 'string' && name !== '' ? `${id} (${name})` : String(id);
}
