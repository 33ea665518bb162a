import { z } from 'zod';

import { idSchema } from '../operations/common-input.js';

/** Any value that the API knows. The `validation_schema` of a field says which values it accepts. */
const fieldValueSchema = z.union([z.array(z.unknown()), z.number(), z.string(), z.null()], {
  error: 'must be a list, a number, a text or null',
});

const fieldBodySchema = z.strictObject({
  base_field: idSchema.describe('id of a field of the template'),
  field_value: fieldValueSchema.optional(),
  value: z
    .null({ error: 'must be null: the API takes values in field_value only' })
    .optional()
    .describe('a slot that the API has removed; older clients still send null, which is left out'),
});
export type ProfileFieldBody = z.infer<typeof fieldBodySchema>;

const fieldsSchema = z.array(fieldBodySchema).superRefine((fields, context) => {
  fields.forEach(({ base_field: id }, index) => {
    if (fields.findIndex((other) => other.base_field === id) === index) return;
    context.addIssue({
      code: 'custom',
      path: [index, 'base_field'],
      message: `repeats field ${id}: a template field has one value`,
    });
  });
});

/** The part of a profile that does not depend on an address. */
export const protectionBodySchema = z.strictObject({
  profile_template: idSchema,
  fields: fieldsSchema.optional(),
});
export type ProtectionBody = z.infer<typeof protectionBodySchema>;

/**
 * Body of `POST` and `PATCH /cloud/v1/ddos/profiles/…` (OpenAPI `MutateClientProfileSerializer`).
 * Both take the whole profile: the PATCH is not a merge patch. The API has removed older keys;
 * this schema refuses them, but for the empty `value` that its own samples still have.
 */
export const ddosProfileBodySchema = z.strictObject({
  ip_address: z.union([z.ipv4(), z.ipv6()], { error: 'must be one IP address, not a network' }),
  ...protectionBodySchema.shape,
});
export type DdosProfileBody = z.infer<typeof ddosProfileBodySchema>;
