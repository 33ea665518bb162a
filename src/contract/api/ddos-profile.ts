import { z } from 'zod';

import { apiNameSchema, apiTextSchema } from './api-text.js';
import { lenientArray, listEnvelope } from './common.js';

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
  ip_address: apiNameSchema.nullish(),
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
