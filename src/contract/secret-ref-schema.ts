import { z } from 'zod';

/** Names of secrets are names of files, and parts of names of variables and of secrets of a vault. */
export const SECRET_NAME = /^[a-z0-9][a-z0-9._-]{0,62}$/;
const MAX_KEY_LENGTH = 100;
const FORM = '{ "$secret": "name" }, with at most a "key" beside it';

export const secretRefSchema = z
  .strictObject({
    $secret: z
      .string()
      .regex(SECRET_NAME, {
        error: 'must be the name of a secret: lower-case letters, digits, ".", "_", "-"',
      })
      .describe('name of the secret; the worker puts its value in when it sends the call'),
    key: z
      .string()
      .min(1, { error: 'must not be empty' })
      .max(MAX_KEY_LENGTH, { error: `must have at most ${MAX_KEY_LENGTH} characters` })
      .optional()
      .describe('field of a secret that is a JSON object'),
  })
  .describe('a secret by its name');

/** A text, or a secret by its name. The faults of a text are those of its own schema. */
export function orSecret<T extends z.ZodType<string>>(text: T) {
  return z.union([text, secretRefSchema], {
    error: ({ input }) => {
      if (input === undefined) return 'is missing';
      const isMeant = input instanceof Object && '$secret' in input;
      return isMeant ? `must be ${FORM}` : `must be a text or ${FORM}`;
    },
  });
}

/** For values of any form: whatever looks like a secret by its name must be one. */
export function checkSecretRefs(
  value: unknown,
  context: z.RefinementCtx,
  path: readonly PropertyKey[] = [],
): void {
  if (!(value instanceof Object)) return;
  if ('$secret' in value) {
    if (secretRefSchema.safeParse(value).success) return;
    context.addIssue({ code: 'custom', path: [...path], message: `must be ${FORM}` });
    return;
  }
  for (const [name, child] of Object.entries(value)) {
    checkSecretRefs(child, context, [...path, Array.isArray(value) ? Number(name) : name]);
  }
}
