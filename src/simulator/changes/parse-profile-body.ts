import { Ajv } from 'ajv';
import { z } from 'zod';

import { ddosProfileBodySchema } from '../../contract/api/ddos.js';
import type { Fault } from '../../engine/core/failures.js';
import { notFoundError, validationError } from '../http/cloud-error.js';
import { parseRequest } from '../http/request-body.js';
import { findProfileTemplate, type TemplateField } from '../state/catalog.js';
import type { ProfileFields } from '../state/ddos-entities.js';
import type { World } from '../state/world.js';

/** Older clients send these too. All but `value` have no effect: the address says what is protected. */
const olderShape = {
  bm_instance_id: z.string().optional(),
  resource_id: z.string().optional(),
  resource_type: z.enum(['instance', 'loadbalancer']).optional(),
  profile_template_name: z.string().optional(),
};

const fieldSchema = z.strictObject({
  base_field: z.number().int(),
  field_value: z.union([z.array(z.unknown()), z.number(), z.string(), z.null()]).optional(),
  field_name: z.string().nullish(),
  value: z.string().max(500).nullish(),
});

const bodySchema = z.strictObject({
  ...ddosProfileBodySchema.shape,
  fields: z.array(fieldSchema).optional(),
  ...olderShape,
});

export interface ProfileBody {
  ip_address: string;
  templateId: number;
  fields: ProfileFields | undefined;
}

const ajv = new Ajv({ strict: false });

/** Body of a create or a change. Each value must be one that the template accepts. */
export function parseProfileBody(world: World, json: unknown): ProfileBody {
  const {
    ip_address,
    profile_template: templateId,
    fields,
  } = parseRequest(world, bodySchema, json);
  const template = findProfileTemplate(templateId);
  if (template === undefined) throw notFoundError(`Profile template ${templateId} is not found`);
  const given = fields?.map(({ base_field, field_value = null, value }) => ({
    base_field,
    field_value,
    ...(typeof value === 'string' && { value }),
  }));
  const faults = (given ?? []).flatMap((field) => valueFaults(template.fields, field));
  if (faults.length > 0) throw validationError(faults);
  return { ip_address, templateId, fields: given?.filter(isSet) };
}

/** Refuses a profile that lacks what its template requires. */
export function refuseMissing(templateId: number, fields: ProfileFields): void {
  const missing = (findProfileTemplate(templateId)?.fields ?? []).filter(
    ({ id, required, default: usual }) =>
      required === true && usual === null && !fields.some(({ base_field }) => base_field === id),
  );
  if (missing.length === 0) return;
  throw validationError(
    missing.map(({ id, name }) => ({
      path: 'fields',
      message: `field ${id} (${name}) is required`,
    })),
  );
}

function isSet({ field_value, value }: ProfileFields[number]): boolean {
  return field_value !== null || value !== undefined;
}

function valueFaults(
  known: readonly TemplateField[],
  { base_field: id, field_value: given, value }: ProfileFields[number],
): Fault[] {
  const field = known.find((candidate) => candidate.id === id);
  if (field === undefined)
    return [{ path: 'fields', message: `${id} is not a field of the template` }];
  if (given !== null && value !== undefined) {
    return [{ path: 'fields', message: `field ${id} has both a value and a field_value` }];
  }
  const meant = given ?? olderValue(field, value);
  if (meant === undefined || ajv.validate(field.validation_schema ?? {}, meant)) return [];
  return [
    { path: 'fields', message: `field ${id} ${ajv.errorsText(ajv.errors, { dataVar: '' })}` },
  ];
}

/** `value` is the text of a value of the type of the field. */
function olderValue({ field_type: type }: TemplateField, value: string | undefined): unknown {
  return value !== undefined && type === 'int' ? Number(value) : value;
}
