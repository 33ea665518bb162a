/** Tags as requests have them: a map, and a merge patch of it. Answers have a list. */
import { z } from 'zod';

import { hasTags, repeatable, tagKeyValueSchema } from './list-query.js';

const keySchema = z.string().regex(/^[^\s=]{1,255}$/, {
  error: 'must be a tag key with 1 to 255 characters, without white space or "="',
});
const valueSchema = z.string().regex(/^[^\t\n\r=]{1,255}$/, {
  error: 'must be a tag value with 1 to 255 characters, without tabs, line breaks or "="',
});

export const tagsSchema = z.record(keySchema, valueSchema);

/** Tags of a create body. Older clients call them `metadata`, there and in answers. */
export const newTagsShape = { tags: tagsSchema.default({}), metadata: tagsSchema.default({}) };

/** `null` removes a tag, and `null` instead of the map all of them. */
export const tagsPatchSchema = z.record(keySchema, valueSchema.nullable()).nullable();

type Tags = Record<string, string>;

export function patchTags(tags: Tags, patch: z.infer<typeof tagsPatchSchema> | undefined): Tags {
  if (patch === null) return {};
  const merged = Object.entries({ ...tags, ...patch });
  return Object.fromEntries(
    merged.flatMap(([key, value]) => (value === null ? [] : [[key, value]])),
  );
}

/** The filters by tags. A row must have all the keys, and all the pairs. */
export const tagFilterShape = {
  tag_key: repeatable(z.string()).optional(),
  tag_key_value: tagKeyValueSchema.optional(),
};

export function matchesTags(
  tags: Tags,
  wanted: { tag_key?: string[] | undefined; tag_key_value?: Tags | undefined },
): boolean {
  return (
    (wanted.tag_key ?? []).every((key) => Object.hasOwn(tags, key)) &&
    hasTags(tags, wanted.tag_key_value ?? {})
  );
}
