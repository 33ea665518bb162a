import { z } from 'zod';

import { numericIdSchema } from './account-entities.js';
import { scopedShape } from './row-shapes.js';

/** The fields that are set. `value` is the older form of a value, instead of `field_value`. */
export const profileFieldsSchema = z.array(
  z.object({
    base_field: z.number().int(),
    field_value: z.unknown(),
    value: z.string().optional(),
  }),
);
export type ProfileFields = z.infer<typeof profileFieldsSchema>;

const profileViewSchema = z.object({
  templateId: z.number().int(),
  fields: profileFieldsSchema,
  active: z.boolean(),
  bgp: z.boolean(),
  status: z.object({ status: z.string(), error_description: z.string() }),
});

/** A DDoS profile. It has no lock. */
export const ddosProfileEntitySchema = z.object({
  ...scopedShape,
  ...profileViewSchema.shape,
  id: numericIdSchema,
  address: z.string(),
  managedBy: z.enum(['system', 'user']),
  /** The old state that lagging lists still show after a change. */
  stale: z.object({ until: z.number(), view: profileViewSchema }).nullable(),
});

export type ProfileView = z.infer<typeof profileViewSchema>;
