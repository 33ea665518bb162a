import { z } from 'zod';

import { lenientArray, listEnvelope } from './cloud.js';
import { apiNameSchema, apiTextSchema } from './errors.js';
import { idSchema } from '../operations/common-input.js';

/** Documented as a text for every type of value; `undefined` when there is none. */
const defaultSchema = z
  .unknown()
  .optional()
  .transform((value) =>
    value === null || value === undefined || typeof value === 'string'
      ? (value ?? undefined)
      : toJson(value),
  );

/** A value that is nested too deeply for JSON equals no value that a profile can have. */
function toJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return '(nested too deeply)';
  }
}

/**
 * The fields of a DDoS profile that this product reads. The API has no GET of one profile, only the
 * list. `status.status` stays an open text; known values are `Updated`, `Active`, `Queued`, `Error`
 * and `Error Deleting`.
 * Source: `GET /cloud/v1/ddos/profiles/{project_id}/{region_id}`, `ClientProfileSerializer`.
 */
export const ddosProfileSchema = z.object({
  id: z.number().int(),
  /** The documents let it be null. A run knows a profile by it alone: without it, none counts as that of another address. */
  ip_address: apiNameSchema,
  profile_template: z.object({ id: z.number().int() }).nullish(),
  fields: lenientArray(
    z.object({
      base_field: z.number().int(),
      field_value: z.unknown().optional(),
      default: defaultSchema,
    }),
  ),
  options: z.object({ active: z.boolean(), bgp: z.boolean() }),
  status: z.object({ status: apiNameSchema, error_description: apiTextSchema.nullish() }).nullish(),
  managed_by: apiNameSchema.nullish(),
});
export type DdosProfile = z.infer<typeof ddosProfileSchema>;

export const ddosProfileListSchema = listEnvelope(ddosProfileSchema);

/** `GET /cloud/v1/ddos/profile-templates/{region_id}`; `validation_schema` is a JSON Schema. */
const profileTemplateSchema = z.object({
  id: z.number().int(),
  name: apiNameSchema,
  fields: lenientArray(
    z.object({
      id: z.number().int(),
      name: apiNameSchema.nullish(),
      required: z.boolean().nullish(),
      default: defaultSchema,
      validation_schema: z.unknown().optional(),
    }),
  ),
});
export type ProfileTemplate = z.infer<typeof profileTemplateSchema>;

export const profileTemplateListSchema = listEnvelope(profileTemplateSchema);

/** `GET /cloud/v1/ddos/accessibility/{region_id}` */
export const ddosAccessibilitySchema = z.object({
  is_accessible: z.boolean(),
  message: apiTextSchema.nullish(),
  http_code: z.number().nullish(),
});

/** `GET /cloud/v1/ddos/region_coverage/{region_id}` */
export const ddosCoverageSchema = z.object({ is_covered: z.boolean() });

/** Any value that the API knows. The `validation_schema` of a field says which values it accepts. */
const fieldValueSchema = z.union([z.array(z.unknown()), z.number(), z.string(), z.null()], {
  error: 'must be a list, a number, a text or null',
});

const fieldBodySchema = z.strictObject({
  base_field: idSchema.describe('id of a field of the template'),
  field_value: fieldValueSchema
    .optional()
    .describe('its value; the template says which values it accepts'),
  value: z
    .null({ error: 'must be null: the API takes values in field_value only' })
    .optional()
    .describe('a slot that the API has removed; older clients still send null, which is left out'),
});
export type ProfileFieldBody = z.infer<typeof fieldBodySchema>;

const fieldsSchema = z.array(fieldBodySchema).superRefine((fields, context) => {
  // An input may have twenty thousand.
  const seen = new Set<number>();
  fields.forEach(({ base_field: id }, index) => {
    if (seen.size < seen.add(id).size) return;
    context.addIssue({
      code: 'custom',
      path: [index, 'base_field'],
      message: `repeats field ${id}: a template field has one value`,
    });
  });
});

/** The part of a profile that does not depend on an address. */
export const protectionBodySchema = z.strictObject({
  profile_template: idSchema.describe('id of the template'),
  fields: fieldsSchema.optional().describe('values of the fields of the template'),
});
export type ProtectionBody = z.infer<typeof protectionBodySchema>;

/** The address that a profile protects. */
export const ipAddressSchema = z.union([z.ipv4(), z.ipv6()], {
  error: ({ input }) =>
    input === undefined ? 'is missing' : 'must be one IP address, not a network',
});

/**
 * Body of `POST` and `PATCH /cloud/v1/ddos/profiles/…` (OpenAPI `MutateClientProfileSerializer`).
 * Both take the whole profile: the PATCH is not a merge patch. The API has removed older keys;
 * this schema refuses them, but for the empty `value` that its own samples still have.
 */
export const ddosProfileBodySchema = z.strictObject({
  ip_address: ipAddressSchema.describe('the address to protect'),
  ...protectionBodySchema.shape,
});
export type DdosProfileBody = z.infer<typeof ddosProfileBodySchema>;
