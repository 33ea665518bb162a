import { z } from 'zod';

/** Shorter values of tags and configurations are common words. */
const MIN_VALUE_LENGTH = 4;

const bodySchema = z
  .object({
    password: z.string().optional().catch(undefined),
    user_data: z.string().optional().catch(undefined),
    configuration: z.unknown(),
    tags: z.unknown(),
    volumes: z.array(z.object({ tags: z.unknown() }).catch({ tags: undefined })).catch([]),
  })
  .partial()
  .catch({});

/**
 * What a person may put secrets into when creating an instance: the password, the user data, which is
 * base64, the configuration of an application, and tags. Accepts any body, because the history of a run
 * may hold an invalid one.
 */
export function instanceSecrets(body: unknown): string[] {
  const {
    password,
    user_data: userData,
    configuration,
    tags,
    volumes = [],
  } = bodySchema.parse(body);
  const values = [configuration, tags, ...volumes.map((volume) => volume.tags)].flatMap(textsIn);
  return [
    ...(password === undefined ? [] : [password]),
    ...(userData === undefined ? [] : [userData, Buffer.from(userData, 'base64').toString()]),
    ...values.filter((value) => value.length >= MIN_VALUE_LENGTH),
  ];
}

/** All texts and numbers of a JSON value, but no names of fields. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  return value instanceof Object ? Object.values(value).flatMap(textsIn) : [];
}
