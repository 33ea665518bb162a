import { z } from 'zod';

import { MAKER_TAG, MARKER_TAG } from '../wire/names.js';
import { apiTextSchema } from './api-text.js';

const KEY_RULE = 'must be a tag key with 1 to 255 characters, without white space or "="';
const VALUE_RULE =
  'must be a tag value with 1 to 255 characters, without tabs or line breaks, and must not start or end with a space';

/** Tags of a create body: a map. Source: OpenAPI `CreateInstanceSerializerV2.tags`. */
export const tagsBodySchema = z
  .record(
    z.string().regex(/^[^\s=]{1,255}$/, { error: KEY_RULE }),
    z
      .string({ error: 'must be a text' })
      .max(255, { error: VALUE_RULE })
      .regex(/^[^ \t\n\r\f\v]([^\t\n\r\f\v]*[^ \t\n\r\f\v])?$/, { error: VALUE_RULE }),
  )
  .refine(...without(MARKER_TAG))
  .refine(...without(MAKER_TAG));

/** Looks also when other tags are wrong. */
function without(own: string) {
  return [
    (tags: unknown) => !(tags instanceof Object && own in tags),
    {
      error: `must not contain the key "${own}": the worker sets this tag to find its own resources`,
      when: () => true,
    },
  ] as const;
}

/** Tags of an answer: a list, unlike in the create body. */
export const tagSchema = z.object({
  key: apiTextSchema,
  value: apiTextSchema,
  read_only: z.boolean().optional(),
});
